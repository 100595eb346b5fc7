// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render_coverage.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace pawl::cli {
namespace {

boost::json::object parsed(std::string_view text) { return boost::json::parse(text).as_object(); }

TEST(RenderShadow, IsATableAndASentencePerRoute) {
    EXPECT_EQ(render_shadow(parsed(R"({"routes":[{"route":"orders","requests":9,
        "counts":{"first":4,"replay":1,"in_flight":2,"natural":0,"mismatch":1,"uncertain":0,
                  "key_missing":1,"key_invalid":0,"caller_unknown":0,"not_judged":0},
        "examples":{"replay":["0011223344556677"]},"says":"Of 9 requests, so and so."}],
        "keys_kept":4,"keys_forgotten":0})"),
                            {}),
              "route   requests  first  repeats  mismatch  uncertain  refused  not judged\n"
              "orders  9         4      3        1         0          1        0\n"
              "\n"
              "orders\n"
              "  Of 9 requests, so and so.\n"
              "  replay: keys 0011223344556677\n");
}

TEST(RenderShadow, SaysWhenThereIsNothingAndWhenSomethingWasForgotten) {
    EXPECT_EQ(render_shadow(parsed(R"({"routes":[],"keys_kept":0,"keys_forgotten":0})"), {}),
              "No route is in shadow. Write `protect: shadow` into one, and look here later.\n");
    EXPECT_NE(render_shadow(parsed(R"({"routes":[{"route":"o","requests":1,"counts":{"first":1},
                                       "examples":{},"says":"x"}],"keys_forgotten":7})"),
                            {})
                  .find("7 keys were forgotten"),
              std::string::npos);
}

TEST(RenderShadow, AnOddDocumentEndsNothing) {
    for (const std::string_view odd : {R"({})", R"({"routes":7})", R"({"routes":[7,{}]})",
                                       R"({"routes":[{"counts":[],"examples":{"x":7}}]})"})
        EXPECT_FALSE(render_shadow(parsed(odd), {}).empty()) << odd;
}

}  // namespace
}  // namespace pawl::cli
