// SPDX-License-Identifier: Apache-2.0
// Any header as the signature of a report, alone and behind one that is good: nothing is believed but what the secret
// made, about this subject, and lately; and a good one stays good among members of other names.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/caller/report_signature.hpp"
#include "runtime/result/assert.hpp"

namespace {

constexpr std::string_view kSecret = "a secret of thirty-two bytes, 32";
constexpr std::int64_t kNow = 1'800'000'000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace pawl::caller;
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    const auto check = [](std::string_view header, std::string_view body) {
        return check_report_signature(kSecret, header, "op_1", body, kNow * 1'000);
    };
    const auto alone = check(input, "{}");
    PAWL_ASSERT(!alone && alone.error().code == pawl::Code::caller_unknown);
    PAWL_ASSERT(!alone.error().text.empty());

    const std::string good = sign_report(kSecret, "op_1", input, kNow);
    PAWL_ASSERT(check(good, input));
    PAWL_ASSERT(!check(good, std::string(input) + "!"));
    PAWL_ASSERT(!check(sign_report(kSecret, "op_2", input, kNow), input));
    PAWL_ASSERT(!check(sign_report(kSecret, "op_1", input, kNow + 301), input));
    const bool others =
        input.find("t=") == std::string_view::npos && input.find("v1=") == std::string_view::npos;
    if (others) PAWL_ASSERT(check(good + "," + std::string(input), input));
    return 0;
}
