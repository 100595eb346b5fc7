// SPDX-License-Identifier: Apache-2.0
// The admin port over a store in memory, without a socket: looks, words, readiness, access.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "runtime/task/run_here.hpp"
#include "store/memory/simulated_records.hpp"
#include "surface/api/admin_service.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

const Digest kIdentity = sha256("an operation");
const record::Owner kOwner{"node-a:8080", 7};

std::shared_ptr<const gateway::Routes> no_routes() {
    return std::make_shared<const gateway::Routes>(*policy::RouteTable::build({}), std::nullopt);
}

struct AdminPort {
    explicit AdminPort(AdminSetup setup = {}) {
        setup.note_patience = {};
        setup.homes = {&home};
        setup.figures = {&figures};
        service.emplace(system.loop(), group, records, std::move(setup), no_routes());
    }

    template <class T>
    T run(Task<T> task) {
        return run_here(system, std::move(task));
    }
    store::Reply apply(record::Call call) { return *run(records.apply(std::move(call))); }

    // A claim whose request may have left. Its owner says that it will learn no more, or is silent.
    record::Row uncertain(std::int64_t horizon_ms, bool owner_speaks = true) {
        record::Claim claim;
        claim.identity = kIdentity;
        claim.claim.bytes[0] = 1;
        claim.owner = kOwner;
        claim.lease_ms = owner_speaks ? 30'000 : 0;
        claim.horizon_ms = horizon_ms;
        claim.keep = {60'000, 120'000};
        claim.operation = "create-order";
        claim.key_label = "k\x1b[1m";
        claim.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
        const record::Row row = apply(claim).row;
        if (owner_speaks) return apply(record::Suspect{kIdentity, claim.claim, row.fence}).row;
        return apply(record::Lapse{kIdentity, row.fence}).row;
    }

    http::Response ask(std::string method, std::string target, std::string body = {},
                       http::Headers headers = {}) {
        headers.emplace_back("Content-Type", "application/json");
        http::Request request{{std::move(method), std::move(target), 1, std::move(headers)},
                              std::move(body)};
        http::Peer peer;
        peer.address = "192.0.2.1";
        http::Plan plan = service->plan(request.head, peer);
        if (auto* refused = std::get_if<http::Response>(&plan.step)) return std::move(*refused);
        return run(service->serve(std::move(request), peer).wait());
    }
    json::object document(const http::Response& response) {
        return json::parse(response.body).as_object();
    }
    http::Response resolve(json::object more) {
        more["ref"] = record::reference_of(kIdentity);
        more["reason"] = "seen in the ledger";
        more["by"] = "ada";
        return ask("POST", "/admin/v1/resolve", json::serialize(more));
    }

    SystemLoop system;
    store::MemoryRecords records{system.loop()};
    gateway::HomeFigures figures;
    gateway::Home home{system.loop(), records, kOwner, {}, figures};
    TaskGroup group{system.loop()};
    std::optional<AdminService> service;
};

TEST(Resolve, AppliedWithAnAnswerIsWhatRepeatsGet) {  // R-UNCERTAIN, R-EXPLAIN
    AdminPort port;
    port.uncertain(0);
    const auto done = port.resolve({{"outcome", "applied"},
                                    {"status", 201},
                                    {"body", "{\"order\":1}"},
                                    {"headers", {{"Location", "/orders/1"}}}});
    EXPECT_EQ(done.status, 200);
    EXPECT_EQ(port.document(done)["outcome"], "applied");
    const auto stored = port.run(port.records.read(kIdentity));
    ASSERT_TRUE(stored && *stored && (*stored)->answer);
    EXPECT_EQ((*stored)->row.state, record::State::completed);
    EXPECT_EQ((*stored)->row.settled->source, record::Source::person);
    EXPECT_EQ((*stored)->answer->status, 201);
    EXPECT_EQ((*stored)->answer->body, "{\"order\":1}");
    const std::vector<std::pair<std::string, std::string>> headers{
        {"Location", "/orders/1"}, {"Content-Type", "application/json"}};
    EXPECT_EQ((*stored)->answer->headers, headers);
}

TEST(Resolve, AnAnswerThatNoRepeatMayCarryChangesNothing) {
    AdminPort port;
    port.uncertain(0);
    const auto cookie = port.resolve(
        {{"outcome", "applied"}, {"status", 201}, {"headers", {{"Set-Cookie", "a=1"}}}});
    EXPECT_EQ(cookie.status, 400);
    EXPECT_EQ(port.document(cookie)["code"], "request_invalid");
    EXPECT_NE(port.document(cookie)["detail"].as_string().find("Set-Cookie"), json::string::npos);
    const auto large = port.resolve({{"outcome", "applied"},
                                     {"status", 201},
                                     {"body", std::string(policy::kAnswerBytesMax + 1, 'x')}});
    EXPECT_EQ(large.status, 413);
    EXPECT_EQ(port.document(large)["code"], "body_too_large");
    EXPECT_EQ(port.run(port.records.read(kIdentity))->value().row.state, record::State::uncertain);
}

