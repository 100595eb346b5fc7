// SPDX-License-Identifier: Apache-2.0
// A compensation as people see it, the same in the list and at the order that began it. One whose row cannot be read is
// shown as damaged: money may hang on it.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "runtime/task/task.hpp"
#include "store/port/flows.hpp"
#include "store/port/sagas.hpp"

namespace pawl::api {

// Shape: saga (its number), key, state (also `damaged`; then only `said` besides), name, tenant, flow, id, version,
// values, tries, said (why the latest try failed; of one that is done, what was answered), and while it runs next_at.
boost::json::object saga_view(const store::SagaRow& row);

// Those that began with these steps, in the order in which they began.
Task<Result<boost::json::array>> sagas_of(store::Sagas& sagas, std::vector<store::FlowStep> steps);

}  // namespace pawl::api
