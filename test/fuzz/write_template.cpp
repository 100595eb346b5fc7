// SPDX-License-Identifier: Apache-2.0
// Any target: the pattern that is suggested for it can be written into a file, and the target fits it.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/policy/matcher.hpp"
#include "core/policy/write_counts.hpp"
#include "runtime/result/assert.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace pawl::policy;
    const std::string_view target(reinterpret_cast<const char*>(bytes), size);
    const auto path = path_template(target);
    if (!path) return 0;
    PAWL_ASSERT(path->size() <= kWriteTemplateLengthMax);
    for (const char c : *path) PAWL_ASSERT(c > ' ' && c < 0x7f && c != '"' && c != '\\');
    Matcher matcher;
    PAWL_ASSERT(matcher.add({"POST", *path, ""}, 0).has_value());
    PAWL_ASSERT(matcher.find("POST", "", target, nullptr).has_value());
    return 0;
}
