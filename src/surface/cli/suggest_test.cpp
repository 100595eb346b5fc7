// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/suggest.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "surface/config/load.hpp"

namespace pawl::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kFile = R"(default_upstream: http://127.0.0.1:4000
routes:
  - match: POST /orders
    upstream: http://127.0.0.1:3000
    key: { header: Idempotency-Key }
    caller: { header: U }
    uncertain: { close: "POST /c/{operation_key}" }
  - { match: "* /files/*", upstream: "http://127.0.0.1:5000", protect: false }
  - { match: PUT /notes, upstream: demo, protect: false }
)";

config::Config config_of(const std::string& text) {
    auto loaded = config::load_config(text, {});
    EXPECT_TRUE(loaded) << config::shown("f", loaded.error().front());
    return loaded->config;
}
config::Config config() { return config_of(std::string(kFile)); }

SeenWrites log_of(const std::string& text) {
    std::istringstream log(text);
    return read_access_log(log, config());
}

TEST(AccessLog, LinesOfNginxAndApacheAreUnderstood) {
    const SeenWrites seen = log_of(
        R"(10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "POST /pay/17 HTTP/1.1" 201 26 "-" "curl/8"
shop.example:443 10.0.0.1 - ada [30/Nov/2026:10:00:00 +0000] "POST /pay/18?x=1 HTTP/2.0" 201 26
POST /pay/19 HTTP/1.0
10.0.0.1 - - [30/Nov/2026:10:00:01 +0000] "GET /pay/17 HTTP/1.1" 200 26 "-" "POST /x HTTP/1.1"
10.0.0.1 - - [30/Nov/2026:10:00:01 +0000] "POST /orders HTTP/1.1" 201 26
10.0.0.1 - - [30/Nov/2026:10:00:02 +0000] "\x16\x03\x01" 400 0
)");
    EXPECT_EQ(seen.lines, 6);
    EXPECT_EQ(seen.not_understood, 1);
    EXPECT_EQ(seen.protected_requests, 1);
    EXPECT_EQ(seen.unprotected_writes, 3);
    ASSERT_EQ(seen.writes.size(), 1);
    EXPECT_EQ(seen.writes[0].path, "/pay/{id}");
    EXPECT_EQ(share_sentence(seen), "1 of 4 writes are protected (25.0 %)");
}

TEST(AccessLog, ALineThatNeverEndsIsNoRequest) {
    const SeenWrites seen = log_of(std::string(kLogLineBytesMax, 'x') + " \"POST /a HTTP/1.1\"\n");
    EXPECT_EQ(seen.not_understood, 1);
}

TEST(AccessLog, WhatAClientSaysElsewhereInALineIsNoRequest) {
    const SeenWrites seen = log_of(
        R"(10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "\x16\x03" 400 0 "-" "POST /forged HTTP/1.1"
10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "-" 400 0 "-" "x POST /forged HTTP/1.1 y"
10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "a\" POST /forged HTTP/1.1" 400 0
agent POST /forged HTTP/1.1
)");
    EXPECT_EQ(seen.not_understood, 4);
    EXPECT_TRUE(seen.writes.empty());
}

TEST(AccessLog, PathsOfPawlItselfAndTunnelsAreNotCounted) {
    const SeenWrites seen = log_of(R"(POST /_pawl/v1/operations/op_x/outcome HTTP/1.1
CONNECT shop.example:443 HTTP/1.1
)");
    EXPECT_EQ(seen.not_understood, 0);
    EXPECT_EQ(seen.unprotected_writes, 0);
    EXPECT_TRUE(seen.writes.empty());
}

TEST(AccessLog, ALongestLineIsReadAndWhatFollowsALongerOneToo) {
    const std::string request = "POST /a HTTP/1.1 ";
    const std::string longest =
        request + std::string(kLogLineBytesMax - request.size(), 'x') + "\n";
    EXPECT_EQ(log_of(longest).unprotected_writes, 1);
    const SeenWrites seen = log_of("x" + longest + request + "\n" + longest);
    EXPECT_EQ(seen.lines, 3);
    EXPECT_EQ(seen.not_understood, 1);
    EXPECT_EQ(seen.unprotected_writes, 2);
}

