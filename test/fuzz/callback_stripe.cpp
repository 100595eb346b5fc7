// SPDX-License-Identifier: Apache-2.0
// Any bytes as an event of Stripe's, signed and not, and as its signature header.
#include <cstdint>

#include "reading_rules.hpp"

namespace {

using namespace pawl::callback;

const std::string kSecret = "whsec_0123456789abcdef";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const Account kAccount{"fuzz", StripeAccount{.secrets = {kSecret}}};
    const std::string input(reinterpret_cast<const char*>(bytes), size);
    check_refused(kAccount, {{{"Stripe-Signature", input}}, "{}"});
    check_refused(kAccount, {{{"Stripe-Signature", "t=1764000000,v1=" + input}}, input});
    check_signed(kAccount, stripe_signed(kSecret, input));
    return 0;
}
