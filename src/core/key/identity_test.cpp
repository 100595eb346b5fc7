// SPDX-License-Identifier: Apache-2.0
// R-SCOPE: what makes two operations one. Field cases 8, 13 and 15. The literal digests stand for what is
// stored: a change of theirs makes every record unfindable.
#include "core/key/identity.hpp"

#include <set>

#include <gtest/gtest.h>

#include "runtime/codec/text.hpp"

namespace pawl::key {
namespace {

// field case 13: another tenant or caller never meets the first one's record
TEST(Identity, EveryPartOfTheScopeKeepsKeysApart) {
    const std::set<Digest> all{
        identity({"A", "alice", "orders"}, "1"), identity({"B", "alice", "orders"}, "1"),
        identity({"A", "bob", "orders"}, "1"),   identity({"A", "", "orders"}, "1"),
        identity({"A", "alice", "pay"}, "1"),  // field case 8: the create's key sent with the payment
        identity({"A", "alice", "orders"}, "2"),
    };
    EXPECT_EQ(all.size(), 6U);
    EXPECT_TRUE(all.contains(identity({"A", "alice", "orders"}, "1")));
}

// field case 15: parts never run into each other
TEST(Identity, PartsAreLengthPrefixed) {
    EXPECT_NE(identity({"a", "c", "o"}, "bc"), identity({"ab", "c", "o"}, "c"));
    EXPECT_NE(identity({"", "ab", "o"}, "k"), identity({"ab", "", "o"}, "k"));
    EXPECT_NE(identity({"t", "c", "ok"}, ""), identity({"t", "c", "o"}, "k"));
}

TEST(Identity, IsByteExact) {
    EXPECT_NE(identity({"t", "c", "o"}, "k"), identity({"t", "c", "o"}, "K"));
    EXPECT_NE(identity({"t", "c", "o"}, "k"), identity({"t", "c", "o"}, "k "));
    EXPECT_NE(identity({"t", "c", "o"}, "\u00e9"), identity({"t", "c", "o"}, "e\u0301"));
    EXPECT_NE(identity({"t", "c", "o"}, "k"),
              identity({"t", "c", "o"}, std::string_view("k\0", 2)));
}

TEST(DerivedKey, IsEqualForAllAttemptsAndNewForEachStamp) {
    const Digest operation = identity({"t", "c", "o"}, "k");
    EXPECT_EQ(derived_key(operation, ""), derived_key(operation, ""));
    EXPECT_NE(derived_key(operation, ""), derived_key(operation, "1"));
    EXPECT_NE(derived_key(operation, "1"), derived_key(operation, "2"));
    EXPECT_NE(derived_key(operation, ""), operation);
}

TEST(DerivedIdentity, KeepsPartsAndDomainsApart) {
    const Scope scope{"t", "c", "o"};
    EXPECT_NE(derived_identity(scope, {"a", "bc"}), derived_identity(scope, {"ab", "c"}));
    EXPECT_NE(derived_identity(scope, {"a"}), derived_identity(scope, {"a", ""}));
    EXPECT_NE(derived_identity(scope, {"k"}), identity(scope, "k"));
    EXPECT_NE(derived_identity({"t", "c", ""}, {"o"}), derived_identity(scope, {}));
}

TEST(Identity, StaysWhatItWasInEveryRelease) {
    const Digest operation = identity({"t", "c", "o"}, "k");
    EXPECT_EQ(to_hex(operation.view()),
              "137219845f30396c8db99d63c12fa513fec0269cc6ecfcf8ed8d73716791d678");
    EXPECT_EQ(to_hex(derived_key(operation, "").view()),
              "0931fc33b435df7ccf6b9502432fc7aae5613444f38a2c8d75be5b351c89027e");
    EXPECT_EQ(to_hex(derived_identity({"t", "c", "o"}, {"a", "b"}).view()),
              "609aafc0824cd2767ca95255abf939d2ea55ec60f49cc24296425d1a150e6ab2");
}

}  // namespace
}  // namespace pawl::key
