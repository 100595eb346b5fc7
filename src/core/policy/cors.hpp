// SPDX-License-Identifier: Apache-2.0
// Which pages of other origins may use a route from a browser (the Fetch standard's CORS protocol). Nothing of it
// is stored with an answer: a replay may go to another origin than the first answer.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace pawl::policy {

inline constexpr std::chrono::milliseconds kCorsMaxAge = std::chrono::hours(24);

struct CorsRule {
    std::vector<std::string> origins;  // "https://shop.example"; a single "*": any
    std::vector<std::string> headers;  // that scripts may send, beside those that the route reads
    std::vector<std::string> expose;   // that scripts may read, beside those that Pawl answers with
    bool credentials = false;          // scripts may send cookies
    std::chrono::milliseconds max_age = std::chrono::minutes(10);  // of a preflight's answer

    bool any_origin() const { return !origins.empty() && origins.front() == "*"; }
};

struct CorsFlaw {
    std::string field;  // "origins"
    std::string what;
    std::string remedy;
};
// What browsers would refuse, or what lets in everybody.
std::vector<CorsFlaw> flaws_in(const CorsRule& rule);

}  // namespace pawl::policy
