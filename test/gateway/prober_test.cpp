// SPDX-License-Identifier: Apache-2.0
// Which uncertain records are asked about, and when: V1 says that each settles in bounded time where there is
// evidence, whatever lies before it.
#include <gtest/gtest.h>

#include "core/key/identity.hpp"
#include "core/policy/compiled_route.hpp"
#include "gateway/prober.hpp"
#include "home_fixture.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;

// An upstream per port: it settles, has no word, or hangs.
class FakeAsker final : public Asker {
  public:
    explicit FakeAsker(Loop& loop) : loop_(loop) {}
    Task<effect::Found> ask(http::Target target, http::Request request,
                            MonotonicTime give_up) override {
        ++asked[target.port];
        last = std::move(request.head);
        effect::Found found;
        if (hanging == target.port) {
            co_await loop_.sleep_until(give_up);
            co_return found;
        }
        found.kind = effect::Kind::answered;
        found.answer.status = ++answers <= without_word ? 500 : 200;
        co_return found;
    }

    std::map<std::uint16_t, int> asked;
    http::RequestHead last;
    std::uint16_t hanging = 0;
    int answers = 0;
    int without_word = 0;

  private:
    Loop& loop_;
};

class NoEffects final : public EffectSource {
  public:
    std::unique_ptr<effect::Effect> make(const policy::Route&, std::shared_ptr<const http::Request>,
                                         http::Peer) override {
        return nullptr;
    }
};

class ProberTest : public HomeTest {
  protected:
    static policy::Route route(std::string name, std::uint16_t port) {
        policy::Route route;
        route.name = std::move(name);
        route.method = "POST";
        route.path = "/" + route.name;
        route.upstream = {.host = "127.0.0.1", .port = port};
        route.uncertain.close = "POST /close/{operation_key}";
        return route;
    }
    void doubt(const std::string& key, const std::string& name) {
        Operation one = operation(key);
        one.claim.operation = name;
        upstream.scripts = {{.kind = effect::Kind::no_answer}};
        ask(std::move(one));
        ASSERT_EQ(row(key).state, record::State::uncertain);
    }
    void pass_for(std::chrono::nanoseconds time) {
        clients.spawn([](Prober& prober, Loop& on, MonotonicTime end) -> Task<void> {
            while (on.now() < end) {
                co_await prober.pass();
                co_await on.sleep_for(1s);
            }
        }(prober_, loop, clock.now + time));
        poll();
        advance(time);
    }
    void serve(std::vector<policy::Route> routes) {
        auto table = policy::RouteTable::build(std::move(routes));
        ASSERT_TRUE(table) << table.error().text;
        prober_.reload(std::make_shared<const Routes>(std::move(*table), std::nullopt));
    }

    NoEffects effects_;
    FakeAsker asker_{loop};
    ProberFigures probed_;
    Prober prober_{loop, records, {{home(), effects_}}, asker_, probed_};
};

TEST_F(ProberTest, AnUpstreamThatHangsDelaysOnlyItsOwn) {
    serve({route("hangs", 1), route("works", 2)});
    for (int i = 0; i < 20; ++i) doubt("h" + std::to_string(i), "hangs");
    doubt("k", "works");
    asker_.hanging = 1;
    pass_for(3s);
    EXPECT_EQ(row("k").state, record::State::completed);
    doubt("later", "works");
    pass_for(15s);
    EXPECT_EQ(row("later").state, record::State::completed);
}

TEST_F(ProberTest, AThousandThatCannotBeSettledHideNoneThatCan) {
    constexpr int kStuck = 1'010;
    serve({route("orders", 1)});
    for (int i = 0; i < kStuck; ++i) doubt("s" + std::to_string(i), "orders");
    clock.now += 1s;
    doubt("youngest", "orders");
    asker_.without_word = 1'000'000;
    pass_for(60s);
    ASSERT_EQ(row("youngest").state, record::State::uncertain);
    EXPECT_GE(asker_.asked[1], kStuck + 1);
    EXPECT_TRUE(row("youngest").state == record::State::uncertain);
    asker_.without_word = 0;
    pass_for(120s);
    EXPECT_EQ(row("youngest").state, record::State::completed);
    EXPECT_EQ(row("s1009").state, record::State::completed);
}

TEST_F(ProberTest, TheUpstreamIsToldWhichVersionItIsAskedAbout) {
    serve({route("orders", 1)});
    Operation one = operation("k");
    one.claim.operation = "orders";
    one.claim.stamp = record::parse_stamp("007").value();
    upstream.scripts = {{.kind = effect::Kind::no_answer}};
    ask(std::move(one));
    pass_for(2s);
    EXPECT_EQ(row("k").state, record::State::completed);
    EXPECT_EQ(http::first_of(asker_.last.headers, "Pawl-Version"), "7");
    EXPECT_EQ(http::first_of(asker_.last.headers, "Pawl-Operation-Key"),
              to_hex(key::derived_key(sha256("k"), "7").view()));
    doubt("plain", "orders");
    pass_for(2s);
    EXPECT_TRUE(http::values_of(asker_.last.headers, "Pawl-Version").empty());
}

}  // namespace
}  // namespace pawl::gateway
