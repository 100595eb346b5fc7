// SPDX-License-Identifier: Apache-2.0
// Pawl's own answers in the words of a profile, so that the client libraries of its world understand them.
//
//   what                            problem (RFC 9457)   stripe                          acp
//   another body under the key      422 key_reused       400 idempotency_error           422 idempotency_conflict
//   still running                   409 in_progress      409 idempotency_key_in_use      409 idempotency_in_flight
//   key missing                     400 key_missing      400 (only where it is required) 400 idempotency_key_required
//   nobody knows, or no answer      409, 502 uncertain   500 api_error                   500 processing_error
//   everything else                 its own              its own, error type by status   its own, type by status
#pragma once

#include "core/policy/profile.hpp"
#include "net/http/problem.hpp"

namespace pawl::gateway {

// Headers beside Content-Type and Retry-After are the caller's to add. Where the form has no place for the
// operation's reference, it is in the header Pawl-Operation.
http::Response in_dialect(policy::Dialect dialect, const http::Problem& problem);

}  // namespace pawl::gateway
