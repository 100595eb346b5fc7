// SPDX-License-Identifier: Apache-2.0
// `stations:`, where their secrets come from, and what is none.
#include "surface/config/config_fixture.hpp"
#include "surface/config/read_stations.hpp"

namespace pawl::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Environment kBoth{{"PAWL_NORTH", "the secret of the station north"},
                        {"PAWL_SOUTH", "the secret of the station south"}};

std::string file(std::string_view stations, std::string_view flows = "packing") {
    return fmt::format("flows: {{ use: [{}], caller: public }}\nstations: {}\n", flows, stations);
}

Result<flow::Stations> stations_in(std::string_view stations, const Environment& environment) {
    auto loaded = load_config(file(stations), environment);
    EXPECT_TRUE(loaded) << shown("f", loaded.error().front());
    if (const Status read = read_station_files(loaded->config.stations); !read)
        return fail(read.error());
    return stations_of(loaded->config.stations);
}

TEST(Stations, HaveTheirSecretsFromTheEnvironmentAndShowThemNowhere) {
    constexpr std::string_view kStations =
        "{ north: { secrets: [{ env: PAWL_NORTH }] }, south: { secrets: [{ env: PAWL_SOUTH }] } }";
    auto loaded = load_config(file(kStations), kBoth);
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_TRUE(loaded->warnings.empty()) << shown("f", loaded->warnings.front());
    ASSERT_TRUE(read_secrets(loaded->config));
    const auto stations = stations_of(loaded->config.stations);
    ASSERT_TRUE(stations);
    EXPECT_THAT(stations->at("north"), ElementsAre("the secret of the station north"));
    EXPECT_THAT(stations->at("south"), ElementsAre("the secret of the station south"));
    const std::string shown = describe(loaded->config);
    EXPECT_THAT(shown, HasSubstr("{ env: PAWL_NORTH }"));
    EXPECT_THAT(shown, testing::Not(HasSubstr("the secret of")));
    EXPECT_TRUE(load_config(shown, kBoth));
}

TEST(Stations, AreNobodysWhereTheFileNamesNone) {
    auto loaded = load_config("flows: { use: [packing], caller: public }\n", {});
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(stations_of(loaded->config.stations)->empty());
}

TEST(Stations, ASecretHasTwentyFourBytesAndNotOneLess) {
    for (const std::size_t size :
         {flow::kStationSecretBytesMin - 1, flow::kStationSecretBytesMin}) {
        const auto stations = stations_in("{ north: { secrets: [{ env: PAWL_NORTH }] } }",
                                          {{"PAWL_NORTH", std::string(size, 's')}});
        EXPECT_EQ(stations.has_value(), size == flow::kStationSecretBytesMin);
        if (!stations)
            EXPECT_EQ(stations.error().text,
                      "a secret of `stations.north` has fewer than 24 bytes");
    }
}

TEST(Stations, NoTwoMaySignForEachOther) {
    Environment same = kBoth;
    same["PAWL_SOUTH"] = same["PAWL_NORTH"];
    EXPECT_EQ(
        stations_in("{ north: { secrets: [{ env: PAWL_NORTH }] }, south: { secrets: [{ env: "
                    "PAWL_SOUTH }] } }",
                    same)
            .error()
            .text,
        "`stations.north` and `stations.south` share a secret, and could sign for each other");
    EXPECT_EQ(
        stations_in("{ north: { secrets: [{ env: PAWL_NORTH }, { env: PAWL_SOUTH }] } }", same)
            .error()
            .text,
        "`stations.north` has the same secret twice");
}

TEST(Stations, AreRefusedWithTheFormToWrite) {
    for (const std::string_view bad :
         {"{}", "[]", "north", "{ north: x }", "{ north: {} }", "{ north: { secrets: x } }",
          "{ north: { secrets: [] } }", "{ north: { secrets: [x] } }",
          "{ north: { secrets: [{ env: PAWL_NOBODY }] } }",
          "{ north: { secrets: [{ file: a, env: PAWL_NORTH }] } }",
          "{ north: { secret: [{ env: PAWL_NORTH }] } }"})
        EXPECT_FALSE(load_config(file(bad), kBoth)) << bad;
}

TEST(Stations, WhichNoFlowAsksForAreWarnedOf) {
    const auto loaded =
        load_config(file("{ north: { secrets: [{ env: PAWL_NORTH }] } }", "booking") +
                        "services: { pay: \"http://127.0.0.1:9000\" }\n",
                    {{"PAWL_NORTH", "the secret of the station north"}});
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    ASSERT_EQ(loaded->warnings.size(), 1U);
    EXPECT_THAT(loaded->warnings.front().what, HasSubstr("takes scans which a station signs"));
}

}  // namespace
}  // namespace pawl::config
