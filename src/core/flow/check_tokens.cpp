// SPDX-License-Identifier: Apache-2.0
// A scan's token is short-lived: whoever finds a label, or reads along, has it for as long as it is valid.
#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/policy/units.hpp"

namespace pawl::flow {

void check_tokens(Findings& found) {
    const auto shown = policy::format_duration;
    for (const EventRule& event : found.definition().events) {
        if (!event.token) continue;
        const std::string path = path_of(event) + ".token";
        if (event.token->valid < 1ms || event.token->valid > kTokenValidMax)
            found.error(
                path + ".valid",
                fmt::format("a token of `{}` is valid for {}", event.name,
                            shown(event.token->valid)),
                fmt::format("write from `valid: 1ms` to `valid: {}`; {} is what a scan takes",
                            shown(kTokenValidMax), shown(kTokenValid)));
        if (event.token->skew > kTokenSkewMax)
            found.error(path + ".skew",
                        fmt::format("a token of `{}` may come {} before its time", event.name,
                                    shown(event.token->skew)),
                        fmt::format("write `skew: {}` at most, and set the stations' clocks",
                                    shown(kTokenSkewMax)));
    }
}

}  // namespace pawl::flow
