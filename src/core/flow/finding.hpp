// SPDX-License-Identifier: Apache-2.0
// What is wrong with a flow, or unsafe about it: where in the file's own terms, what, and what to write
// instead. Whoever read the file knows on which line the path stands.
#pragma once

#include <string>

#include "core/policy/finding.hpp"

namespace pawl::flow {

struct Finding {
    policy::Severity severity = policy::Severity::error;
    std::string
        path;  // "events.pay.short.to", "events.cancel.transitions[1].to"; empty: the whole file
    std::string what;    // a sentence without its full stop
    std::string remedy;  // an order
    bool operator==(const Finding&) const = default;
};

}  // namespace pawl::flow
