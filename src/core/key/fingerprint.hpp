// SPDX-License-Identifier: Apache-2.0
// What must be equal for a repeat to be a repeat: SHA-256 over method, normalised target and body, the
// body raw or in canonical form. The digest of the rule is stored with it, so that a retry is compared
// under the rule its record was made with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/key/json.hpp"
#include "runtime/codec/digest.hpp"

namespace pawl::key {

enum class BodyForm : std::uint8_t {
    raw,
    canonical,
    automatic
};  // automatic: canonical for JSON bodies

struct FingerprintRule {
    BodyForm form = BodyForm::automatic;
    CanonicalRule json;
    bool host = false;  // the host takes part: one upstream serves several by it
};

// Covers the form, the paths, the version of the algorithm, and whether the host takes part.
Digest digest_of(const FingerprintRule& rule);

struct Fingerprinted {
    std::string_view method;
    std::string_view target;        // path and query as received
    std::string_view content_type;  // as received
    std::string_view body;
    std::string_view host{};  // the Host line's value as received
};
// Errors: request_invalid when the rule demands JSON (`canonical`) and the body is not. Under `automatic` a
// body that claims to be JSON and is not is taken raw.
Result<Digest> fingerprint(const FingerprintRule& rule, const Fingerprinted& request);

// The part of a Host line by which services tell hosts apart: in small letters, without the port.
std::string host_name(std::string_view host);

// Percent-encoding of unreserved characters undone, hex in upper case, everything else untouched ("%2F"
// stays distinct from "/").
std::string normalise_target(std::string_view target);

// application/json and every "+json".
bool is_json(std::string_view content_type);

}  // namespace pawl::key
