// SPDX-License-Identifier: Apache-2.0
// Any field lines: a key that is taken keeps its limits, and says the same in its quoted form.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/key/key_syntax.hpp"
#include "runtime/result/assert.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    std::vector<std::string_view> lines;
    for (std::size_t from = 0; from <= size;) {
        const std::size_t to = std::min(input.find('\n', from), size);
        lines.push_back(input.substr(from, to - from));
        from = to + 1;
    }
    const auto key = pawl::key::key_from_header(lines);
    if (!key) {
        PAWL_ASSERT(key.error().code == pawl::Code::key_invalid && !key.error().text.empty());
        return 0;
    }
    PAWL_ASSERT(lines.size() == 1 && !key->empty() && key->size() <= pawl::key::kKeyBytesMax);
    std::string quoted = "\"";
    for (const char c : *key) {
        PAWL_ASSERT(c > ' ' && c < 0x7F);
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    quoted += '"';
    PAWL_ASSERT(pawl::key::key_from_header({quoted}) == *key);
    PAWL_ASSERT(pawl::key::key_from_text(*key) == *key);
    return 0;
}
