// SPDX-License-Identifier: Apache-2.0
// The pages of docs/flows and of docs/write_your_own_flow.md show the machines that are served: each picture is
// the one that is drawn of the file it is about.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/flow/diagram.hpp"
#include "surface/flow_file/load.hpp"

namespace pawl::flow_api {
namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

flow::Definition loaded(const std::string& path) {
    const auto read = flow_file::load_flow_file(path);
    EXPECT_TRUE(read) << path;
    return read ? read->definition : flow::Definition{};
}

// The page's parts between ```KIND and ```.
std::vector<std::string> blocks_of(const std::string& page, const std::string& kind) {
    std::vector<std::string> blocks;
    const std::string begin = "```" + kind + "\n";
    for (auto at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        at += begin.size();
        blocks.push_back(page.substr(at, page.find("```", at) - at));
    }
    return blocks;
}

TEST(FlowPages, EveryBuiltInFlowHasAPageWithItsPicture) {
    for (const std::string name : {"order", "payment", "booking", "packing"}) {
        const auto pictures =
            blocks_of(text_of(std::string(PAWL_DOCS) + "/flows/" + name + ".md"), "mermaid");
        ASSERT_EQ(pictures.size(), 1U) << name;
        EXPECT_EQ(pictures.front(),
                  flow::mermaid(loaded(std::string(PAWL_FLOWS) + "/" + name + ".yaml")))
            << name;
    }
}

TEST(FlowPages, TheFlowOfThePageAboutWritingOneLoadsAndIsTheOneInTheExamples) {
    const std::string page = text_of(std::string(PAWL_DOCS) + "/write_your_own_flow.md");
    const std::string path = std::string(PAWL_EXAMPLES) + "/flows/coupon.yaml";
    const auto files = blocks_of(page, "yaml");
    ASSERT_FALSE(files.empty());
    const std::string& longest = *std::ranges::max_element(files, {}, &std::string::size);
    EXPECT_NE(text_of(path).find(longest), std::string::npos) << "the longest is the whole flow";
    const auto read = flow_file::load_flow(longest);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->warnings.empty());
    EXPECT_EQ(read->definition, loaded(path));
    EXPECT_EQ(blocks_of(page, "mermaid").back(), flow::mermaid(read->definition));
}

}  // namespace
}  // namespace pawl::flow_api
