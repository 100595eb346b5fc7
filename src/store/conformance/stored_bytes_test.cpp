// SPDX-License-Identifier: Apache-2.0
// R-LIMIT: what a tenant has stored is capped, and only new keys feel it.
#include "store/conformance/suite.hpp"
#include "store/port/self_test.hpp"

namespace pawl::store::conformance {
namespace {

using enum Outcome;

constexpr std::size_t kBodyBytes = 20'000;
constexpr int kRoomFor = 3;

class StoredBytesLimit : public Suite {
  protected:
    void SetUp() override {
        Suite::SetUp();
        rig().limit({.stored_bytes_per_tenant = kRoomFor * kBodyBytes});
    }
    // A completed record with a body; false: its claim was refused.
    bool fill(int key, std::string tenant = "acme") {
        record::Claim made = claim(key, static_cast<std::uint64_t>(key));
        made.tenant = std::move(tenant);
        const Reply reply = rig().reply(made);
        if (reply.outcome == limited) return false;
        EXPECT_EQ(complete(key, static_cast<std::uint64_t>(key), reply.row.fence,
                           std::string(kBodyBytes, 'x')),
                  stored);
        return true;
    }
    void fill_up() {
        for (int key = 1; key <= kRoomFor; ++key) EXPECT_TRUE(fill(key));
    }
};

TEST_P(StoredBytesLimit, SoManyBytesAndNotOneKeyMore) {
    fill_up();
    const Reply refused = rig().reply(claim(10, 10));
    EXPECT_EQ(refused.outcome, limited);
    EXPECT_FALSE(rig().read(identity(10)));
    EXPECT_TRUE(fill(11, "other")) << "another tenant has room of its own";
}

TEST_P(StoredBytesLimit, KnownKeysAreAnsweredAsAlways) {
    const Fence running = acquire(claim(20, 20));
    const record::Claim given_back = claim(21, 21);
    const Fence freed_fence = acquire(given_back);
    EXPECT_EQ(rig().outcome(record::Release{given_back.identity, given_back.claim, freed_fence}),
              freed);
    fill_up();
    ASSERT_FALSE(fill(10));
    EXPECT_EQ(rig().outcome(claim(1, 100)), replay);
    EXPECT_EQ(complete(20, 20, running, "done"), stored);
    EXPECT_EQ(rig().outcome(claim(21, 101)), acquired) << "its row is there";
}

TEST_P(StoredBytesLimit, WhatIsForgottenMakesRoom) {
    fill_up();
    ASSERT_FALSE(fill(10));
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), rig().read(identity(1))->row.fence}),
              removed);
    EXPECT_TRUE(fill(10));
}

TEST_P(StoredBytesLimit, WhatIsOverMakesRoom) {
    fill_up();
    ASSERT_FALSE(fill(10));
    rig().pass(std::chrono::milliseconds{2 * kResultMs});
    rig().sweep_all();
    EXPECT_TRUE(fill(10));
    EXPECT_EQ(rig().outcome(claim(1, 100)), expired);
}

TEST_P(StoredBytesLimit, IsKnownToEveryBoot) {
    fill_up();
    rig().restart();
    EXPECT_FALSE(fill(10));
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), rig().read(identity(1))->row.fence}),
              removed);
    rig().restart();
    EXPECT_TRUE(fill(10));
}

TEST_P(StoredBytesLimit, AStoreThatIsFullStillStarts) {
    for (int key = 1; key <= kRoomFor; ++key) EXPECT_TRUE(fill(key, ""));
    ASSERT_FALSE(fill(10, ""));
    const Status works = rig().hand().run(
        self_test(rig().records(), rig().hand().loop(), {"node-a:8080", rig().boot()}));
    EXPECT_TRUE(works) << works.error().text;
}

TEST_P(StoredBytesLimit, RecordsAloneCountToo) {
    int keys = 0;
    for (int key = 1'000; key < 3'000; ++key, ++keys) {
        const record::Claim made = claim(key, static_cast<std::uint64_t>(key));
        const Reply reply = rig().reply(made);
        if (reply.outcome == limited) break;
        EXPECT_EQ(rig().outcome(record::Release{made.identity, made.claim, reply.row.fence}),
                  freed);
    }
    EXPECT_GT(keys, 20);
    EXPECT_LT(keys, 2'000);
}

INSTANTIATE_TEST_SUITE_P(Store, StoredBytesLimit, testing::ValuesIn(stores_under_test()),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace pawl::store::conformance
