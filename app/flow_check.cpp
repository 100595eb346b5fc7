// SPDX-License-Identifier: Apache-2.0
#include "app/flow_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/flow_change.hpp"
#include "app/flow_states.hpp"

namespace pawl::app {
namespace {

bool goes(const Loss& loss) {
    return loss.kind == Loss::Kind::flow || loss.kind == Loss::Kind::state;
}

// True: the patience is over.
Task<bool> rest(Loop& loop, MonotonicTime give_up) {
    co_await loop.sleep_for(kSlicePause);
    co_return loop.now() >= give_up;
}

}  // namespace

Task<Status> check_change(Loop& loop, store::Flows& flows, std::string tenant,
                          std::shared_ptr<const engine::Machines> former,
                          std::shared_ptr<const engine::Machines> next,
                          std::function<void(std::string)> warn) {
    const std::vector<Loss> losses = losses_between(*former, *next);
    Stranded stranded;
    if (std::ranges::any_of(losses, goes)) {
        const MonotonicTime give_up = loop.now() + kCheckPatience;
        auto found =
            co_await find_stranded(flows, next, [&loop, give_up] { return rest(loop, give_up); });
        if (!found) co_return fail(std::move(found.error()));
        stranded = *std::move(found);
    }
    for (const Loss& loss : losses) {
        const auto loser = co_await loser_of(flows, tenant, loss);
        if (!loser) co_return fail(loser.error());
        const std::uint64_t count = goes(loss) ? count_in(stranded, loss.flow, loss.name) : 0;
        const std::string all = count == 0 ? "" : fmt::format("{} in all tenants are there", count);
        const std::string& whose = loser->empty() ? all : *loser;
        if (!whose.empty())
            co_return fail(Code::config_invalid,
                           fmt::format("{}, and {}: {}", described(loss), whose, remedy_of(loss)));
        if (!goes(loss) || !stranded.is_whole)
            warn(
                fmt::format("{}; what this concerns of another tenant, or of long ago, was not "
                            "looked for",
                            described(loss)));
    }
    co_return Status{};
}

}  // namespace pawl::app
