// SPDX-License-Identifier: Apache-2.0
#include "app/flow_offer.hpp"

#include <gtest/gtest.h>

#include "app/flow_tour.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"
#include "surface/flow_file/load.hpp"

namespace pawl::app {
namespace {

flow::Machine machine_of(const std::string& text) {
    const auto loaded = flow_file::load_flow(text);
    return *flow::Machine::compile(loaded->definition);
}

const std::string kBox =
    "flow: box\ninitial: open\nstates: { open: {}, shut: {} }\n"
    "events: { shut: { from: open, to: shut }, open: { from: shut, to: open } }\n";
const std::string kBoxWithoutShut =
    "flow: box\ninitial: open\nstates: { open: {}, gone: { final: true } }\n"
    "events: { drop: { from: open, to: gone } }\n";

TEST(FlowOffer, WhatIsGoneIsNamedAndWhatIsNewIsNot) {
    const engine::Machines both({machine_of(kBox)});
    EXPECT_TRUE(gone_between(both, both).empty());
    const auto state = gone_between(both, engine::Machines({machine_of(kBoxWithoutShut)}));
    ASSERT_EQ(state.size(), 1U);
    EXPECT_EQ(state[0].flow, "box");
    EXPECT_EQ(state[0].state, "shut");
    const auto flow = gone_between(both, engine::Machines());
    ASSERT_EQ(flow.size(), 1U);
    EXPECT_EQ(flow[0].state, "");
    EXPECT_TRUE(gone_between(engine::Machines(), both).empty());
}

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
