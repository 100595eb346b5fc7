// SPDX-License-Identifier: Apache-2.0
// What a profile means beside its outcome table: what an identity is made of, what a request without a key is,
// how long is remembered, and in whose words refusals are spoken (rulings 12). A setting of the route's own goes
// before its profile's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/policy/route.hpp"

namespace pawl::policy {

// Beside tenant, caller and key.
enum class IdentityForm : std::uint8_t {
    operation,  // the route's stable name
    key_alone,  // nothing: another operation under the key is a mismatch
    path,       // the request's path
};

// The form of Pawl's own answers.
enum class Dialect : std::uint8_t {
    problem,  // RFC 9457
    stripe,   // {"error":{"type":…}}
    acp,      // {"type":…,"code":…}, Agentic Commerce Protocol
};

struct ProfileRow {
    Profile profile;
    IdentityForm identity;
    Dialect dialect;
    bool names_header;      // a route without `key:` takes the key from Idempotency-Key
    bool runs_without_key;  // a request without a key is passed on unprotected, and counted
    FingerprintRule::Mode fingerprint;
    std::chrono::milliseconds result;
    std::chrono::milliseconds key;
};

const ProfileRow& profile_row(Profile profile);

}  // namespace pawl::policy
