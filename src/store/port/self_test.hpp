// SPDX-License-Identifier: Apache-2.0
// Protection that does not work is not started: before it serves, a process claims twice on its own store,
// expects the second claim to be refused, looks at fence and lease, and releases. Works on any store, under
// an operation name that no route can have.
#pragma once

#include "runtime/task/loop.hpp"
#include "store/port/records.hpp"

namespace pawl::store {

inline constexpr std::string_view kSelfTestOperation = "pawl.self_test";

// `records`, `loop` outlive the task. Errors: store_weak when the store answers wrongly, with the step in
// the text; else what the store said.
Task<Status> self_test(Records& records, Loop& loop, record::Owner owner);

}  // namespace pawl::store