policy::WriteCount write(std::string method, std::string path, std::uint64_t count,
                         std::uint64_t with_key, std::string route = "") {
    return {std::move(method), std::move(path), std::move(route), count, with_key};
}

TEST(Suggest, WhatItSaysCanBePastedAndChangesNothing) {
    SeenWrites seen;
    seen.writes = {
        write("POST", "/pay/{id}", 9, 9), write("DELETE", "/carts/{id}/items/{id2}", 8, 3),
        write("PATCH", "/profile", 7, 0), write("PUT", "/files/{id}", 6, 0, "* /files/*")};
    seen.unprotected_writes = 30;
    const std::string text = suggested_routes(seen, config());
    EXPECT_THAT(text, HasSubstr("# 0 of 30 writes are protected (0.0 %)"));
    const config::Config pasted = config_of(std::string(kFile) + text);
    ASSERT_EQ(pasted.routes.size(), 7);
    for (std::size_t i = 3; i < pasted.routes.size(); ++i) {
        EXPECT_TRUE(pasted.routes[i].shadow);
        EXPECT_FALSE(pasted.routes[i].protect);
    }
    EXPECT_EQ(pasted.routes[3].upstream.port, 4000);
    EXPECT_EQ(pasted.routes[3].key.source, policy::KeyRule::Source::header);
    EXPECT_TRUE(pasted.routes[3].key.required);
    EXPECT_FALSE(pasted.routes[4].key.required);
    EXPECT_EQ(pasted.routes[5].key.source, policy::KeyRule::Source::none);
    EXPECT_EQ(pasted.routes[6].upstream.port, 5000);
}

TEST(Suggest, OnlyMethodsAndPatternsArePasted) {
    EXPECT_TRUE(may_be_suggested(write("POST", "/pay/{id}", 1, 0)));
    for (const auto& [method, path] :
         std::vector<std::pair<std::string, std::string>>{{"post", "/pay"},
                                                          {"POST", "pay"},
                                                          {"POST", "/a\"b"},
                                                          {"POST", "/a\nb"},
                                                          {"P: {}", "/a"},
                                                          {"CONNECT", "/a"},
                                                          {"POST", "/_pawl/v1/x"},
                                                          {"POST", "/{id}/{id}"}})
        EXPECT_FALSE(may_be_suggested(write(method, path, 1, 0))) << method << path;
}

TEST(Suggest, ARouteThatIsThereIsNamedAndNotSaidTwice) {
    SeenWrites seen;
    seen.writes = {write("PUT", "/notes", 5, 0, "PUT /notes"), write("POST", "/orders", 5, 0)};
    const std::string text = suggested_routes(seen, config());
    EXPECT_THAT(text, HasSubstr("PUT /notes: a route for them is there"));
    EXPECT_THAT(text, Not(HasSubstr("- match")));
}

TEST(Suggest, ShowsSoManyAndCountsTheRest) {
    SeenWrites seen;
    for (std::size_t i = 0; i <= kSuggestedMax; ++i)
        seen.writes.push_back(write("POST", "/" + std::string(i + 1, 'a'), 1, 0));
    seen.not_listed = 3;
    const std::string text = suggested_routes(seen, config());
    EXPECT_EQ(config_of(std::string(kFile) + text).routes.size(), 3 + kSuggestedMax);
    EXPECT_THAT(text, HasSubstr("# 1 rarer kinds are not shown"));
    EXPECT_THAT(text, HasSubstr("# 3 writes more"));
    EXPECT_THAT(suggested_routes({}, config()), HasSubstr("nothing to suggest"));
}

}  // namespace
}  // namespace pawl::cli
