// SPDX-License-Identifier: Apache-2.0
// Reports of outcomes over a store in memory, without a socket: who is believed, about which fence, and what a
// second report is told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "core/caller/report_signature.hpp"
#include "runtime/task/run_here.hpp"
#include "store/memory/simulated_records.hpp"
#include "surface/api/callback_port.hpp"
#include "surface/api/operation_status.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using gateway::Heard;

constexpr std::string_view kSecret = "the secret of the upstream";

std::shared_ptr<const gateway::Routes> routes() {
    std::vector<policy::Route> routes(2);
    routes[0].name = "orders";
    routes[0].path = "/orders";
    routes[0].answer_bytes_max = 100;
    routes[0].uncertain.callback.emplace().value = kSecret;
    routes[1].name = "quiet";
    routes[1].path = "/quiet";
    for (policy::Route& route : routes) {
        route.method = "POST";
        route.upstream = {.host = "127.0.0.1", .port = 1};
        route.key.source = policy::KeyRule::Source::header;
    }
    return std::make_shared<const gateway::Routes>(*policy::RouteTable::build(std::move(routes)),
                                                   std::nullopt);
}

class CallbackPortTest : public testing::Test {
  protected:
    template <class T>
    T run(Task<T> task) {
        return run_here(system, std::move(task));
    }
    record::Row apply(record::Call call) { return run(records.apply(std::move(call)))->row; }
    record::Claim claim_of(const std::string& key, std::string operation, std::uint8_t number) {
        record::Claim claim;
        claim.identity = sha256(key);
        claim.claim.bytes[0] = number;
        claim.owner = {"node-a:8080", 7};
        claim.lease_ms = 30'000;
        claim.keep = {60'000, 120'000};
        claim.operation = std::move(operation);
        return claim;
    }
    // A record that waits for evidence.
    record::Row doubt(const std::string& key, std::string operation = "orders",
                      std::uint8_t number = 1) {
        const record::Claim claim = claim_of(key, std::move(operation), number);
        const record::Row row = apply(claim);
        return apply(record::Suspect{claim.identity, claim.claim, row.fence, false});
    }
    record::Row row(const std::string& key) {
        const auto stored = *run(records.read(sha256(key)));
        return stored ? stored->row : record::Row{};
    }
    std::string signature(const std::string& key, const std::string& body) {
        return caller::sign_report(kSecret, record::reference_of(sha256(key)), body,
                                   milliseconds_of(system.loop().clock().wall()) / 1'000);
    }
    http::Response report(const std::string& key, const std::string& body,
                          std::optional<std::string> signed_with = {}) {
        http::Request request;
        request.head.method = "POST";
        request.head.headers = {
            {std::string(caller::kSignatureHeader), signed_with.value_or(signature(key, body))}};
        request.body = body;
        return run(port.take(sha256(key), std::move(request)));
    }
    static std::string applied(record::Fence fence, std::string body = "made") {
        return json::serialize(json::object{{"fence", std::to_string(fence.number)},
                                            {"outcome", "applied"},
                                            {"status", 201},
                                            {"headers", {{"Location", "/orders/1"}}},
                                            {"body", body}});
    }
    static std::string not_applied(record::Fence fence, bool closed) {
        return json::serialize(
            json::object{{"fence", fence.number}, {"outcome", "not-applied"}, {"closed", closed}});
    }
    static std::string code(const http::Response& response) {
        const json::value document = json::parse(response.body);
        const json::value* found = document.as_object().if_contains("code");
        return found == nullptr ? "" : std::string(found->as_string());
    }
    std::uint64_t heard(Heard word) { return figures.of(word).value(); }

    SystemLoop system;
    store::MemoryRecords records{system.loop()};
    gateway::HomeFigures home_figures;
    gateway::Home home{system.loop(), records, {"node-a:8080", 7}, {}, home_figures};
    gateway::CallbackFigures figures;
    CallbackPort port{system.loop(), records, {&home}, routes(), figures};
};

TEST_F(CallbackPortTest, AppliedBecomesTheResult) {
    const record::Row before = doubt("k");
    const http::Response response = report("k", applied(before.fence));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(row("k").state, record::State::completed);
    EXPECT_EQ(row("k").settled->source, record::Source::callback);
    const auto stored = *run(records.read(sha256("k")));
    EXPECT_EQ(stored->answer->status, 201);
    EXPECT_EQ(stored->answer->body, "made");
    EXPECT_EQ(http::first_of(stored->answer->headers, "Location"), "/orders/1");
    const auto timeline = *run(records.timeline(sha256("k")));
    ASSERT_FALSE(timeline.empty());
    EXPECT_EQ(timeline.back().detail, "the upstream reported applied, status 201");
}

TEST_F(CallbackPortTest, ARepeatGetsTheSameAnswerAndChangesNothing) {
    const record::Row before = doubt("k");
    const http::Response first = report("k", applied(before.fence));
    const record::Row settled = row("k");
    const http::Response repeat = report("k", applied(before.fence));
    EXPECT_EQ(repeat.status, first.status);
    EXPECT_EQ(repeat.body, first.body);
    EXPECT_EQ(row("k"), settled);
    EXPECT_EQ(heard(Heard::taken), 1);
    EXPECT_EQ(heard(Heard::repeated), 1);
    const record::Row freed = doubt("other");
    const http::Response closed = report("other", not_applied(freed.fence, true));
    EXPECT_EQ(closed.status, 200);
    EXPECT_EQ(row("other").state, record::State::freed);
    EXPECT_EQ(report("other", not_applied(freed.fence, true)).body, closed.body);
    EXPECT_EQ(heard(Heard::repeated), 2);
}

TEST_F(CallbackPortTest, WhatContradictsIsRefusedAndCounted) {
    const record::Row done = doubt("done");
    EXPECT_EQ(report("done", applied(done.fence)).status, 200);
    EXPECT_EQ(code(report("done", not_applied(done.fence, true))), "conflict");
    EXPECT_EQ(code(report("done", not_applied(done.fence, false))), "conflict");
    EXPECT_EQ(code(report("done", applied(done.fence, "made otherwise"))), "conflict");
    const record::Row freed = doubt("freed");
    EXPECT_EQ(report("freed", not_applied(freed.fence, true)).status, 200);
    const http::Response late = report("freed", applied(freed.fence));
    EXPECT_EQ(late.status, 409);
    EXPECT_EQ(code(late), "conflict");
    EXPECT_EQ(row("freed").state, record::State::freed);
    EXPECT_EQ(heard(Heard::contradicts), 4);
}

TEST_F(CallbackPortTest, AnOwnersAnswerStaysAndTheReportAgrees) {
    const record::Claim claim = claim_of("k", "orders", 1);
    const record::Fence fence = apply(claim).fence;
    apply(record::Complete{claim.identity, claim.claim, fence, {.status = 200, .body = "its own"}});
    EXPECT_EQ(report("k", applied(fence)).status, 200);
    EXPECT_EQ(row("k").settled->source, record::Source::owner);
    EXPECT_EQ(heard(Heard::repeated), 1);
}

TEST_F(CallbackPortTest, ItIsAboutItsFenceOnly) {
    const record::Row first = doubt("k");
    EXPECT_EQ(report("k", not_applied(first.fence, true)).status, 200);
    const record::Row second = doubt("k", "orders", 2);
    ASSERT_GT(second.fence, first.fence);
    const http::Response late = report("k", not_applied(first.fence, true));
    EXPECT_EQ(late.status, 409);
    EXPECT_EQ(code(late), "conflict");
    EXPECT_EQ(code(report("k", applied(first.fence))), "conflict");
    EXPECT_EQ(row("k"), second);
    EXPECT_EQ(heard(Heard::other_fence), 2);
    EXPECT_EQ(report("k", applied(second.fence)).status, 200);
}

TEST_F(CallbackPortTest, WithoutClosingItIsAHintThatFreesNothing) {
    const record::Row before = doubt("k");
    EXPECT_EQ(report("k", not_applied(before.fence, false)).status, 202);
    EXPECT_EQ(row("k"), before);
    EXPECT_EQ(heard(Heard::noted), 1);
}

TEST_F(CallbackPortTest, WhatIsSaidAgainAndAgainIsOneLine) {
    const record::Row first = doubt("k");
    EXPECT_EQ(report("k", not_applied(first.fence, true)).status, 200);
    const record::Row before = doubt("k", "orders", 2);
    const auto lines = [&] { return run(records.timeline(sha256("k")))->size(); };
    const std::size_t already = lines();
    for (int time = 0; time < 20; ++time) {
        EXPECT_EQ(report("k", not_applied(before.fence, false)).status, 202);
        EXPECT_EQ(report("k", applied(first.fence, std::to_string(time))).status, 409);
        const record::Fence any{before.fence.number + 1 + static_cast<std::uint64_t>(time)};
        EXPECT_EQ(report("k", applied(any)).status, 409);
    }
    EXPECT_EQ(lines(), already + 2);
    EXPECT_EQ(report("k", not_applied(first.fence, false)).status, 409);
    EXPECT_EQ(lines(), already + 3) << "another thing is said";
    EXPECT_EQ(heard(Heard::noted), 20);
    EXPECT_EQ(heard(Heard::other_fence), 41);
}

TEST_F(CallbackPortTest, WhileTheAttemptRunsItIsToComeAgain) {
    const record::Row running = apply(claim_of("k", "orders", 1));
    const http::Response response = report("k", applied(running.fence));
    EXPECT_EQ(response.status, 409);
    EXPECT_EQ(code(response), "in_progress");
    EXPECT_FALSE(http::first_of(response.headers, "Retry-After").empty());
    EXPECT_EQ(row("k"), running);
}

TEST_F(CallbackPortTest, OnlyWhoKnowsTheSecretIsBelieved) {
    const record::Row before = doubt("k");
    const std::string body = applied(before.fence);
    const auto now_s = milliseconds_of(system.loop().clock().wall()) / 1'000;
    const std::string ref = record::reference_of(sha256("k"));
    for (const std::string& bad :
         {std::string("t=1,v1=00"), signature("another", body), signature("k", body + " "),
          caller::sign_report("a secret of somebody else", ref, body, now_s),
          caller::sign_report(kSecret, ref, body, now_s - 301)}) {
        const http::Response response = report("k", body, bad);
        EXPECT_EQ(response.status, 401) << bad;
        EXPECT_EQ(code(response), "caller_unknown");
    }
    EXPECT_EQ(row("k"), before);
    EXPECT_EQ(heard(Heard::refused), 5);
}

TEST_F(CallbackPortTest, ARouteWithoutTheSettingTakesNone) {
    const record::Row before = doubt("k", "quiet");
    EXPECT_EQ(code(report("k", applied(before.fence))), "forbidden");
    const record::Row gone = doubt("g", "a route of last year");
    EXPECT_EQ(code(report("g", applied(gone.fence))), "forbidden");
    EXPECT_EQ(row("k"), before);
    EXPECT_EQ(code(report("never was", applied(before.fence))), "not_found");
}

TEST_F(CallbackPortTest, AnAnswerIsHeldToWhatRepeatsMayGet) {
    const record::Row before = doubt("k");
    const std::string body = json::serialize(
        json::object{{"fence", before.fence.number},
                     {"outcome", "applied"},
                     {"status", 201},
                     {"headers", {{"Set-Cookie", "a=1"}, {"Content-Type", "text/plain"}}},
                     {"body", std::string(100, 'x')}});
    EXPECT_EQ(report("k", body).status, 200);
    auto stored = *run(records.read(sha256("k")));
    EXPECT_EQ(http::first_of(stored->answer->headers, "Set-Cookie"), "");
    EXPECT_TRUE(stored->answer->body_kept);
    const record::Row other = doubt("long");
    EXPECT_EQ(report("long", applied(other.fence, std::string(101, 'x'))).status, 200);
    stored = *run(records.read(sha256("long")));
    EXPECT_FALSE(stored->answer->body_kept);
}

TEST_F(CallbackPortTest, WhatIsHalfUnderstoodIsRefused) {
    const record::Row before = doubt("k");
    const std::string fence = std::to_string(before.fence.number);
    for (
        const std::string& bad : {
            std::string(),
            std::string("[]"),
            std::string(R"({"outcome":"applied"})"),
            std::string(R"({"fence":"0","outcome":"applied"})"),
            std::string(R"({"fence":"-1","outcome":"applied"})"),
            std::string(R"({"fence":1.5,"outcome":"applied"})"),
            std::string(R"({"fence":"18446744073709551616","outcome":"applied"})"),
            fmt::format(R"({{"fence":"{}"}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"not_applied"}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"applied","closed":true}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"not-applied","status":200}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"applied","body":"x"}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"applied","status":99}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"applied","why":"x"}})", fence),
            fmt::format(R"({{"fence":"{}","outcome":"applied","outcome":"not-applied"}})", fence),
            fmt::format(R"({{"fence":"1","fence":"{}","outcome":"applied"}})", fence),
            fmt::format(
                R"({{"fence":"{}","outcome":"applied","status":200,"headers":{{"A":"1","A":"2"}}}})",
                fence),
        }) {
        const http::Response response = report("k", bad);
        EXPECT_EQ(response.status, 400) << bad;
        EXPECT_EQ(code(response), "request_invalid") << bad;
    }
    EXPECT_EQ(row("k"), before);
}

TEST_F(CallbackPortTest, IsPlannedByTheHeadAlone) {
    http::RequestHead head{"POST", "", 1, {}};
    const auto refusal = [this, &head] {
        return code(std::get<http::Response>(port.plan(head).step));
    };
    EXPECT_EQ(refusal(), "caller_unknown");
    head.headers = {{"Pawl-Signature", "t=1,v1=00"}};
    const http::Plan plan = port.plan(head);
    ASSERT_TRUE(std::holds_alternative<http::Whole>(plan.step));
    EXPECT_GT(std::get<http::Whole>(plan.step).body_bytes_max, 64U << 10);
    head.headers.emplace_back("Pawl-Signature", "t=1,v1=00");
    EXPECT_EQ(refusal(), "caller_unknown");
    port.reload(
        std::make_shared<const gateway::Routes>(*policy::RouteTable::build({}), std::nullopt));
    EXPECT_EQ(refusal(), "forbidden");
}

TEST(ReportedIn, OnlyAnOutcomeOfAnOperation) {
    const std::string ref = record::reference_of(sha256("k"));
    const std::string prefix(kOperationsPrefix);
    EXPECT_EQ(reported_in(prefix + ref + "/outcome"), sha256("k"));
    EXPECT_FALSE(reported_in(prefix + ref));
    EXPECT_FALSE(reported_in(prefix + "outcome"));
    EXPECT_FALSE(reported_in(prefix + "/outcome"));
    EXPECT_FALSE(reported_in("/orders/" + ref + "/outcome"));
}

}  // namespace
}  // namespace pawl::api
