// SPDX-License-Identifier: Apache-2.0
#include "app/flow_tour.hpp"

#include <gtest/gtest.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::app {
namespace {

TEST(FlowTour, PaysWithASignatureThatTheAccountTakes) {
    config::Config config;
    add_demo_account(config, "0123456789abcdef");
    ASSERT_EQ(config.callbacks.size(), 1U);
    EXPECT_EQ(config.callbacks[0].subscription.flow, "order");
    for (const auto& [what, line] : flow_tour({"http://h:1", "pawl", "e679", "0123456789abcdef"})) {
        const auto signature = line.find("sha256=");
        if (signature == std::string::npos) continue;
        const auto begin = line.find("--json '") + 8;
        const std::string body = line.substr(begin, line.rfind('\'') - begin);
        EXPECT_EQ(line.substr(signature + 7, 64),
                  to_hex(hmac_sha256("0123456789abcdef", body).view()));
    }
}

}  // namespace
}  // namespace pawl::app
