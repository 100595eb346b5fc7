// SPDX-License-Identifier: Apache-2.0
// `services:`, where the calls of probes and sagas go.
//
//   services:
//     pay: http://127.0.0.1:9000
//     stock: { upstream: https://stock.internal, upstream_tls: { ca: authority.pem } }
#pragma once

#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_services(Reading& reading, Section& top, Services& services);

// A call of a probe or a saga: whose it is, and which service it goes to.
struct Called {
    std::string by;       // "probe_payment"
    std::string service;  // "pay", of `GET http://pay/orders`
};
// In the order of the file.
std::vector<Called> calls_of(const flow::Definition& flow);

}  // namespace pawl::config
