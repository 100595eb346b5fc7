// SPDX-License-Identifier: Apache-2.0
// What a person gives as an operation's result is held to what holds for an upstream's: the header lines that
// a repeat may carry, and the size that the route keeps. An upstream's lines are left out without a word;
// a person is told, and can say it again without them.
#pragma once

#include "core/policy/route.hpp"
#include "core/record/row.hpp"
#include "runtime/result/result.hpp"

namespace pawl::api {

// `route`: of the operation; nullptr: the defaults hold.
// Errors: request_invalid (a line that no repeat may carry), body_too_large.
Status check_given(const record::Answer& answer, const policy::Route* route);

}  // namespace pawl::api
