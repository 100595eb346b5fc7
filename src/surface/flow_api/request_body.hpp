// SPDX-License-Identifier: Apache-2.0
// The bodies of flow calls, read strictly. Creation and events are flat: fields beside `items` and, for
// creation, `business_key`, the names that no field can have. Numbers stay text, so that 12.50 and 2^53 + 1
// arrive as they were written.
//
//   {"business_key": "B1", "amount": "12.50", "currency": "EUR", "items": [{"sku": "A", "quantity": 2}]}
//
//   field's type      may be written as
//   text              a string; a whole number, as its digits, unless a double may have rounded it
//   integer, money    a number, a string
//   boolean           true, false, a string
//   time              a string
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/flow/event.hpp"
#include "core/flow/machine.hpp"
#include "core/flow/refusal.hpp"
#include "core/stock/lines.hpp"
#include "runtime/result/result.hpp"
#include "store/port/flows.hpp"

namespace pawl::flow_api {

// Of what a flow can hold: 500 items and 100 fields of 4,096 bytes, with what is around them.
inline constexpr std::size_t kBodyBytesMax = 1U << 20;

struct Given {
    flow::Given values;
    std::vector<stock::Line> items;
    std::string business_key;
};

// What is wrong with a body: the code of the answer, and where, and what to write instead.
struct BodyError {
    bool of_field = false;  // field_invalid; else request_invalid
    std::string text;
};
template <class T>
using Read = std::expected<T, BodyError>;

// `event`: the rule whose values these are; of creation, the flow's `create`. An empty body says nothing.
Read<Given> read_given(std::string_view body, const flow::Definition& flow,
                       const flow::EventRule& event);

// {"set": 100} or {"adjust": -3}, with "kind": "goods" (so without it) or "voucher".
Read<store::StockChange> read_stock_change(std::string_view body, std::string sku);

}  // namespace pawl::flow_api
