// SPDX-License-Identifier: Apache-2.0
// Any bytes as a PEM and as a signature. A key that is taken is of a kind that is used here; no signature that was
// not made with a key is believed, and reading one leaves the next reading alone.
#include <cstdint>
#include <string_view>

#include "runtime/codec/signature.hpp"
#include "runtime/result/assert.hpp"

namespace {

constexpr std::string_view kP256 =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n"
    "6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"
    "-----END PUBLIC KEY-----\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    const auto key = pawl::PublicKey::parse(input);
    if (!key)
        PAWL_ASSERT(key.error().code == pawl::Code::config_invalid && !key.error().text.empty());
    if (key) PAWL_ASSERT(!key->verifies("what was said", input));
    static const auto kOurs = pawl::PublicKey::parse(kP256);
    PAWL_ASSERT(kOurs && kOurs->kind() == pawl::PublicKey::Kind::p256);
    PAWL_ASSERT(!kOurs->verifies("what was said", input));
    PAWL_ASSERT(!kOurs->verifies(input, input.substr(0, 64)));
    return 0;
}