// What was looked at before the horizon passed may have landed since.
TEST(Resolve, NotAppliedCountsFromWhenThePersonLooked) {
    AdminPort port;
    port.uncertain(0);
    const auto early = port.resolve({{"outcome", "not_applied"}, {"looked_ms_ago", 3'600'000}});
    EXPECT_EQ(port.document(early)["code"], "too_early");
    EXPECT_EQ(port.resolve({{"outcome", "not_applied"}, {"looked_ms_ago", 0}}).status, 200);
}

TEST(Resolve, NotAppliedIsHeldToTheOwner) {
    AdminPort port;
    port.uncertain(0, false);
    const auto refused = port.resolve({{"outcome", "not_applied"}});
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(port.document(refused)["code"], "owner_alive");
    EXPECT_NE(port.document(refused)["detail"].as_string().find("node-a:8080"), json::string::npos);
}

TEST(Resolve, NotAppliedIsHeldToTheEffectHorizon) {
    AdminPort port;
    port.uncertain(3'600'000);
    const auto refused = port.resolve({{"outcome", "not_applied"}});
    EXPECT_EQ(port.document(refused)["code"], "too_early");
    EXPECT_EQ(http::first_of(refused.headers, "Retry-After"), "3600");
    EXPECT_EQ(port.run(port.records.read(kIdentity))->value().row.state, record::State::uncertain);
}

TEST(Resolve, WithoutADeclaredHorizonItIsAlwaysTooEarly) {
    AdminPort port;
    port.uncertain(-1);
    const auto refused = port.resolve({{"outcome", "not_applied"}});
    EXPECT_EQ(port.document(refused)["code"], "too_early");
    EXPECT_NE(port.document(refused)["detail"].as_string().find("declares no effect_horizon"),
              json::string::npos);
}

TEST(Resolve, ForceOverridesAndMarksTheRecord) {
    AdminPort port;
    port.uncertain(-1, false);
    EXPECT_EQ(port.resolve({{"outcome", "not_applied"}, {"force", true}}).status, 200);
    const record::Row row = port.run(port.records.read(kIdentity))->value().row;
    EXPECT_EQ(row.state, record::State::freed);
    EXPECT_TRUE(row.forced);
}

TEST(Resolve, UnderDevAPersonsWordCountsAtOnce) {
    AdminSetup setup;
    setup.takes_word_at_once = true;
    AdminPort port(std::move(setup));
    port.uncertain(3'600'000);
    EXPECT_EQ(port.resolve({{"outcome", "not_applied"}}).status, 200);
}

TEST(Resolve, WhatIsSettledIsAConflict) {
    AdminPort port;
    port.uncertain(0);
    EXPECT_EQ(port.resolve({{"outcome", "applied"}}).status, 200);
    const auto again = port.resolve({{"outcome", "not_applied"}, {"force", true}});
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(port.document(again)["code"], "conflict");
    EXPECT_EQ(port.document(again)["state"], "tombstone");
}

TEST(Resolve, EveryWordLeavesALineRefusedOrNot) {  // R-EXPLAIN: audited
    AdminPort port;
    port.uncertain(-1);
    port.resolve({{"outcome", "not_applied"}});
    port.resolve({{"outcome", "applied"}});
    port.records.shelf().tend();
    const auto timeline = port.run(port.records.timeline(kIdentity));
    ASSERT_TRUE(timeline);
    ASSERT_EQ(timeline->size(), 2U);
    EXPECT_EQ(timeline->at(0).outcome, "too_early");
    EXPECT_EQ(timeline->at(1).outcome, "stored");
    EXPECT_EQ(timeline->at(1).detail, "applied by ada from 192.0.2.1: seen in the ledger");
}

