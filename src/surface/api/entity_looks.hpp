// SPDX-License-Identifier: Apache-2.0
// What the admin port is asked about entities of flows: to list them, to find them by a word, to explain one.
#pragma once

#include <boost/json/object.hpp>

#include "engine/machines.hpp"
#include "store/port/flows.hpp"
#include "store/port/records.hpp"
#include "store/port/sagas.hpp"
#include "surface/api/query.hpp"

namespace pawl::api {

// Shape: of /admin/v1/flows, of its /find or /waiting, else of its /timeline. `flows`: nullptr where none are served.
// `sagas`: nullptr where none are carried out. Errors: request_invalid, not_found, unavailable.
Task<Result<boost::json::object>> look_at_entities(store::Flows* flows, store::Sagas* sagas,
                                                   store::Records& records,
                                                   std::shared_ptr<const engine::Machines> machines,
                                                   Query query);

}  // namespace pawl::api
