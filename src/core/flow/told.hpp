// SPDX-License-Identifier: Apache-2.0
// What an entity has been told for certain by the time it is in a state, on whichever way it came there. For the
// checks: nothing that runs asks.
#pragma once

#include <string>
#include <vector>

#include "core/flow/graph.hpp"

namespace pawl::flow {

class Told {
  public:
    explicit Told(const Definition& definition);

    // By a fact that took effect and is kept while the entity is there, or set by an event that had to say it.
    bool is_told(std::size_t state, const std::string& name) const;

  private:
    struct Word {
        const EventRule* event;
        Names names;
        Names while_in;        // empty: for ever
        bool is_field{false};  // set, which a branch does not do
    };
    void add_words(const Definition& definition);
    struct Step {
        const EventRule& event;
        std::size_t from;
        std::size_t to;
        bool is_branch;
    };
    bool take(const Step& step, const std::string& to);

    std::vector<Word> words_;
    StateSet reached_;
    std::vector<std::vector<bool>> known_;  // by state, of the words
};

}  // namespace pawl::flow
