// SPDX-License-Identifier: Apache-2.0
// From a request to the name of its operation: which key, and, where there is none, the natural key that stops a
// double click. Who calls is known before (who.hpp) and part of that name.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/policy/compiled_route.hpp"
#include "core/record/stamp.hpp"
#include "net/http/message.hpp"
#include "runtime/codec/digest.hpp"
#include "runtime/entropy/entropy.hpp"
#include "runtime/result/result.hpp"

namespace pawl::gateway {

// What can be said of the key from the head alone, before a byte of the body is taken.
// Errors: key_missing, key_invalid, version_invalid.
Status check_key_in_head(const policy::Route& route, const http::RequestHead& head);

// What a fingerprint is made of. Good as long as the request and the body.
key::Fingerprinted fingerprinted(const http::Request& request, std::string_view body);

struct Keyed {
    Digest identity;
    Digest fingerprint;
    std::string label;  // the key as sent, or what it was derived from
    std::string line;   // the header's value as received, empty when it came another way
    std::optional<record::Stamp> stamp;  // the version that it is, where the route has versions
    std::chrono::milliseconds
        window{};  // above 0: a natural key, good for so long after the first has settled
};
// Errors: key_missing, key_invalid, version_invalid, request_invalid (the body is not what the route's rules
// need), unavailable (the body cannot be read back).
// `client` is where the request came from: anonymous clients have nothing else of their own, and a natural key
// must not make one of two of them.
Result<Keyed> key_of(const policy::CompiledRoute& route, const http::Request& request,
                     const std::string& tenant, const std::string& caller, std::string_view client,
                     Entropy& entropy);

}  // namespace pawl::gateway
