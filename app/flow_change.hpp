// SPDX-License-Identifier: Apache-2.0
// What a change of the flow files would take away from entities that are there: the state that they are in, the way on
// for what they hold, or the meaning of what they have. Such a change is refused.
#pragma once

#include <string>
#include <vector>

#include "engine/machines.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/task.hpp"
#include "store/port/flows.hpp"

namespace pawl::app {

struct Loss {
    enum class Kind : std::uint8_t {
        flow,   // it is served no more
        state,  // `name` is there no more
        stock,  // what is held in one of `states` would be neither confirmed nor released
        field,  // `name` is of another type now
    };
    Kind kind = Kind::flow;
    std::string flow;
    std::string name{};
    std::vector<std::string> states{};  // stock; field: those that are final
    bool operator==(const Loss&) const = default;
};
std::vector<Loss> losses_between(const engine::Machines& former, const engine::Machines& next);

// "state `paying` of flow `order` is not there any more".
std::string described(const Loss& loss);
// What to do before the change is taken.
std::string remedy_of(const Loss& loss);

// What this entity has of it, as part of a sentence: "is in `paying`". Empty: nothing.
std::string lost_by(const flow::Entity& entity, const Loss& loss);

// How many entities are looked at for each before the rest is taken on trust.
inline constexpr std::size_t kLookedAtMax = 10'000;

// An entity that would lose by it: "order 17 is in `paying`". Empty: none among the newest of the tenant.
// Errors: unavailable.
Task<Result<std::string>> loser_of(store::Flows& flows, std::string tenant, Loss loss);

}  // namespace pawl::app
