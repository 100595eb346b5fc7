// SPDX-License-Identifier: Apache-2.0
// Places, repeated names, and the bounds: each at the limit and one beyond, and texts made to exhaust a
// parser.
#include "surface/yaml/yaml_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::yaml {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Read {
    std::optional<YamlNode> tree;
    std::vector<policy::Finding> findings;
};
Read read(std::string_view text) {
    Read read;
    read.tree = parse_yaml(text, read.findings);
    return read;
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

TEST(YamlTree, KeepsPlacesKindsAndOrder) {
    const auto [tree, findings] = read("a: 1\nb:\n  - x\n  - { c: \"2\" }\nd:\n");
    EXPECT_THAT(findings, IsEmpty());
    ASSERT_TRUE(tree);
    ASSERT_EQ(tree->members.size(), 3U);
    EXPECT_EQ(tree->members[0].name, "a");
    EXPECT_EQ(tree->members[2].name, "d");
    EXPECT_EQ(tree->members[2].value.kind, YamlNode::Kind::null);
    EXPECT_EQ(tree->find("a")->text, "1");
    const YamlNode& list = *tree->find("b");
    ASSERT_EQ(list.items.size(), 2U);
    EXPECT_EQ(list.items[0].text, "x");
    const YamlNode* c = list.items[1].find("c");
    ASSERT_NE(c, nullptr);
    EXPECT_EQ(c->text, "2");
    EXPECT_EQ(c->line, 4);
    EXPECT_EQ(c->column, 10);
    EXPECT_EQ(tree->find("z"), nullptr);
}

TEST(YamlTree, NothingIsANull) {
    for (const std::string_view text : {"", "\n\n", "# only a comment", "---\n", "~"}) {
        const auto [tree, findings] = read(text);
        EXPECT_THAT(findings, IsEmpty()) << text;
        ASSERT_TRUE(tree) << text;
        EXPECT_EQ(tree->kind, YamlNode::Kind::null) << text;
    }
}

TEST(YamlTree, TheFirstOfRepeatedNamesStaysAndTheRestIsRead) {
    const auto [tree, findings] = read("a: 1\na: { b: 2 }\nc: 3\na: 4\n");
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->find("a")->text, "1");
    EXPECT_EQ(tree->find("c")->text, "3");
    EXPECT_EQ(tree->members.size(), 2U);
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[1].line, 4);
}

TEST(YamlTree, SixteenLevelsAreReadAndOneMoreIsNot) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(read(nested(kDepthMax)).tree);
    const auto [tree, findings] = read(nested(kDepthMax + 1));
    EXPECT_FALSE(tree);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].what, HasSubstr("nested more than 16 deep"));
}

TEST(YamlTree, AHundredThousandValuesAreReadAndOneMoreIsNot) {
    const auto items = [](std::size_t count) { return repeated("- a\n", count); };
    EXPECT_TRUE(read(items(kNodesMax - 1)).tree) << "the list is one of them";
    const auto [tree, findings] = read(items(kNodesMax));
    EXPECT_FALSE(tree);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].what, HasSubstr("more than 100000 values"));
}

TEST(YamlTree, AMebibyteIsReadAndOneByteMoreIsNot) {
    EXPECT_TRUE(read(std::string(kFileBytesMax, '\n')).tree);
    const auto [tree, findings] = read(std::string(kFileBytesMax + 1, '\n'));
    EXPECT_FALSE(tree);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].what, HasSubstr("more than 1MiB"));
}

TEST(YamlTree, TextsMadeToExhaustAParserAreRefused) {
    for (const std::string_view piece : {"[", "{", "- ", "? ", "&a ", "!", ":", "* ", "|", "? a\n",
                                         "--- [\n", "\"\\", "a: [", "{a: "}) {
        const auto [tree, findings] = read(repeated(piece, kFileBytesMax / piece.size()));
        EXPECT_FALSE(findings.empty()) << piece;
    }
    std::string laughs = "a0: &a0 [x, x]\n";
    for (int i = 1; i < 64; ++i)
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
                  std::to_string(i - 1) + ", *a" + std::to_string(i - 1) + "]\n";
    const auto [tree, findings] = read(laughs);
    EXPECT_FALSE(tree);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].what, "aliases are not read");
}

TEST(YamlTree, ATabThatIndentsIsNamedAndNotWhatTheParserMakesOfIt) {
    for (const std::string_view text :
         {"flow: x\nstates:\n\tcreated: {}\n", "flow: x\nstates:\n  a: {}\n  \tb: {}\n",
          "flow: x\nlist:\n\t- a\n\t- b: c\n"}) {
        const auto [tree, findings] = read(text);
        ASSERT_EQ(findings.size(), 1U) << text;
        EXPECT_EQ(findings[0].what, "this line is indented with a tab") << text;
        EXPECT_EQ(findings[0].remedy, "indent with spaces");
        EXPECT_EQ(findings[0].line, text.find("  \t") == text.npos ? 3 : 4) << text;
    }
    EXPECT_THAT(read("a:\t1\nb: |\n  x\n  \ty\n").findings, IsEmpty()) << "elsewhere it is text";
}

TEST(YamlTree, AnyPrefixOfAFileIsReadOrRefusedWithoutAThrow) {
    const std::string text =
        "listen: \"127.0.0.1:80\"\nroutes:\n  - { match: POST /o, key: { derive: [a, $.b] } }\n  - "
        "|\n    x\n  - &a !t 'y'\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const auto [tree, findings] = read(text.substr(0, length));
        EXPECT_TRUE(tree || !findings.empty()) << length;
    }
}

TEST(YamlTree, AnyByteIsReadOrRefusedWithoutAThrow) {
    for (int byte = 0; byte < 256; ++byte) {
        for (const std::string& text : {std::string(1, static_cast<char>(byte)),
                                        "a: " + std::string(1, static_cast<char>(byte)),
                                        "a: [b, " + std::string(3, static_cast<char>(byte))}) {
            const auto [tree, findings] = read(text);
            EXPECT_TRUE(tree || !findings.empty()) << byte;
        }
    }
}

}  // namespace
}  // namespace pawl::yaml