TEST(Forget, IsRefusedWhileTheOutcomeIsUnknown) {
    AdminPort port;
    port.uncertain(0);
    const std::string body = json::serialize(
        json::object{{"ref", record::reference_of(kIdentity)}, {"reason", "again"}});
    const auto refused = port.ask("POST", "/admin/v1/forget", body);
    EXPECT_EQ(port.document(refused)["code"], "conflict");
    port.resolve({{"outcome", "applied"}});
    EXPECT_EQ(port.document(port.ask("POST", "/admin/v1/forget", body))["outcome"], "forgotten");
    EXPECT_FALSE(port.run(port.records.read(kIdentity))->has_value());
    // Who and why outlive the row, and are found by reference and by key.
    for (const std::string& target :
         {"ref=" + record::reference_of(kIdentity), std::string("key=k%1B%5B1m")}) {
        const auto found = port.ask("GET", "/admin/v1/explain?" + target);
        ASSERT_EQ(found.status, 200) << target;
        const json::value gone = port.document(found)["records"].at(0);
        EXPECT_EQ(gone.at("state"), "absent");
        EXPECT_EQ(gone.at("meaning"), "nothing is recorded any more; its timeline says why");
        EXPECT_FALSE(gone.as_object().contains("created_at"));
        ASSERT_EQ(gone.at("timeline").as_array().size(), 1U);
        EXPECT_EQ(gone.at("timeline").at(0).at("detail"),
                  "forgotten by someone from 192.0.2.1: again");
    }
    EXPECT_EQ(port.ask("POST", "/admin/v1/forget", body).status, 404);
}

TEST(Explain, FindsByReferenceKeyAndTrace) {
    AdminPort port;
    port.uncertain(0);
    for (const std::string& target :
         {"ref=" + record::reference_of(kIdentity), std::string("key=k%1B%5B1m"),
          std::string("q=k%1B%5B1m"), std::string("trace_id=4bf92f3577b34da6a3ce929d0e0e4736"),
          std::string("q=4bf92f3577b34da6a3ce929d0e0e4736")}) {
        const auto found = port.ask("GET", "/admin/v1/explain?" + target);
        ASSERT_EQ(found.status, 200) << target;
        EXPECT_EQ(port.document(found)["records"].at(0).at("state"), "uncertain") << target;
    }
    EXPECT_EQ(port.ask("GET", "/admin/v1/explain?key=K").status, 404);
    EXPECT_EQ(port.ask("GET", "/admin/v1/explain?ref=op_x").status, 400);
    EXPECT_EQ(port.ask("GET", "/admin/v1/explain").status, 400);
}

TEST(Uncertain, IsListedUpToTheLimitAndSaysWhenThereIsMore) {
    AdminPort port;
    port.uncertain(0);
    const auto listed =
        port.document(port.ask("GET", "/admin/v1/uncertain?limit=1&route=create-order"));
    EXPECT_EQ(listed.at("records").as_array().size(), 1U);
    EXPECT_EQ(listed.at("more"), false);
    const auto young = port.document(port.ask("GET", "/admin/v1/uncertain?older_ms=60000"));
    EXPECT_TRUE(young.at("records").as_array().empty());
    EXPECT_EQ(young.at("in_all"), 1) << "a filter that nothing fits is not the end of doubt";
    for (const std::string_view query :
         {"limit=many", "limit=0", "limit=-1", "older_ms=x", "open=1"})
        EXPECT_EQ(port.ask("GET", fmt::format("/admin/v1/uncertain?{}", query)).status, 400)
            << query;
}

TEST(Uncertain, OfARouteThatNobodyConfiguredSaysSo) {
    AdminPort port;
    port.uncertain(0);
    const auto none = port.ask("GET", "/admin/v1/uncertain?route=create-oder");
    EXPECT_EQ(none.status, 404);
    EXPECT_NE(port.document(none)["detail"].as_string().find("No route is called `create-oder`"),
              json::string::npos);
    EXPECT_EQ(port.ask("GET", "/admin/v1/uncertain?route=create-order").status, 200)
        << "configured no more, and still with an operation";
}

TEST(Totals, AreCounted) {
    AdminPort port;
    port.uncertain(0);
    EXPECT_EQ(port.document(port.ask("GET", "/admin/v1/totals"))["uncertain"], 1);
}

TEST(Ready, IsRedWhileResultsWaitForTheStore) {
    AdminPort port;
    EXPECT_EQ(port.ask("GET", "/readyz").status, 200);
    port.figures.settling.set(2);
    const auto red = port.ask("GET", "/readyz");
    EXPECT_EQ(red.status, 503);
    EXPECT_EQ(port.document(red)["ready"], false);
    EXPECT_EQ(port.document(red)["reasons"].at(0),
              "2 finished operations wait for the store to take their result");
}

TEST(Ready, SaysOfUpkeepThatFailsAndStaysGreen) {
    AdminPort port;
    port.service->show({"a reload's note"});
    port.service->show_upkeep("nothing is removed");
    const auto green = port.ask("GET", "/readyz");
    EXPECT_EQ(green.status, 200);
    EXPECT_EQ(port.document(green)["notes"],
              (boost::json::array{"a reload's note", "nothing is removed"}));
    port.service->show_upkeep({});
    EXPECT_EQ(port.document(port.ask("GET", "/readyz"))["notes"].as_array().size(), 1U);
}

