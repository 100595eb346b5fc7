// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/caller/api_keys.hpp"

namespace pawl::caller {
namespace {

TEST(ApiKeys, AKeyIsItsCallersUnderThisSecretOnly) {
    ApiKeys keys("the secret elsewhere");
    ASSERT_TRUE(keys.add(hash_of_api_key("the secret elsewhere", "k-1"), "acme"));
    ASSERT_TRUE(keys.add(hash_of_api_key("the secret elsewhere", "k-2"), "acme"));
    ASSERT_TRUE(keys.add(hash_of_api_key("another secret", "k-3"), "eve"));
    EXPECT_FALSE(keys.add(hash_of_api_key("the secret elsewhere", "k-1"), "eve"));
    EXPECT_EQ(keys.caller_of("k-1"), "acme");
    EXPECT_EQ(keys.caller_of("k-2"), "acme");
    for (const std::string& unknown : {std::string("k-3"), std::string("K-1"), std::string("k-1 "),
                                       std::string(), std::string(kApiKeyBytesMax + 1, 'k')}) {
        const auto caller = keys.caller_of(unknown);
        ASSERT_FALSE(caller);
        EXPECT_EQ(caller.error().code, Code::caller_unknown);
        EXPECT_EQ(caller.error().text, "The API key is not known here.") << "never the key itself";
    }
}

TEST(ApiKeys, AKeyMayHaveTheBytesItMayHave) {
    ApiKeys keys("the secret elsewhere");
    const std::string long_one(kApiKeyBytesMax, 'k');
    keys.add(hash_of_api_key("the secret elsewhere", long_one), "acme");
    EXPECT_EQ(keys.caller_of(long_one), "acme");
}

}  // namespace
}  // namespace pawl::caller
