// SPDX-License-Identifier: Apache-2.0
// Where the facts of notifications go: this loop's committer.
#pragma once

#include "engine/committer.hpp"
#include "engine/notifications.hpp"

namespace pawl::engine {

class CommittedFacts final : public FactTaker {
  public:
    // `committer` outlives it.
    explicit CommittedFacts(Committer& committer) : committer_(committer) {}

    Task<Result<Outcome>> send(Sent sent) override { return committer_.send(std::move(sent)); }
    Task<Result<Outcome>> keep_for_people(Sent sent, std::string reason) override {
        return committer_.keep_for_people(std::move(sent), std::move(reason));
    }

  private:
    Committer& committer_;
};

}  // namespace pawl::engine
