// SPDX-License-Identifier: Apache-2.0
#include "surface/api/metrics_text.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

using gateway::Seen;
using namespace std::chrono_literals;

gateway::Routes one_route(std::string name) {
    policy::Route route;
    route.name = std::move(name);
    route.method = "POST";
    route.path = "/orders";
    route.upstream.host = "127.0.0.1";
    route.key.source = policy::KeyRule::Source::header;
    return {*policy::RouteTable::build({route}), std::nullopt};
}

Counter& counter(const gateway::Routes& routes, Seen seen) {
    return routes.figures[0].requests[static_cast<std::size_t>(seen)];
}

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, CountRequestsByRouteAndHowTheyCameOut) {  // R-METRICS
    const gateway::Routes routes = one_route("create \"order\"");
    counter(routes, Seen::first).add(2);
    routes.figures[0].latency.add(300us);
    routes.figures[0].latency.add(20s);
    Measured measured;
    measured.routes = &routes;
    const std::string text = metrics_text(measured);
    EXPECT_TRUE(
        has_line(text, R"(idempotent_requests_total{route="create \"order\"",status="first"} 2)"))
        << text;
    EXPECT_TRUE(
        has_line(text, R"(idempotent_requests_total{route="create \"order\"",status="waited"} 0)"));
    EXPECT_TRUE(has_line(
        text, R"(idempotent_latency_seconds_bucket{route="create \"order\"",le="0.0005"} 1)"));
    EXPECT_TRUE(
        has_line(text, R"(idempotent_latency_seconds_bucket{route="create \"order\"",le="10"} 1)"));
    EXPECT_TRUE(has_line(
        text, R"(idempotent_latency_seconds_bucket{route="create \"order\"",le="+Inf"} 2)"));
    EXPECT_TRUE(has_line(text, R"(unprotected_writes_total{route="-"} 0)"));
}

TEST(Metrics, LeaveOutWhatTheStoreDidNotSay) {
    Measured measured;
    EXPECT_EQ(metrics_text(measured).find("uncertain_records"), std::string::npos);
    measured.totals = store::Totals{0, 0, 3, 90'500};
    const std::string text = metrics_text(measured);
    EXPECT_TRUE(has_line(text, "uncertain_records 3"));
    EXPECT_TRUE(has_line(text, "uncertain_oldest_seconds 90.5"));
    EXPECT_EQ(text.find("store_upkeep_failures_total"), std::string::npos);
    Counter failures;
    failures.add(3);
    measured.store.upkeep_failures = &failures;
    EXPECT_TRUE(has_line(metrics_text(measured), "store_upkeep_failures_total 3"));
    EXPECT_EQ(metrics_text(measured).find("store_damaged_rows"), std::string::npos);
    Gauge damaged;
    damaged.set(2);
    measured.store.damaged_rows = &damaged;
    EXPECT_TRUE(has_line(metrics_text(measured), "store_damaged_rows 2"));
}

TEST(Metrics, SumOverTheHomes) {
    gateway::HomeFigures a;
    gateway::HomeFigures b;
    a.cache_hits.add(2);
    b.cache_hits.add(3);
    a.read_hits.add(4);
    a.cached_bytes.set(1'000);
    b.cached_bytes.set(24);
    b.settling.set(1);
    Measured measured;
    measured.homes = {&a, &b};
    const std::string text = metrics_text(measured);
    EXPECT_TRUE(has_line(text, "idempotent_cache_hits_total 5"));
    EXPECT_TRUE(has_line(text, "idempotent_read_hits_total 4"));
    EXPECT_TRUE(has_line(text, "idempotent_cache_bytes 1024"));
    EXPECT_TRUE(has_line(text, "attempts_settling 1"));
}

TEST(HitRate, IsTheShareOfTheLastMinute) {
    const gateway::Routes routes = one_route("orders");
    HitRate rate;
    MonotonicTime now{};
    rate.sample(routes, now);
    EXPECT_EQ(rate.of("orders"), std::nullopt);
    counter(routes, Seen::first).add(3);
    counter(routes, Seen::replay).add(1);
    rate.sample(routes, now += 30s);
    EXPECT_EQ(rate.of("orders"), 0.25);
    counter(routes, Seen::waited).add(4);
    rate.sample(routes, now += 30s);
    EXPECT_EQ(rate.of("orders"), 5.0 / 8);
    rate.sample(routes, now += 30s);  // the first requests are a minute old
    EXPECT_EQ(rate.of("orders"), 1.0);
    rate.sample(routes, now += 30s);
    EXPECT_EQ(rate.of("orders"), std::nullopt);
    EXPECT_EQ(rate.of("others"), std::nullopt);
}

TEST(HitRate, BeginsAgainWhenTheRoutesWereLoadedAnew) {
    const gateway::Routes before = one_route("orders");
    counter(before, Seen::first).add(100);
    HitRate rate;
    rate.sample(before, {});
    const gateway::Routes after = one_route("orders");
    counter(after, Seen::replay).add(1);
    counter(after, Seen::first).add(1);
    rate.sample(after, MonotonicTime{} + 5s);
    EXPECT_EQ(rate.of("orders"), 0.5);
}

TEST(ProcessFigures, AreThoseOfThisProcess) {
    const ProcessFigures figures = figures_of_process();
    EXPECT_GT(figures.resident_bytes, 1U << 20);
    EXPECT_GE(figures.open_files, 3U);
    EXPECT_GE(figures.threads, 1U);
}

}  // namespace
}  // namespace pawl::api
