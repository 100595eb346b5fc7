// SPDX-License-Identifier: Apache-2.0
// A signature line, then a body: nothing is believed that was not signed, and what is understood of a report has one
// meaning.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/caller/report_signature.hpp"
#include "runtime/result/assert.hpp"
#include "surface/api/callback_port.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace pawl;
    constexpr std::string_view kSecret = "a secret that no input knows";
    constexpr std::string_view kRef = "op_23N0XnzkLiXGMdXyhjRmIEBU5kxqy2tpt-p6C1dATgM";
    constexpr std::int64_t kNowMs = 1'764'000'000'000;
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    const std::size_t line = std::min(input.find('\n'), size);
    const std::string_view body = input.substr(std::min(line + 1, size));

    const auto judged =
        caller::check_report_signature(kSecret, input.substr(0, line), kRef, body, kNowMs);
    PAWL_ASSERT(!judged && judged.error().code == Code::caller_unknown);
    const std::string good = caller::sign_report(kSecret, kRef, body, kNowMs / 1'000);
    PAWL_ASSERT(caller::check_report_signature(kSecret, good, kRef, body, kNowMs));

    const auto report = api::parse_report(body);
    if (!report) {
        PAWL_ASSERT(report.error().code == Code::request_invalid && !report.error().text.empty());
        return 0;
    }
    PAWL_ASSERT(report->fence.number > 0);
    PAWL_ASSERT(!report->closed || !report->applied);
    if (!report->answer) return 0;
    PAWL_ASSERT(report->applied && report->answer->status >= 200 && report->answer->status <= 599);
    for (const auto& [name, value] : report->answer->headers)
        PAWL_ASSERT(!name.empty() && value.find_first_of("\r\n") == std::string::npos);
    return 0;
}
