// SPDX-License-Identifier: Apache-2.0
// The network between clients and nodes: requests are delayed, lost, copied; answers come, are lost, or are
// cut off. Every answer that leaves a node is told to the auditors, whether its client sees it or not: it
// might have.
#pragma once

#include <map>

#include "sim/node/node.hpp"

namespace pawl::sim {

class Front {
  public:
    // What a client hears: an answer, or that the connection broke (nullptr).
    using Hear = std::function<void(std::uint64_t token, const Answered*)>;

    Front(World& world, Book& book, Ledger& ledger, Audit& audit, Rarities& rarities, Fleet& fleet)
        : world_(world),
          chance_(world.chance_for("front")),
          book_(book),
          ledger_(ledger),
          audit_(audit),
          rarities_(rarities),
          fleet_(fleet) {}

    void set_dose(const Dose& dose) { dose_ = dose; }
    void set_hear(Hear hear) { hear_ = std::move(hear); }
    // One request of a client, under the client's own token.
    void send(Number intent, std::uint64_t token);
    // Connections to that node break.
    void node_died(std::uint64_t boot);

  private:
    struct Pending {
        std::uint64_t token = 0;
        std::uint64_t boot = 0;
    };

    void copy(Number intent, std::uint64_t token);
    void arrive(Number exchange, http::Request request, std::uint64_t token);
    void answer(Number exchange, http::Response response);
    void count(const Answered& answered);
    void break_off(std::uint64_t token);

    World& world_;
    Chance chance_;
    Book& book_;
    Ledger& ledger_;
    Audit& audit_;
    Rarities& rarities_;
    Fleet& fleet_;
    Dose dose_;
    Hear hear_;
    std::map<Number, Pending> pending_;
};

}  // namespace pawl::sim
