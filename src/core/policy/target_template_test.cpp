// SPDX-License-Identifier: Apache-2.0
#include "core/policy/target_template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

// "text" as it is, "{name}" in angle brackets, and a refusal as what cannot be sent.
std::string cut(std::string_view target) {
    const auto pieces = cut_target(target);
    if (!pieces) return pieces.error().text;
    std::string said;
    for (const TargetPiece& piece : *pieces)
        said += piece.is_placeholder ? "<" + piece.text + ">" : "|" + piece.text;
    return said;
}

TEST(TargetTemplate, IsCutAtItsBraces) {
    EXPECT_EQ(cut(""), "");
    EXPECT_EQ(cut("/orders"), "|/orders");
    EXPECT_EQ(cut("/o/{id}/x?k={key}"), "|/o/<{id}>|/x?k=<{key}>");
    EXPECT_EQ(cut("{a}{b}"), "<{a}><{b}>");
    EXPECT_EQ(cut("/{}"), "|/<{}>");
}

TEST(TargetTemplate, ANameThatIsNotClosedReachesToTheEnd) {
    EXPECT_EQ(cut("/{id"), "|/<{id>");
    EXPECT_EQ(cut("/{"), "|/<{>");
    EXPECT_EQ(cut("/{a{b}"), "|/<{a{b}>") << "a name is what its user knows: this one nobody does";
}

TEST(TargetTemplate, WhatCannotBeSentIsRefusedOutsideOfNames) {
    for (const std::string_view bad : {"/a b", "/a\t", "/a#b", "/a}", "/\x7f", "/\xc3\xa4"})
        EXPECT_EQ(cut(bad),
                  "`" + std::string(bad) + "` holds a character that a request target cannot have");
    EXPECT_EQ(cut("/{a}/b}"), "`/b}` holds a character that a request target cannot have");
    EXPECT_EQ(cut("/{a b}"), "|/<{a b}>");
}

TEST(TargetTemplate, TheFirstAndTheLastCharactersThatMayStandAreTaken) {
    EXPECT_TRUE(is_target_character('!') && is_target_character('~'));
    EXPECT_FALSE(is_target_character(' ') || is_target_character('\x7f'));
    EXPECT_FALSE(is_target_character('#') || is_target_character('\x80'));
}

}  // namespace
}  // namespace pawl::policy
