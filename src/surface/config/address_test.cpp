// SPDX-License-Identifier: Apache-2.0
#include "surface/config/address.hpp"

#include <gtest/gtest.h>

namespace pawl::config {
namespace {

TEST(Address, IsALiteralAndAPort) {
    for (const std::string_view text : {"127.0.0.1:8080", "0.0.0.0:0", "[::1]:65535", "[::]:80"}) {
        const auto address = parse_address(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(format_address(*address), text);
    }
    EXPECT_EQ(parse_address("localhost:1").value(), (Address{"127.0.0.1", 1}));
}

TEST(Address, AnythingElseIsRefused) {
    for (const std::string_view text :
         {"", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
          "127.0.0.1:-1", "127.0.0.1: 80", "1.2.3:80", "256.0.0.1:80", "::1:80", "[::1]", "[::1]80",
          "[::1:80", "[127.0.0.1]:80", "[localhost]:80", "shop.example:80", "http://127.0.0.1:80"})
        EXPECT_FALSE(parse_address(text)) << text;
}

TEST(Address, LoopbackIsKnownInBothFamilies) {
    for (const std::string_view text : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"})
        EXPECT_TRUE(is_loopback(parse_address(text).value())) << text;
    for (const std::string_view text : {"0.0.0.0:1", "10.0.0.1:1", "[::]:1", "128.0.0.1:1"})
        EXPECT_FALSE(is_loopback(parse_address(text).value())) << text;
}

TEST(Upstream, IsASchemeAHostAndAPort) {
    EXPECT_EQ(parse_upstream("http://a").value(), (policy::Upstream{"a", 80, false, false}));
    EXPECT_EQ(parse_upstream("https://shop.example/").value(),
              (policy::Upstream{"shop.example", 443, true, false}));
    EXPECT_EQ(parse_upstream("http://127.0.0.1:3000").value(),
              (policy::Upstream{"127.0.0.1", 3000, false, false}));
    EXPECT_EQ(parse_upstream("http://[::1]:3000").value(),
              (policy::Upstream{"::1", 3000, false, false}));
    EXPECT_TRUE(parse_upstream("demo").value().demo);
    EXPECT_EQ(parse_upstream("http://Shop-1.example_a").value().host, "Shop-1.example_a");
    EXPECT_TRUE(parse_upstream("http://" + std::string(253, 'a')));
    EXPECT_FALSE(parse_upstream("http://" + std::string(254, 'a')));
    for (const std::string_view text :
         {"http://a:80", "https://shop.example:443", "http://[::1]:3000", "demo"})
        EXPECT_EQ(format_upstream(parse_upstream(text).value()), text);
}

TEST(Upstream, AnythingElseIsRefused) {
    for (const std::string_view text : {"",
                                        "a",
                                        "a:80",
                                        "ftp://a",
                                        "HTTP://a",
                                        "http://",
                                        "http:///",
                                        "http://a/b",
                                        "http://a?b",
                                        "http://a#b",
                                        "http://u@a",
                                        "http://u:p@a",
                                        "http://a:0",
                                        "http://a:65536",
                                        "http://a:",
                                        "http://a b",
                                        "http://a{",
                                        "http://a[",
                                        "http://a*",
                                        "http://[::1",
                                        "http://[a]:1",
                                        "http://::1",
                                        "demo2",
                                        "http://a\r\nb"})
        EXPECT_FALSE(parse_upstream(text)) << text;
}

}  // namespace
}  // namespace pawl::config
