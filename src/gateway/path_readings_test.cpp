// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/path_readings.hpp"

namespace pawl::gateway {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

TEST(PathReadings, APlainPathHasOneAlone) {
    for (const std::string_view path : {"/", "/orders", "/orders/7/items/", "/a/../b", "/a//b", ""})
        EXPECT_THAT(lenient_readings(path), IsEmpty()) << path;
}

TEST(PathReadings, EachLeniencyIsTaken) {
    const struct {
        std::string_view path, reading;
    } rows[] = {
        {"/x\\..\\orders", "/x/../orders"},
        {"/x%5C..%2forders", "/x/../orders"},
        {"//h/orders", "/orders"},
        {"//h%2Fy/orders", "/orders"},
        {"//h\\y/orders", "/y/orders"},
        {"/orders;x=1", "/orders"},
        {"/orders;x=1/items;y", "/orders/items"},
        {"/orders%3bx%3D1/items", "/orders/items"},
        {"/b/..;/orders", "/b/../orders"},
        {"/b/%2e%2e%3B/orders", "/b/../orders"},
        {"/orders/.;/", "/orders/./"},
        {"/;/orders", "//orders"},
        {"/orders;%2f/x", "/orders/x"},
        {"/orders%00", "/orders"},
        {"/orders%00.txt", "/orders"},
        {"/orders;%00/x", "/orders"},
        {"/ord%09ers%0D%0a", "/orders"},
        {"/orders%7f", "/orders"},
        {"/%20orders%20/x%20", "/orders/x"},
        {"/orders%20;a/%20x", "/orders/x"},
        {"/b/..%20/orders", "/b/../orders"},
        {"/orders%3Fx", "/orders"},
        {"/orders%23x", "/orders"},
        {"/pay/%3f/now%3b", "/pay/%3f/now"},
        {"/pay/%3f/now%3b%00x", "/pay/%3f/now"},
    };
    for (const auto& [path, reading] : rows)
        EXPECT_THAT(lenient_readings(path), Contains(std::string(reading))) << path;
}

TEST(PathReadings, ABlankWithinASegmentIsPartOfItsName) {
    EXPECT_THAT(lenient_readings("/my%20orders"), Not(Contains("/myorders")));
}

}  // namespace
}  // namespace pawl::gateway
