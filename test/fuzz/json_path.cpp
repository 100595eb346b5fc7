// SPDX-License-Identifier: Apache-2.0
// Any text as a JSON path: what is taken means the same when it is written step by step in brackets, and what is
// refused says so of a character of the text.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/key/json.hpp"
#include "runtime/result/assert.hpp"

namespace {

std::string in_brackets(const pawl::key::JsonPath& path) {
    std::string text = "$";
    for (const auto& step : path.steps) {
        if (step.index) {
            text += "[" + std::to_string(*step.index) + "]";
            continue;
        }
        text += "[\"";
        for (const char c : step.member) {
            if (c == '"' || c == '\\') text += '\\';
            text += c;
        }
        text += "\"]";
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    const auto path = pawl::key::parse_json_path(input);
    if (!path) {
        PAWL_ASSERT(path.error().code == pawl::Code::config_invalid);
        PAWL_ASSERT(path.error().text.find("character ") != std::string::npos);
        return 0;
    }
    PAWL_ASSERT(path->text == input && path->steps.size() <= pawl::key::kJsonDepthMax);
    const auto again = pawl::key::parse_json_path(in_brackets(*path));
    PAWL_ASSERT(again && again->steps.size() == path->steps.size());
    for (std::size_t i = 0; i < path->steps.size(); ++i)
        PAWL_ASSERT(again->steps[i].member == path->steps[i].member &&
                    again->steps[i].index == path->steps[i].index);
    return 0;
}