TEST(Ready, IsRedWhenTheStoreIsAwayAndWhenTheNodeLeaves) {
    AdminPort port;
    port.records.server().set_reachable(false);
    EXPECT_EQ(port.ask("GET", "/readyz").status, 503);
    port.records.server().set_reachable(true);
    EXPECT_EQ(port.ask("GET", "/readyz").status, 200);
    port.service->leave();
    EXPECT_EQ(port.ask("GET", "/readyz").status, 503);
    EXPECT_EQ(port.ask("GET", "/healthz").status, 200);
}

TEST(Access, NeedsTheTokenWhereThereIsOne) {
    AdminSetup setup;
    setup.token = "s3cret";
    AdminPort port(std::move(setup));
    const auto none = port.ask("GET", "/admin/v1/totals");
    EXPECT_EQ(none.status, 401);
    EXPECT_EQ(http::first_of(none.headers, "WWW-Authenticate"), "Bearer");
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {}, {{"Authorization", "Bearer s3crex"}}).status,
              403);
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {}, {{"Authorization", "Bearer s3cre"}}).status,
              403);
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {}, {{"Authorization", "Bearer s3cret"}}).status,
              200);
    EXPECT_EQ(port.ask("GET", "/readyz").status, 200);
    EXPECT_EQ(port.ask("GET", "/metrics").status, 401);
}

TEST(Access, KeepsPagesOfABrowserOut) {
    AdminPort port;
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {}, {{"Host", "localhost:8081"}}).status, 200);
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {}, {{"Host", "[::1]:8081"}}).status, 200);
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {}, {{"Host", "rebound.example:8081"}}).status,
              403);
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals", {},
                       {{"Host", "127.0.0.1:8081"}, {"Origin", "http://shop.example"}})
                  .status,
              403);
    http::RequestHead head{"POST", "/admin/v1/forget", 1, {{"Content-Type", "text/plain"}}};
    EXPECT_EQ(std::get<http::Response>(port.service->plan(head, {}).step).status, 400);
}

TEST(AdminPort, OtherPathsAndMethodsAreNamed) {
    AdminPort port;
    EXPECT_EQ(port.ask("GET", "/nothing").status, 404);
    const std::string known(port.document(port.ask("GET", "/nothing"))["detail"].as_string());
    for (const std::string_view path :
         {"/healthz", "/readyz", "/metrics", "/admin/v1/explain", "/admin/v1/uncertain",
          "/admin/v1/totals", "/admin/v1/resolve", "/admin/v1/forget"})
        EXPECT_NE(known.find(path), std::string::npos) << path;
    for (const auto& [method, path, allowed] :
         {std::tuple{"POST", "/admin/v1/totals", "GET, HEAD"},
          std::tuple{"DELETE", "/admin/v1/totals", "GET, HEAD"},
          std::tuple{"GET", "/admin/v1/resolve", "POST"},
          std::tuple{"PUT", "/admin/v1/forget", "POST"}}) {
        const auto refused = port.ask(method, path, "{}");
        EXPECT_EQ(refused.status, 405) << method << path;
        EXPECT_EQ(http::first_of(refused.headers, "Allow"), allowed);
    }
}

TEST(AdminPort, AParameterThatMeansNothingIsRefused) {
    AdminPort port;
    const auto refused = port.ask("GET", "/admin/v1/uncertain?rout=a");
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(port.document(refused)["detail"],
              "`rout` is not known here; /admin/v1/uncertain takes limit, route, older_ms, open.");
    EXPECT_EQ(port.ask("GET", "/admin/v1/totals?x=1").status, 400);
    EXPECT_EQ(port.ask("GET", "/healthz?x=1").status, 200);
}

TEST(AdminPort, EveryAnswerSaysThatItIsOne) {
    AdminSetup setup;
    setup.token = "s3cret";
    AdminPort port(std::move(setup));
    const http::Headers token{{"Authorization", "Bearer s3cret"}};
    for (const http::Response& answer :
         {port.ask("GET", "/readyz"), port.ask("GET", "/admin/v1/totals"),
          port.ask("GET", "/admin/v1/totals", {}, token), port.ask("GET", "/nothing", {}, token),
          port.ask("PUT", "/admin/v1/totals", {}, token),
          port.ask("POST", "/admin/v1/resolve", "x", token),
          port.service->refuse(413, "body_too_large", "too large")})
        EXPECT_EQ(http::first_of(answer.headers, "Pawl-Admin"), "v1")
            << answer.status << answer.body;
}

}  // namespace
}  // namespace pawl::api
