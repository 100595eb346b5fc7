// SPDX-License-Identifier: Apache-2.0
// The parts of the OpenAPI document that are the same for every flow: how values are written, parameters,
// answers, and what an entity has beside its fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "core/flow/value.hpp"

namespace pawl::flow_api {

// As a request writes it; as an answer shows it.
boost::json::object schema_of(flow::FieldType type);
boost::json::object shown_schema(flow::FieldType type);
// Of what a payment has to say the same of.
boost::json::object amount_schema();
boost::json::object currency_schema();
boost::json::object business_key_schema();
boost::json::object items_schema();
boost::json::object stock_change_schema();
// An id with its check code, as answers show it.
boost::json::object checked_id_schema();
// An entity without `flow`, `state` and `fields`.
boost::json::object entity_frame();
boost::json::object page_schema(std::string_view flow);
// Problem, Acknowledgement, Timeline, Level.
boost::json::object shared_schemas();
boost::json::object shared_parameters();

boost::json::object reference(std::string_view schema);
boost::json::object parameter(std::string_view name);
boost::json::array page_parameters();
boost::json::object answer(std::string_view what, boost::json::object schema);

// A call that is made once by its key. `flow` empty: the answer is no entity. `status`: of success.
boost::json::object keyed(std::string id, std::string summary, boost::json::object body,
                          std::string_view flow, int status);
boost::json::object reading(std::string id, std::string summary, boost::json::object schema,
                            boost::json::array parameters, bool by_etag = false);

}  // namespace pawl::flow_api
