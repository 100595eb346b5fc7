// SPDX-License-Identifier: Apache-2.0
// Entities in states that no file has any more: nothing can be done with them, and only facts that come for them
// show it. All of the store is looked through, of every tenant, a slice at a time beside what is served.
#pragma once

#include <functional>
#include <map>

#include "engine/machines.hpp"
#include "runtime/task/task.hpp"
#include "store/port/flows.hpp"

namespace pawl::app {

// Entities of one slice, and the pause between two: a million take seconds, and delay nobody by more than one slice.
inline constexpr std::size_t kStatesSlice = 1'000;
inline constexpr std::chrono::milliseconds kSlicePause{1};

struct Stranded {
    std::map<store::Standing, std::uint64_t> entities;  // how many
    bool is_whole = false;                              // everything was looked at
};

// `rest` is awaited between two slices; true: no further one. Errors: as Flows::states.
Task<Result<Stranded>> find_stranded(store::Flows& flows,
                                     std::shared_ptr<const engine::Machines> machines,
                                     std::function<Task<bool>()> rest);

// Of this flow, in this state; of every tenant. `state` empty: in whichever.
std::uint64_t count_in(const Stranded& stranded, const std::string& flow, const std::string& state);

// For people, with the remedy: a line each.
std::vector<std::string> lines_of(const Stranded& stranded, const engine::Machines& machines);

}  // namespace pawl::app
