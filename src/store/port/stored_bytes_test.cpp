// SPDX-License-Identifier: Apache-2.0
#include "store/port/stored_bytes.hpp"

#include <gtest/gtest.h>

#include "store/port/unresolved_counts.hpp"

namespace pawl::store {
namespace {

TEST(StoredBytes, AreCountedByTenantAndGoByPlace) {
    StoredBytes bytes;
    EXPECT_EQ(bytes.of(1), 0);
    bytes.apply({-1, 1, 100});
    bytes.apply({-1, 2, 30});
    bytes.apply({5, 1, 7});
    bytes.apply({5, 1, -2});
    EXPECT_EQ(bytes.of(1), 105);
    EXPECT_EQ(bytes.of(2), 30);
    EXPECT_EQ(bytes.most(), 105);
    bytes.drop(-1);
    EXPECT_EQ(bytes.of(1), 5);
    EXPECT_EQ(bytes.of(2), 0);
    bytes.drop(-1);
    EXPECT_EQ(bytes.of(1), 5);
}

TEST(StoredBytes, PlacesAreListedInOrderEachOnce) {
    StoredBytes bytes;
    for (const std::int64_t place : {7, -2, 3, 3, 9}) bytes.apply({place, 1, 1});
    bytes.apply({3, 2, 1});
    EXPECT_EQ(bytes.places(0, 9), (std::vector<std::int64_t>{3, 7}));
    EXPECT_EQ(bytes.places(-10, 0), (std::vector<std::int64_t>{-2}));
}

// The published vectors of FNV-1a: a store that moves to another build finds its sums again.
TEST(StoredBytes, ATenantsHashIsTheSameOfEveryBuild) {
    record::Claim claim;
    EXPECT_EQ(burdened_by(claim).tenant, 0xcbf29ce484222325);
    claim.tenant = "a";
    EXPECT_EQ(burdened_by(claim).tenant, 0xaf63dc4c8601ec8c);
    claim.tenant = "foobar";
    EXPECT_EQ(burdened_by(claim).tenant, 0x85944171f73967e8);
}

TEST(StoredBytes, ASumBelowZeroIsNone) {
    StoredBytes bytes;
    bytes.apply({1, 1, -5});
    EXPECT_EQ(bytes.of(1), 0);
}

}  // namespace
}  // namespace pawl::store
