// SPDX-License-Identifier: Apache-2.0
// Which keys the answers of a store are sealed under: one record for each, completed before the key seals its first
// answer and kept until a person forgets it. A store that names a key which nobody has is not served (protocol rule
// 14): its repeats would be told that their result is gone.
#pragma once

#include "runtime/task/loop.hpp"
#include "store/port/records.hpp"
#include "store/sealed/sealing_key.hpp"

namespace pawl::store {

// Of the records; no request can have either.
inline constexpr std::string_view kSealingOperation = "pawl.sealing";
std::string sealing_label();

// Registers `keys.current`. `records` and `loop` outlive the task.
// Errors: config_invalid when an answer may be sealed under a key that is not among `keys`; what the store said.
Task<Status> register_keys(Records& records, Loop& loop, record::Owner owner, SealingKeys keys);

}  // namespace pawl::store
