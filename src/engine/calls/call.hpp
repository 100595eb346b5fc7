// SPDX-License-Identifier: Apache-2.0
// A call as a flow file writes it, `POST http://pay/refunds/{business_key}`, made ready to be sent. The host is the
// name of a service of the configuration, or where there is none of that name the host itself. Values are
// percent-encoded, so that none leads elsewhere than the file says.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/flow/event.hpp"
#include "core/policy/upstream.hpp"
#include "net/http/service.hpp"
#include "runtime/result/result.hpp"

namespace pawl::engine {

using Services = std::map<std::string, policy::Upstream>;  // by the name in a call

struct Call {
    http::Target target;
    http::Request request;  // with Host; without a body
};

// Errors: config_invalid (no such method, address or port), request_invalid (a name stands in it that nothing has
// told, or whose value cannot be a part of a path); the text says which.
Result<Call> make_call(std::string_view written, const flow::Given& names,
                       const Services& services);

// What may stand in braces: id, business_key and flow, then the entity's fields.
flow::Given names_of(const flow::Entity& entity);

}  // namespace pawl::engine
