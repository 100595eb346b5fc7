// SPDX-License-Identifier: Apache-2.0
#include "core/flow/names.hpp"

#include <gtest/gtest.h>

namespace pawl::flow {
namespace {

template <class From>
void expect_both_ways(std::span<const std::string_view> names, From from) {
    for (const std::string_view name : names) EXPECT_EQ(name_of(from(name).value()), name);
    EXPECT_FALSE(from("nobody's"));
}

TEST(Names, AreReadAsTheyAreWritten) {
    expect_both_ways(field_type_names(), field_type_from);
    expect_both_ways(guard_kind_names(), guard_kind_from);
    expect_both_ways(early_names(), early_from);
    expect_both_ways(noop_names(), noop_from);
    expect_both_ways(on_repeat_names(), on_repeat_from);
}

}  // namespace
}  // namespace pawl::flow
