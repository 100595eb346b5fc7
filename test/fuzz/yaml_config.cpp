// SPDX-License-Identifier: Apache-2.0
// Any text as a configuration. What is refused says where and what to write instead; what is taken is described as
// a file that loads to the same, and a variable of the environment changes only what it names.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/result/assert.hpp"
#include "surface/config/describe.hpp"
#include "surface/config/load.hpp"

namespace {

using namespace pawl::config;

void judge(const std::vector<pawl::policy::Finding>& findings) {
    for (const pawl::policy::Finding& finding : findings) {
        PAWL_ASSERT(!finding.what.empty() && finding.line >= 0 && finding.column >= 0);
        PAWL_ASSERT(!shown("pawl.yaml", finding).contains('\n'));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const auto loaded = load_config(text, {});
    if (!loaded) {
        PAWL_ASSERT(pawl::policy::has_errors(loaded.error()));
        judge(loaded.error());
        return 0;
    }
    PAWL_ASSERT(!pawl::policy::has_errors(loaded->warnings));
    judge(loaded->warnings);
    const std::string once = describe(loaded->config);
    const auto again = load_config(once, {});
    PAWL_ASSERT(again && describe(again->config) == once);
    return 0;
}
