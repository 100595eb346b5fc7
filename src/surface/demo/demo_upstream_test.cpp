// SPDX-License-Identifier: Apache-2.0
#include "surface/demo/demo_upstream.hpp"

#include <gtest/gtest.h>

#include "runtime/task/system_loop.hpp"

namespace pawl::demo {
namespace {

struct Fixture {
    SystemLoop system;
    DemoUpstream demo{system.loop()};

    http::Response ask(std::string method, std::string target, std::string body = {},
                       std::string key = {}) {
        std::optional<http::Response> answer;
        http::Request request{{std::move(method), std::move(target), 1, {}}, std::move(body)};
        if (!key.empty()) request.head.headers.emplace_back("Idempotency-Key", std::move(key));
        boost::asio::co_spawn(system.loop().executor(), demo.serve(std::move(request), {}).wait(),
                              [&answer](std::exception_ptr, http::Response response) {
                                  answer = std::move(response);
                              });
        while (!answer) {
            system.context().restart();
            system.context().run_one();
        }
        return *answer;
    }
};

TEST(DemoUpstream, EveryPostMakesAnOrderOfItsOwn) {
    Fixture at;
    const http::Response first = at.ask("POST", "/orders", R"({"item":"book"})");
    EXPECT_EQ(first.status, 201);
    EXPECT_EQ(first.body, "{\"order\":1,\"item\":\"book\"}\n");
    EXPECT_EQ(http::first_of(first.headers, "Location"), "/orders/1");
    EXPECT_EQ(at.ask("POST", "/orders", R"({"item":"book"})").body,
              "{\"order\":2,\"item\":\"book\"}\n");
    EXPECT_EQ(at.demo.orders_taken(), 2U);
}

TEST(DemoUpstream, ListsWhatItTook) {
    Fixture at;
    at.ask("POST", "/orders?from=web", "not json");
    EXPECT_EQ(at.ask("GET", "/orders").body,
              "{\"count\":1,\"orders\":[{\"order\":1,\"item\":\"something\"}]}\n");
    EXPECT_EQ(at.ask("GET", "/orders/1").status, 200);
    EXPECT_EQ(at.ask("GET", "/orders/2").status, 404);
    EXPECT_EQ(at.ask("GET", "/orders/1x").body, "{\"paid\":false}\n");
    EXPECT_EQ(at.ask("DELETE", "/orders").status, 404);
}

TEST(DemoUpstream, DoesWhatASagaAsksOncePerKey) {
    Fixture at;
    EXPECT_EQ(at.ask("POST", "/refunds", "{}", "r-1").body, "{\"done\":true,\"asked\":1}\n");
    EXPECT_EQ(at.ask("POST", "/refunds", "{}", "r-1").body, "{\"done\":true,\"asked\":2}\n");
    at.ask("POST", "/bills", "{}", "r-1");
    EXPECT_EQ(at.ask("GET", "/refunds").body,
              "{\"count\":1,\"refunds\":[{\"key\":\"r-1\",\"asked\":2}]}\n");
    EXPECT_EQ(at.demo.deeds_done(), 2U);
}

TEST(DemoUpstream, FailsAfterTheEffectWhenAskedTo) {
    Fixture at;
    EXPECT_EQ(at.ask("POST", "/orders", R"({"item":"lamp","fail":"after"})").status, 500);
    EXPECT_EQ(at.demo.orders_taken(), 1U);
}

TEST(DemoUpstream, RemembersNoMoreThanItsBound) {
    Fixture at;
    for (std::size_t i = 0; i <= kOrdersMax; ++i) at.ask("POST", "/orders", "{}");
    EXPECT_EQ(at.ask("GET", "/orders/1").status, 404);
    EXPECT_EQ(at.ask("GET", "/orders/2").status, 200);
    EXPECT_EQ(at.ask("GET", "/orders/10001").status, 200);
}

}  // namespace
}  // namespace pawl::demo
