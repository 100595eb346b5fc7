// SPDX-License-Identifier: Apache-2.0
// What a file says of the edges of a route: who permits its requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "surface/config/describe.hpp"
#include "surface/config/load.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A file with one route that has these lines.
std::string route(std::string_view lines, std::string_view top = "") {
    std::string text(top);
    text +=
        "routes:\n  - match: POST /o\n    upstream: demo\n    key: { header: K }\n"
        "    uncertain: { close: \"POST /c/{operation_key}\" }\n    ";
    return text.append(lines).append("\n");
}
constexpr std::string_view kCaller = "\n    caller: { header: U }";

std::vector<std::string> said(const std::string& text) {
    const auto loaded = load_config(text, {});
    std::vector<std::string> lines;
    for (const policy::Finding& finding : loaded ? loaded->warnings : loaded.error())
        lines.push_back(shown("f", finding));
    return lines;
}

std::string authorize(std::string_view settings, std::string_view caller = kCaller) {
    return route(std::string("authorize: { ").append(settings).append(" }").append(caller));
}

// What is in effect can be loaded, and is in effect again.
void expect_stable(const Config& config) {
    const std::string text = describe(config);
    const auto again = load_config(text, {});
    ASSERT_TRUE(again) << shown("f", again.error().front()) << "\n" << text;
    EXPECT_EQ(describe(again->config), text);
}

TEST(Authorize, IsReadWithItsDefaults) {
    const auto loaded = load_config(authorize("url: \"http://auth.local/check?a=b\""), {});
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_THAT(loaded->warnings, IsEmpty());
    const policy::AuthorizeRule& rule = loaded->config.routes[0].authorize.value();
    EXPECT_EQ(rule.upstream.host, "auth.local");
    EXPECT_EQ(rule.upstream.port, 80);
    EXPECT_EQ(rule.path, "/check?a=b");
    EXPECT_THAT(rule.headers, ElementsAre("Authorization", "Cookie"));
    EXPECT_EQ(rule.cache, 5s);
    EXPECT_EQ(rule.timeout, 2s);
    EXPECT_EQ(loaded->config.routes[0].caller.source, policy::CallerRule::Source::header);
    expect_stable(loaded->config);
}

TEST(Authorize, ItsAnswerMayNameTheCaller) {
    const auto loaded = load_config(authorize("url: https://a:9, caller_header: X-User, headers: "
                                              "[X-Session], cache: 0, timeout: 5s",
                                              ""),
                                    {});
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_THAT(loaded->warnings, IsEmpty()) << "callers are known, so none is warned of";
    const policy::Route& made = loaded->config.routes[0];
    EXPECT_EQ(made.authorize->path, "/");
    EXPECT_TRUE(made.authorize->upstream.tls);
    EXPECT_EQ(made.authorize->upstream.port, 9);
    EXPECT_EQ(made.authorize->cache, 0ms);
    EXPECT_EQ(made.caller.source, policy::CallerRule::Source::authorize);
    EXPECT_EQ(made.caller.name, "X-User");
    expect_stable(loaded->config);
}

TEST(Authorize, EachMistakeHasItsPlaceAndItsRemedy) {
    EXPECT_THAT(said(authorize("cache: 5s")),
                ElementsAre("f:6:16: error: `authorize` names no endpoint; write `authorize: { "
                            "url: \"http://127.0.0.1:9000/check\" }`"));
    EXPECT_THAT(said(route("authorize: http://a/check\n    caller: { header: U }")),
                ElementsAre(HasSubstr("f:6:16: error: `authorize` is a single value")));
    EXPECT_THAT(said(authorize("url: demo")),
                ElementsAre(HasSubstr("the demonstration permits nothing")));
    EXPECT_THAT(said(authorize("url: \"http://a/che ck\"")),
                ElementsAre(HasSubstr("`/che ck` is not a path")));
    EXPECT_THAT(said(authorize("url: \"http://a?check\"")),
                ElementsAre(HasSubstr("`?check` is not a path")));
    EXPECT_THAT(said(authorize("url: \"http://a/b#c\"")),
                ElementsAre(HasSubstr("`/b#c` is not a path")));
    EXPECT_THAT(said(authorize("url: \"ftp://a/b\"")),
                ElementsAre(HasSubstr("has no `http://` or `https://`")));
    EXPECT_THAT(said(authorize("url: http://a, cache: 5001ms")),
                ElementsAre(HasSubstr("f:6:40: error: a right that is withdrawn would last "
                                      "5001ms; write at most 5s")));
    EXPECT_THAT(said(authorize("url: http://a, timeout: 0")),
                ElementsAre(HasSubstr("write more than 0 and at most 5s")));
    EXPECT_THAT(said(authorize("url: http://a, timeout: 5001ms")),
                ElementsAre(HasSubstr("write more than 0 and at most 5s")));
    for (const std::string_view name : {"Host", "Connection", "X-Forwarded-For", "Pawl-Caller"})
        EXPECT_THAT(
            said(authorize(std::string("url: http://a, headers: [") + std::string(name) + "]")),
            ElementsAre(HasSubstr("is Pawl's own to say")));
    EXPECT_THAT(said(authorize("url: http://a, headers: [\"a b\"]")),
                ElementsAre(HasSubstr("`a b` is not the name of a header")));
    for (const std::string_view name :
         {"Cookie", "Authorization", "Host", "\"a b\"", "Pawl-Caller", "Upgrade"})
        EXPECT_THAT(
            said(authorize("url: http://a, headers: [X], caller_header: " + std::string(name), "")),
            ElementsAre(HasSubstr("cannot name a caller")));
    EXPECT_THAT(said(authorize("url: http://a, caller_header: K", "")),
                ElementsAre(HasSubstr("`K` carries the key already")));
    EXPECT_THAT(said(authorize("url: http://a, caller_header: X-U, headers: [x-u]", "")),
                ElementsAre(HasSubstr("`x-u` is taken out of clients' requests")));
    EXPECT_THAT(said(authorize("url: http://a, caller_header: X-U")),
                ElementsAre(HasSubstr("both name the caller; keep one of them")));
    EXPECT_THAT(said(route("protect: false\n    authorize: { url: http://a }")),
                ElementsAre(HasSubstr("`key`, `uncertain` is not used")))
        << "without a record, and permitted all the same";
}

}  // namespace
}  // namespace pawl::config
