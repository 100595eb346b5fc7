// SPDX-License-Identifier: Apache-2.0
#include "core/policy/key_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using testing::HasSubstr;

bool takes(std::string_view expression, std::string_view key) {
    const auto format = KeyFormat::parse(expression);
    EXPECT_TRUE(format) << expression;
    return format && format->takes(key);
}

TEST(KeyFormat, TheWholeKeyMustMatch) {
    EXPECT_TRUE(takes("[0-9a-f]{8}-[0-9a-f]{4}", "0011aabb-12ef"));
    EXPECT_FALSE(takes("[0-9a-f]{8}-[0-9a-f]{4}", "0011aabb-12ef0"));
    EXPECT_FALSE(takes("order-[0-9]+", "x-order-1"));
}

TEST(KeyFormat, AnEmptyExpressionTakesEveryKey) {
    EXPECT_TRUE(takes("", "anything"));
    EXPECT_TRUE(takes("", ""));
}

// A backtracking matcher would not end on this.
TEST(KeyFormat, NestedRepeatsAreMatchedInBoundedTime) {
    EXPECT_FALSE(takes("(a+)+b", std::string(255, 'a')));
    EXPECT_FALSE(takes("(a|aa)+b", std::string(255, 'a')));
    EXPECT_TRUE(takes("(a|aa)+b", std::string(254, 'a') + "b"));
}

TEST(KeyFormat, MistakesAreToldApart) {
    struct Row {
        std::string expression, said;
    };
    for (const Row& row :
         {Row{"[a", "not an ECMAScript"}, Row{"(a)\\1", "back-reference"},
          Row{"(a{200}){200}", "multiply"}, Row{"a{99999999999999999999}", "multiply"},
          Row{"a{1001}", "multiply"}, Row{"a{2", "not an ECMAScript"},
          Row{std::string(201, 'a'), "201 characters"}}) {
        const auto format = KeyFormat::parse(row.expression);
        ASSERT_FALSE(format) << row.expression;
        EXPECT_THAT(format.error().text, HasSubstr(row.said)) << row.expression;
    }
}

TEST(KeyFormat, TheLongestExpressionAndTheLargestRepeatAreTaken) {
    EXPECT_TRUE(
        takes(std::string(kKeyFormatLengthMax, 'a'), std::string(kKeyFormatLengthMax, 'a')));
    EXPECT_TRUE(takes("[a-z]{1,1000}", std::string(255, 'q')));
    EXPECT_FALSE(takes("([a-z]{1,10}-){1,100}", std::string(255, 'q')));
    EXPECT_TRUE(takes("a\\{2000\\}", "a{2000}"));
}

}  // namespace
}  // namespace pawl::policy
