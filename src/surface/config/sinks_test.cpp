// SPDX-License-Identifier: Apache-2.0
// What a file says of where events go.
#include <cstdlib>
#include <fstream>

#include "runtime/codec/text.hpp"
#include "surface/config/config_fixture.hpp"
#include "surface/config/read_sinks.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::string with(std::string_view sinks) {
    return "flows: { use: [packing], caller: public }\nsinks:\n" + std::string(sinks);
}

std::string written_file(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

TEST(Sinks, AFileAndAWebhook) {
    const Config config = load(with(R"(
  ledger: { file: /var/lib/pawl/events.jsonl, from_the_beginning: true }
  shop:
    webhook:
      url: https://shop.example:8443/hooks?a=1
      secret: { file: /run/secrets/shop }
      previous: [{ env: PAWL_SHOP_BEFORE }]
      timeout: 3s
      parallel: 4
    flows: packing
    types: [order.paid, "order.c*"]
    tries: 3
)"),
                               {{"PAWL_SHOP_BEFORE", "x"}})
                              .config;
    const SinkSetting& ledger = config.sinks.at("ledger");
    EXPECT_EQ(ledger.file, "/var/lib/pawl/events.jsonl");
    EXPECT_TRUE(ledger.from_the_beginning);
    EXPECT_FALSE(ledger.webhook);
    EXPECT_EQ(ledger.tries, 12U);
    const SinkSetting& shop = config.sinks.at("shop");
    EXPECT_EQ(shop.webhook->upstream.host, "shop.example");
    EXPECT_EQ(shop.webhook->upstream.port, 8443);
    EXPECT_TRUE(shop.webhook->upstream.tls);
    EXPECT_EQ(shop.webhook->path, "/hooks?a=1");
    EXPECT_EQ(shop.webhook->timeout, 3s);
    EXPECT_EQ(shop.webhook->parallel, 4U);
    EXPECT_EQ(shop.webhook->previous.size(), 1U);
    EXPECT_EQ(shop.flows, (std::vector<std::string>{"packing"}));
    EXPECT_EQ(shop.types, (std::vector<std::string>{"order.paid", "order.c*"}));
    EXPECT_EQ(shop.tries, 3U);
}

TEST(Sinks, WhatIsInEffectCanBeLoaded) {
    expect_stable(load(with(R"(
  ledger: { file: a.jsonl, flows: [packing], types: ["order.*"], tries: 5 }
  shop: { webhook: { url: "http://shop:9/h", secret: { file: s }, previous: [{ file: t }] } }
)"))
                      .config);
}

TEST(Sinks, EachNeedsOnePlace) {
    EXPECT_THAT(said(with("  a: { flows: [packing] }\n")),
                ElementsAre(HasSubstr("`a` needs one place for its events")));
    EXPECT_THAT(said(with("  a: { file: x, webhook: { url: http://b, secret: { file: s } } }\n")),
                ElementsAre(HasSubstr("`a` needs one place for its events")));
    EXPECT_THAT(said(with("  a: x\n")), ElementsAre(HasSubstr("`a` is a single value")));
}

TEST(Sinks, TwoDoNotShareAFile) {
    EXPECT_THAT(said(with("  a: { file: x }\n  b: { file: x }\n")),
                ElementsAre(HasSubstr("`b` writes the file of `a`; give each its own file")));
}

TEST(Sinks, AFlowThatThereIsNotIsTold) {
    EXPECT_THAT(said(with("  a: { file: x, flows: [ordr] }\n")),
                ElementsAre(HasSubstr("there is no flow `ordr`")));
}

TEST(Sinks, BoundsAreTold) {
    for (const char* webhook : {"timeout: 61s", "timeout: 0s", "parallel: 0", "parallel: 257"})
        EXPECT_EQ(said(with("  a: { webhook: { url: http://b/, secret: { file: s }, " +
                            std::string(webhook) + " } }\n"))
                      .size(),
                  1U)
            << webhook;
    for (const char* sink : {"tries: 0", "tries: 1001", "types: [\"*.paid\"]", "types: [\"\"]"})
        EXPECT_EQ(said(with("  a: { file: x, " + std::string(sink) + " }\n")).size(), 1U) << sink;
    load(
        with("  a: { file: x, tries: 1000 }\n"
             "  b: { webhook: { url: http://b/, secret: { file: s }, timeout: 60s, parallel: 256 } "
             "}\n"));
}

TEST(Sinks, AnAddressThatIsNoneIsTold) {
    for (const char* url : {"demo", "ftp://a/b", "http://", "\"http://a/b c\"", "\"http://a#b\""})
        EXPECT_EQ(
            said(with("  a: { webhook: { secret: { file: s }, url: " + std::string(url) + " } }\n"))
                .size(),
            1U)
            << url;
    EXPECT_THAT(said(with("  a: { webhook: { secret: { file: s } } }\n")),
                ElementsAre(HasSubstr("`webhook` names no receiver")));
}

TEST(Sinks, ASecretIsBytesOfStandardWebhooks) {
    const auto read = [](const std::string& secret) {
        const std::string path = written_file("sink_secret", secret);
        Config config =
            load(with("  a: { webhook: { url: http://b/, secret: { file: " + path + " } } }\n"))
                .config;
        return read_sink_files(config.sinks);
    };
    for (const std::size_t size : {24U, 64U})
        EXPECT_TRUE(read("whsec_" + to_base64(std::string(size, 'k')))) << size;
    for (const std::size_t size : {23U, 65U})
        EXPECT_FALSE(read("whsec_" + to_base64(std::string(size, 'k')))) << size;
    const auto refused = read("open sesame");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::config_invalid);
    EXPECT_EQ(refused.error().text.find("sesame"), std::string::npos);
}

}  // namespace
}  // namespace pawl::config
