// SPDX-License-Identifier: Apache-2.0
// What a file says of the edges of a route: who permits its requests, which pages may send them, whose they are, and
// whom Pawl believes to be the upstream.
#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A file with one route that has these lines.
std::string route(std::string_view lines, std::string_view top = "") {
    std::string text(top);
    text +=
        "routes:\n  - match: POST /o\n    upstream: demo\n    key: { header: K }\n"
        "    uncertain: { close: \"POST /c/{operation_key}\" }\n    ";
    return text.append(lines).append("\n");
}
constexpr std::string_view kCaller = "\n    caller: { header: U }";

std::string authorize(std::string_view settings, std::string_view caller = kCaller) {
    return route(std::string("authorize: { ").append(settings).append(" }").append(caller));
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

// It asks nobody, and what a reader takes for the whole service is one route.
TEST(Authorize, BesideADefaultUpstreamIsWarnedOfUnlessARouteTakesTheRest) {
    const std::string asking = "authorize: { url: http://a }" + std::string(kCaller);
    EXPECT_THAT(
        said(route(asking, "default_upstream: http://b\n")),
        ElementsAre("f:1:19: warning: routes ask whether a request is permitted, and "
                    "`default_upstream` takes what no route matches without asking; write what "
                    "it serves as routes with `authorize` (`match: \"* /*\"` and `protect: "
                    "false` take the rest), and remove it"));
    EXPECT_THAT(said(route(kCaller.substr(5), "default_upstream: http://b\n")), IsEmpty());
    EXPECT_THAT(
        said(route(asking + "\n  - match: \"* /*\"\n    upstream: http://b\n    protect: false\n"
                            "    authorize: { url: http://a }")),
        IsEmpty());
}

TEST(Cors, IsReadForAllRoutesAndForOneInItsPlace) {
    const auto loaded = load_config(
        route(
            "caller: { header: U }\n  - match: POST /p\n    upstream: demo\n    key: { header: K }"
            "\n    caller: { header: U }\n    uncertain: { close: \"POST /c/{operation_key}\" }"
            "\n    cors: { origins: \"*\", max_age: 24h }",
            "cors: { origins: [https://a.example, \"http://b:81\"], headers: [X-A], expose: [X-B], "
            "credentials: true }\n"),
        {});
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_THAT(loaded->warnings, IsEmpty());
    const policy::CorsRule& first = loaded->config.routes[0].cors.value();
    EXPECT_THAT(first.origins, ElementsAre("https://a.example", "http://b:81"));
    EXPECT_TRUE(first.credentials);
    EXPECT_EQ(first.max_age, 10min);
    EXPECT_FALSE(first.any_origin());
    EXPECT_TRUE(loaded->config.routes[1].cors->any_origin());
    EXPECT_EQ(loaded->config.routes[1].cors->max_age, 24h);
    expect_stable(loaded->config);
}

TEST(Cors, EachMistakeHasItsPlaceAndItsRemedy) {
    const auto cors = [](std::string_view settings) {
        return said(route(
            std::string("caller: { header: U }\n    cors: { ").append(settings).append(" }")));
    };
    EXPECT_THAT(cors("credentials: true"),
                ElementsAre("f:7:11: error: no page of another origin is named; write `origins: "
                            "[https://shop.example]`, or `*` for any"));
    EXPECT_THAT(cors("origins: \"*\", credentials: true"),
                ElementsAre(HasSubstr("f:7:40: error: any page could act in the name")));
    EXPECT_THAT(cors("origins: [https://a.example, \"null\"], credentials: true"),
                ElementsAre(HasSubstr("error: any page could act in the name of whoever looks at "
                                      "it: `null` is the origin of every sandboxed frame; remove "
                                      "`\"null\"` or `credentials`")));
    EXPECT_THAT(cors("origins: [\"*\", https://a.example]"),
                ElementsAre(HasSubstr("`*` is every origin already")));
    for (const std::string_view origin :
         {"https://A.example", "https://a.example/", "https://a.example:443", "http://a.example:80",
          "a.example", "https://", "https://a b", "https://*.example", "https://a.example:"})
        EXPECT_THAT(cors("origins: [\"" + std::string(origin) + "\"]"),
                    ElementsAre(HasSubstr("is no origin as browsers write it")))
            << origin;
    for (const std::string_view origin : {"https://a.example:80", "http://a.example:443", "null",
                                          "http://[::1]:3000", "chrome-extension://abcdef"})
        EXPECT_THAT(cors("origins: [\"" + std::string(origin) + "\"]"), IsEmpty()) << origin;
    EXPECT_THAT(cors("origins: null, headers: [\"*\"]"), Not(IsEmpty()));
    EXPECT_THAT(cors("origins: [\"null\"], headers: [\"*\"], expose: [\"a b\"]"),
                ElementsAre(HasSubstr("`*` is not the name of a header"),
                            HasSubstr("`a b` is not the name of a header")));
    EXPECT_THAT(cors("origins: [\"null\"], max_age: 86401s"),
                ElementsAre(HasSubstr("write at most 1d")));
}

TEST(Tenant, IsOneNameOrWhatSaysIt) {
    const auto loaded = [](std::string_view top, std::string_view own) {
        auto read = load_config(
            route(
                std::string("caller: { header: U }").append(own),
                std::string("callers: { main: { jwt: { algorithm: RS256, key: { file: k } } } }\n")
                    .append(top)),
            {});
        EXPECT_TRUE(read) << shown("f", read.error().front());
        if (read) expect_stable(read->config);
        return read ? read->config : Config{};
    };
    using Source = policy::TenantRule::Source;
    EXPECT_EQ(loaded("tenant: shop\n", "").tenant, "shop");
    EXPECT_FALSE(loaded("tenant: shop\n", "").routes[0].tenant);
    const Config by_header = loaded("tenant: { header: X-Tenant }\n", "");
    EXPECT_EQ(by_header.routes[0].tenant->source, Source::header);
    EXPECT_EQ(by_header.routes[0].tenant->name, "X-Tenant");
    const Config own =
        loaded("tenant: { header: X-Tenant }\n", "\n    tenant: { jwt: main, claim: org }");
    EXPECT_EQ(own.routes[0].tenant->source, Source::jwt);
    EXPECT_EQ(own.routes[0].tenant->claim, "org");
    EXPECT_EQ(loaded("", "\n    tenant: { host: true }").routes[0].tenant->source, Source::host);
}

TEST(Tenant, EachMistakeHasItsPlaceAndItsRemedy) {
    const auto tenant = [](std::string_view written) {
        return said(route(std::string("caller: { header: U }\n    tenant: ").append(written)));
    };
    EXPECT_THAT(tenant("shop"), ElementsAre(HasSubstr("f:7:13: error: `tenant` of a route names "
                                                      "what says it")));
    EXPECT_THAT(tenant("{ }"), ElementsAre(HasSubstr("`tenant` needs one way of knowing it")));
    EXPECT_THAT(tenant("{ header: X, host: true }"),
                ElementsAre(HasSubstr("`tenant` needs one way of knowing it")));
    EXPECT_THAT(tenant("{ host: false }"),
                ElementsAre(HasSubstr("`tenant` needs one way of knowing it")));
    EXPECT_THAT(tenant("{ header: X, claim: org }"),
                ElementsAre(HasSubstr("`claim` speaks of a token, and none is named")));
    EXPECT_THAT(tenant("{ jwt: main }"),
                testing::Contains(HasSubstr("`jwt` does not say which member names the tenant")));
    EXPECT_THAT(tenant("{ jwt: main, claim: org }"),
                ElementsAre(HasSubstr("f:7:13: error: `callers` has no `main` with `jwt`")));
    for (const std::string_view name : {"Host", "Authorization", "Cookie", "Pawl-Tenant", "TE"})
        EXPECT_THAT(tenant("{ header: " + std::string(name) + " }"),
                    ElementsAre(HasSubstr("cannot name a tenant")));
}

TEST(UpstreamTls, IsOfHttpsUpstreamsAloneAndReadWhenTheSecretsAre) {
    const auto with = [](std::string_view top, std::string_view upstream, std::string_view own) {
        std::string text = route(std::string("caller: { header: U }").append(own), top);
        return text.replace(text.find("demo"), 4, upstream);
    };
    auto loaded = load_config(with("upstream_tls: { ca: a.pem, server_name: orders.internal }\n",
                                   "https://orders:8443", ""),
                              {});
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    const policy::Upstream& upstream = loaded->config.routes[0].upstream;
    ASSERT_NE(upstream.trust, nullptr);
    EXPECT_EQ(upstream.trust, loaded->config.upstream_tls);
    EXPECT_EQ(upstream.trust->ca.file, "a.pem");
    EXPECT_EQ(upstream.trust->server_name, "orders.internal");
    expect_stable(loaded->config);
    EXPECT_THAT(read_secrets(loaded->config).error().text,
                HasSubstr("the file `a.pem` of `upstream_tls.ca` cannot be read"));
    loaded = load_config(with("upstream_tls: { ca: a.pem }\n", "https://orders",
                              "\n    upstream_tls: { ca: b.pem, certificate: c, key: k }"),
                         {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->config.routes[0].upstream.trust->ca.file, "b.pem");
    expect_stable(loaded->config);
    EXPECT_THAT(said(with("", "http://orders", "\n    upstream_tls: { ca: b.pem }")),
                ElementsAre(HasSubstr("speaks of an upstream without TLS")));
    EXPECT_THAT(said(with("", "https://orders", "\n    upstream_tls: { certificate: c }")),
                ElementsAre(HasSubstr("a certificate and its key belong together")));
    EXPECT_THAT(said(with("", "https://orders", "\n    upstream_tls: { server_name: \"a:1\" }")),
                ElementsAre(HasSubstr("`a:1` is not the name of a server")));
    EXPECT_THAT(said(with("", "https://orders", "\n    upstream_tls: { }")),
                ElementsAre(HasSubstr("`upstream_tls` says nothing")));
}

}  // namespace
}  // namespace pawl::config
