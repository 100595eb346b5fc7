// SPDX-License-Identifier: Apache-2.0
// Broken configurations and the whole of what is said about each, so that a change of wording is seen. Rows stand in
// one test for each section of the file.
#pragma once

#include <ostream>

#include "surface/config/config_fixture.hpp"

namespace pawl::config {

// A file without a finding.
inline constexpr std::string_view kGood = R"(routes:
  - match: POST /o
    upstream: demo
    key: { header: K }
    caller: { header: U }
    uncertain: { close: "POST /c/{operation_key}" }
)";

// The good file with lines before it, with lines more in its route, and with one setting written otherwise.
inline std::string top(std::string_view lines) {
    return std::string(lines).append("\n").append(kGood);
}
inline std::string plus(std::string lines) {
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 1))
        lines.insert(at + 1, "    ");
    return std::string(kGood).append("    ").append(lines).append("\n");
}
inline std::string with(std::string_view name, std::string_view value) {
    std::string text(kGood);
    const auto at = text.find(std::string(name) + ": ") + name.size() + 2;
    return text.replace(at, text.find('\n', at) - at, value);
}

struct BrokenFile {
    std::string name;
    std::string text;
    std::vector<std::string> said;
};
inline void PrintTo(const BrokenFile& file, std::ostream* out) { *out << file.text; }

// INSTANTIATE_TEST_SUITE_P(Files, Broken, testing::ValuesIn(rows()), name_of_broken).
class Broken : public testing::TestWithParam<BrokenFile> {};
inline std::string name_of_broken(const testing::TestParamInfo<BrokenFile>& tested) {
    return tested.param.name;
}

}  // namespace pawl::config
