// SPDX-License-Identifier: Apache-2.0
// Any bytes as a form of Alipay's: unsigned it is refused; when it is a form, it is signed and read.
#include <cstdint>

#include "../callback/provider_key.hpp"
#include "core/callback/form.hpp"
#include "reading_rules.hpp"

namespace {

using namespace pawl::callback;

const ProviderKey& key() {
    static const ProviderKey made;
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const Account kAccount{"fuzz",
                                  AlipayAccount{.app_id = "2015", .keys = {key().for_merchants()}}};
    const std::string input(reinterpret_cast<const char*>(bytes), size);
    check_refused(kAccount, {{}, input});
    auto form = parse_form(input);
    if (!form || form->contains("sign") || form->contains("sign_type") ||
        form->size() + 2 > kFormParametersMax)
        return 0;
    std::string said;
    for (const auto& [name, value] : *form) said += (said.empty() ? "" : "&") + name + "=" + value;
    std::string sign = key().sign(said);
    for (std::size_t at = 0; (at = sign.find('+', at)) != std::string::npos;)
        sign.replace(at, 1, "%2B");
    check_signed(kAccount, {{}, input + "&sign_type=RSA2&sign=" + sign});
    return 0;
}
