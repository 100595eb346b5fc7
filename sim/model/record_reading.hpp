// SPDX-License-Identifier: Apache-2.0
// record::judge, or judge as somebody might have understood the protocol. A reading changes what goes into
// the production function or what comes out of it; nothing of the table is written a second time.
#pragma once

#include "core/record/judge.hpp"
#include "record_scenario.hpp"

namespace pawl::model {

// `nothing_left`: of the present claim, no byte has left; known to no real store, only to reading A4.
record::Verdict judge_as(Reading reading, const record::Row& row, const record::Call& call,
                         std::int64_t now_ms, record::Fence next, bool nothing_left);

}  // namespace pawl::model
