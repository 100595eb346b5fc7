// SPDX-License-Identifier: Apache-2.0
// `pawl flow scan`: what it prints is what the flow takes, and what is missing is named.
#include "surface/cli/make_scan.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

constexpr std::int64_t kNow = 1'777'629'600'000;
constexpr std::string_view kNorth = "the secret of the station north";

config::Config served(std::string_view stations) {
    const std::string text = "flows: { use: [packing], caller: public }\n" + std::string(stations);
    auto loaded = config::load_config(text, {{"PAWL_NORTH", std::string(kNorth)}});
    return loaded.value().config;
}
config::Config with_station() {
    return served("stations: { north: { secrets: [{ env: PAWL_NORTH }] } }\n");
}

Result<boost::json::object> made(const config::Config& config, const MakeScan& wanted) {
    SystemEntropy entropy;
    return make_scan(config, wanted, kNow, entropy);
}
std::string token_of(const std::vector<std::string>& seen, std::string_view secret) {
    return flow::scan_token({"packing", "pack", seen}, secret);
}
std::string text(const boost::json::object& body, std::string_view name) {
    return std::string(body.at(name).as_string());
}

TEST(MakeScan, SignsWhatWasScannedForItsStation) {
    const auto scan = made(with_station(), {"packing", "pack", "north", {{"box", "X1"}}});
    ASSERT_TRUE(scan) << scan.error().text;
    EXPECT_EQ(text(*scan, "ts_ms"), "1777629600000");
    EXPECT_EQ(text(*scan, "station"), "north");
    EXPECT_FALSE(scan->contains("box")) << "the box says itself which it is";
    EXPECT_EQ(text(*scan, "token"),
              token_of({"X1", "1777629600000", text(*scan, "nonce")}, kNorth));
}

TEST(MakeScan, DrawsTheNonceAnewUnlessItIsGiven) {
    const MakeScan drawn{"packing", "pack", "north", {{"box", "X1"}}};
    EXPECT_NE(text(*made(with_station(), drawn), "nonce"),
              text(*made(with_station(), drawn), "nonce"));
    MakeScan given = drawn;
    given.values.emplace_back("nonce", "n-1");
    EXPECT_EQ(*made(with_station(), given), *made(with_station(), given));
    EXPECT_EQ(text(*made(with_station(), given), "nonce"), "n-1");
}

TEST(MakeScan, IsPlainWhereNoStationIsConfigured) {
    const auto scan = made(served(""), {"packing", "pack", "", {{"box", "X1"}, {"nonce", "n-1"}}});
    ASSERT_TRUE(scan) << scan.error().text;
    EXPECT_EQ(text(*scan, "token"), token_of({"X1", "1777629600000", "n-1"}, ""));
    EXPECT_FALSE(scan->contains("station"));
}

TEST(MakeScan, SaysWhatIsMissing) {
    const auto said = [](const MakeScan& wanted) {
        const auto scan = made(with_station(), wanted);
        return scan ? std::string() : scan.error().text;
    };
    EXPECT_EQ(said({"packing", "pack", "", {{"box", "X1"}}}),
              "say which station signs it: --station NAME");
    EXPECT_EQ(said({"packing", "pack", "west", {{"box", "X1"}}}),
              "`stations` of the file has no `west`");
    EXPECT_EQ(said({"packing", "pack", "north", {}}), "`box` was scanned too; write `box=VALUE`");
    EXPECT_EQ(said({"packing", "arrive", "north", {}}),
              "`arrive` of flow `packing` takes no scan token");
    EXPECT_EQ(said({"order", "ship", "north", {}}), "no flow `order` is served");
    EXPECT_FALSE(said({"packing", "pack", "north", {{"box", "X1"}, {"ts_ms", "soon"}}}).empty());
}

}  // namespace
}  // namespace pawl::cli
