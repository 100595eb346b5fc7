// SPDX-License-Identifier: Apache-2.0
// Any bytes as a notification of WeChat Pay's, unsigned, signed, and as the news sealed in one: its first line is the
// type of the event.
#include <cstdint>

#include "../callback/provider_key.hpp"
#include "reading_rules.hpp"
#include "runtime/codec/aead.hpp"

namespace {

using namespace pawl::callback;

const std::string kApiKey = "thirty-two bytes of an APIv3 key";
const std::string kNonce = "twelve bytes";

const ProviderKey& key() {
    static const ProviderKey made;
    return made;
}

Notification notification_of(const std::string& body, const std::string& signature) {
    return {{{"Wechatpay-Timestamp", std::to_string(kNowS)},
             {"Wechatpay-Nonce", "nonce"},
             {"Wechatpay-Serial", "S1"},
             {"Wechatpay-Signature", signature}},
            body};
}
Notification signed_body(const std::string& body) {
    return notification_of(body, key().sign(std::to_string(kNowS) + "\nnonce\n" + body + "\n"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const Account kAccount{
        "fuzz", WechatAccount{"190", "wx1", {{"S1", key().for_merchants()}}, {kApiKey}}};
    const std::string input(reinterpret_cast<const char*>(bytes), size);
    check_refused(kAccount, notification_of("{}", input));
    check_signed(kAccount, signed_body(input));
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string type = input.substr(0, line);
    const std::string news = input.substr(std::min(line + 1, input.size()));
    check_signed(
        kAccount,
        signed_body(fmt::format(
            R"({{"id":"EV-1","event_type":"{}","resource":{{"algorithm":"AEAD_AES_256_GCM","nonce":"{}",)"
            R"("ciphertext":"{}","associated_data":"transaction"}}}})",
            type, kNonce, pawl::to_base64(pawl::aead_seal(kApiKey, kNonce, "transaction", news)))));
    return 0;
}
