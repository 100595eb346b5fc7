// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/callback/form.hpp"

namespace pawl::callback {
namespace {

TEST(Form, IsReadAsBytesWhateverTheCharset) {
    const auto form = parse_form("b=1+2%2B3&a=%E8%AE%A2%e5%8d%95&gbk=%B6%A9&empty=&x%3Dy=a=b");
    ASSERT_TRUE(form);
    EXPECT_EQ(*form, (Form{{"a", "\xe8\xae\xa2\xe5\x8d\x95"},
                           {"b", "1 2+3"},
                           {"empty", ""},
                           {"gbk", "\xb6\xa9"},
                           {"x=y", "a=b"}}));
    EXPECT_EQ(form->begin()->first, "a");
}

TEST(Form, WhatIsBrokenIsNone) {
    for (const std::string_view bad : {"", "a", "&", "a=1&", "&a=1", "a=1&&b=2", "=1", "a=%",
                                       "a=%4", "a=%4g", "%zz=1", "a=1&a=2", "a=1&%61=2"})
        EXPECT_FALSE(parse_form(bad)) << bad;
}

TEST(Form, HasSoManyParametersAndNoMore) {
    std::string body;
    for (std::size_t i = 0; i < kFormParametersMax; ++i) body += "p" + std::to_string(i) + "=1&";
    EXPECT_TRUE(parse_form(body.substr(0, body.size() - 1)));
    EXPECT_FALSE(parse_form(body + "one_more=1"));
}

}  // namespace
}  // namespace pawl::callback
