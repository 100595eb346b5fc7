// SPDX-License-Identifier: Apache-2.0
#include "surface/api/notification_metrics.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

using namespace std::chrono_literals;

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(NotificationMetrics, CountByAccountAndOutcome) {
    const engine::CallbackAccounts accounts(
        {{{"eu", callback::StripeAccount{}}, "t", "order", {}},
         {{"eu", callback::WechatAccount{}}, "t", "order", {}}});
    engine::NotificationFigures& figures = *accounts.find("stripe", "eu")->figures;
    figures.of(callback::Outcome::applied).add();
    figures.of(callback::Outcome::seen).add(4);
    figures.alarms.add();
    figures.durations.add(200ms);
    figures.durations.add(700ms);
    const std::string text = notification_metrics(accounts);
    for (const std::string line : {
             R"(callback_notifications_total{provider="stripe",account="eu",outcome="seen"} 4)",
             R"(callback_notifications_total{provider="wechat",account="eu",outcome="seen"} 0)",
             R"(callback_alarms_total{provider="stripe",account="eu"} 1)",
             R"(callback_late_total{provider="stripe",account="eu"} 0)",
             R"(callback_seconds_bucket{provider="stripe",account="eu",le="0.2"} 1)",
             R"(callback_seconds_bucket{provider="stripe",account="eu",le="0.5"} 1)",
             R"(callback_seconds_bucket{provider="stripe",account="eu",le="1"} 2)",
             R"(callback_seconds_sum{provider="stripe",account="eu"} 0.9)",
         })
        EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
    EXPECT_EQ(notification_metrics({}), "") << "no account, no figures";
}

}  // namespace
}  // namespace pawl::api
