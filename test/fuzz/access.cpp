// SPDX-License-Identifier: Apache-2.0
// Any value of Authorization, at the admin port and as a caller's bearer token; any Host and Origin where there is
// no token. Only the very token opens, and a token taken out of a header is a piece of it without blanks before.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/caller/callers.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/result/assert.hpp"
#include "surface/api/admin_access.hpp"
#include "surface/api/query.hpp"

namespace {

using namespace pawl;

const std::string kToken = "sesame";

void judge_admin(std::string_view value) {
    http::RequestHead head;
    head.method = "GET";
    head.target = "/metrics";
    head.headers = {{"Host", "shop.example"}, {"Authorization", std::string(value)}};
    PAWL_ASSERT(api::check_access(kToken, head).has_value() == (value == "Bearer " + kToken));
    head.headers = {{"Host", std::string(value)}, {"Origin", "http://shop.example"}};
    PAWL_ASSERT(!api::check_access("", head));
}

void judge_bearer(std::string_view value) {
    const std::string_view token = caller::token_in("Authorization", value);
    if (token.empty()) return;
    PAWL_ASSERT(equal_ignoring_case(value.substr(0, 7), "bearer ") && token.front() != ' ');
    PAWL_ASSERT(value.ends_with(token));
    PAWL_ASSERT(caller::token_in("X-Token", value) == value);
}

void judge_query(std::string_view target) {
    const auto query = api::parse_query(target);
    if (!query) {
        PAWL_ASSERT(query.error().code == Code::request_invalid);
        return;
    }
    for (const auto& [name, value] : query->parameters) {
        const auto again =
            api::parse_query("/?" + api::percent_encoded(name) + "=" + api::percent_encoded(value));
        PAWL_ASSERT(again && again->parameters.size() == 1 &&
                    again->parameters.front() == std::pair(name, value));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    judge_admin(input);
    judge_bearer(input);
    judge_query(input);
    return 0;
}
