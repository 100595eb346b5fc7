// SPDX-License-Identifier: Apache-2.0
// The section `callers:`, by name the ways of knowing who calls, and what the process makes of it once its
// secrets are read.
//
//   callers:
//     main:
//       jwt: { algorithm: RS256, key: { file: issuer.pem }, issuer: https://id.example, audience: shop }
//     partners:
//       api_key: { header: X-Api-Key, secret: { env: PAWL_PARTNERS }, keys: [{ caller: acme, hash: 5f70… }] }
#pragma once

#include "core/caller/callers.hpp"
#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_callers(Reading& reading, Section& top, Config& config);

// `caller:` of a route or of the flows: `public`, or what says who calls.
void read_caller(Section& parent, policy::CallerRule& caller);

// Why nobody could be known by this rule; without a place.
std::optional<policy::Finding> unknown_caller_rule(const Config& config,
                                                   const policy::CallerRule& caller);

// Whether each route's caller is one that is configured. For a file that could be read.
void judge_callers(Reading& reading, const Config& config);

// After read_secrets(). Errors: config_invalid, naming the caller set.
Result<caller::Callers> callers_of(const Config& config);

}  // namespace pawl::config
