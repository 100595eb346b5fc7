// SPDX-License-Identifier: Apache-2.0
// `body:` of a callback account whose sender makes its own bodies: where things stand in them.
//
//   body: { type: $.type, kinds: { payment.paid: paid }, order: $.order, transaction: $.id, amount: $.amount }
#pragma once

#include "core/callback/account.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_callback_body(Section& entry, callback::JsonMapping& mapping);

// A JSON path. True when it was given and good.
bool read_path(Section& section, std::string_view name, key::JsonPath& target);

// "paid", "closed", "refunded".
std::optional<callback::FactKind> fact_kind_from(std::string_view name);
std::span<const std::string_view> fact_kind_names();

}  // namespace pawl::config
