// SPDX-License-Identifier: Apache-2.0
#include "surface/api/given_answer.hpp"

#include <fmt/format.h>

#include "core/policy/replay_headers.hpp"
#include "core/policy/units.hpp"

namespace pawl::api {

Status check_given(const record::Answer& answer, const policy::Route* route) {
    const std::vector<std::string> added =
        route == nullptr ? std::vector<std::string>{} : route->replay_headers;
    for (const auto& line : answer.headers) {
        if (const auto why = policy::never_stored(line.first))
            return fail(Code::request_invalid,
                        fmt::format("A repeat never carries `{}`: {}. Say it again without that "
                                    "header.",
                                    line.first, *why));
        if (policy::replay_headers({line}, added).empty())
            return fail(Code::request_invalid,
                        fmt::format("A repeat does not carry `{}` on this route. Say it again "
                                    "without that header, or add it to the route's "
                                    "`replay_headers`.",
                                    line.first));
    }
    const std::size_t bytes_max =
        route == nullptr ? policy::kAnswerBytesMax : route->answer_bytes_max;
    if (answer.body.size() > bytes_max)
        return fail(Code::body_too_large,
                    fmt::format("The body has {} bytes, and a record of this route keeps {}. Say "
                                "--applied without --status, and repeats are told 410 "
                                "`result_expired`; or raise the route's `answer_bytes_max`.",
                                answer.body.size(), policy::format_size(bytes_max)));
    return {};
}

}  // namespace pawl::api
