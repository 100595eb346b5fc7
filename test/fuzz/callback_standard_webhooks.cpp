// SPDX-License-Identifier: Apache-2.0
// Any bytes as a body of Standard Webhooks, signed and not, and as each of its headers.
#include <cstdint>

#include "reading_rules.hpp"

namespace {

using namespace pawl::callback;

const std::string kSecret = "twenty-four bytes, 24 of";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const Account kAccount{"fuzz", StandardWebhooksAccount{{kSecret}, plain_mapping()}};
    const std::string input(reinterpret_cast<const char*>(bytes), size);
    const Notification good = standard_signed(kSecret, "{}");
    for (const Header& header : good.headers) {
        Notification other = good;
        if (header.value == input) continue;
        header_of(other, header.name) = input;
        // Among words of other versions the good one stays good.
        if (input.find(good.headers[2].value) == std::string::npos) check_refused(kAccount, other);
    }
    check_signed(kAccount, standard_signed(kSecret, input));
    check_signed(kAccount, standard_signed(kSecret, "{}", input.empty() ? "msg" : input));
    return 0;
}
