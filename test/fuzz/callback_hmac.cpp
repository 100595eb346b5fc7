// SPDX-License-Identifier: Apache-2.0
// Any bytes as a body that some sender signed, under every form of signature, and as its signature. The first byte
// chooses the form.
#include <cstdint>

#include "reading_rules.hpp"

namespace {

using namespace pawl::callback;

const std::string kSecret = "a secret of sixteen bytes or more";

HmacAccount account_of(unsigned choice) {
    HmacAccount account;
    account.secrets = {kSecret};
    account.signature_header = "X-Signature";
    if ((choice & 1U) != 0) account.signature_prefix = "sha256=";
    if ((choice & 2U) != 0) account.encoding = HmacAccount::Encoding::base64;
    if ((choice & 4U) != 0) account.time_header = "X-Time";
    account.event_id = *pawl::key::parse_json_path("$.id");
    account.mapping = plain_mapping();
    account.mapping.minor_units = (choice & 8U) == 0;
    return account;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const HmacAccount hmac = account_of(bytes[0]);
    const std::string input(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    const std::string time = std::to_string(kNowS);
    const auto mac =
        pawl::hmac_sha256(kSecret, hmac.time_header.empty() ? input : time + "." + input);
    const std::string text = hmac.encoding == HmacAccount::Encoding::hex
                                 ? pawl::to_hex(mac.view())
                                 : pawl::to_base64(mac.view());
    check_refused({"fuzz", hmac}, {{{"X-Time", time}, {"X-Signature", input}}, input});
    check_signed({"fuzz", hmac},
                 {{{"X-Time", time}, {"X-Signature", hmac.signature_prefix + text}}, input});
    return 0;
}
