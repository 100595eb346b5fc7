// SPDX-License-Identifier: Apache-2.0
// Asks upstreams what became of uncertain operations, where their routes name a probe. Two kinds:
//
//   answer                            close (names a fence)            probe
//   2xx, or Pawl-Outcome: applied     applied: status and body are     applied
//                                     the operation's result
//   404, 410, or                      not applied, final: the          a hint; final only when the owner is
//   Pawl-Outcome: not-applied         upstream refuses this fence      gone and the effect horizon has passed,
//                                     from now on                      which the record itself judges
//   anything else                     nothing is known: asked again, later and later
//
// Each finding is evidence about the fence, and as of the store time, that were read before the upstream was
// asked: what was not there before the horizon passed may have landed since.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "gateway/asker.hpp"
#include "gateway/gateway.hpp"
#include "gateway/routes.hpp"

namespace pawl::gateway {

struct ProberFigures {
    Counter asked;
    Counter settled_applied;
    Counter settled_not_applied;
};

class Prober {
  public:
    Prober(Loop& loop, store::Records& records, std::vector<Seat> seats, Asker& asker,
           ProberFigures& figures);

    void reload(std::shared_ptr<const Routes> routes) { routes_ = std::move(routes); }
    // One look at the uncertain records that are due. Returns how many were asked about.
    Task<std::size_t> pass();

  private:
    struct Schedule {
        MonotonicTime next{};
        std::chrono::nanoseconds pause{};
        std::uint64_t seen_in_pass = 0;
    };

    Task<void> pass_over(std::shared_ptr<const policy::CompiledRoute> route);
    Task<void> ask_about(std::shared_ptr<const policy::CompiledRoute> route, Digest identity);
    Task<void> settle(std::shared_ptr<const policy::CompiledRoute> route, record::Settle evidence);

    Loop& loop_;
    store::Records& records_;
    std::vector<Seat> seats_;
    Asker& asker_;
    ProberFigures& figures_;
    std::shared_ptr<const Routes> routes_;
    std::unordered_map<Digest, Schedule, DigestHash> schedule_;
    std::unordered_map<std::string, std::size_t>
        listed_;  // by operation: where the next pass goes on
    std::uint64_t passes_ = 0;
    std::uint64_t asked_ = 0;
};

}  // namespace pawl::gateway
