// SPDX-License-Identifier: Apache-2.0
// Whether this node should be sent requests. Red while it leaves, while results are in hand that the store
// has not taken, while the store's disk refuses what is written, and while the store's writer does not
// answer. A node that is red still answers what it can.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "gateway/home.hpp"
#include "runtime/task/group.hpp"
#include "store/port/records.hpp"

namespace pawl::api {

inline constexpr std::chrono::seconds kStorePatience{1};

struct ReadinessParts {
    Loop& loop;
    TaskGroup& group;  // takes a look at the store that outlasts its asker
    store::Records& records;
    std::vector<const gateway::HomeFigures*> homes;
};

struct Readiness {
    std::vector<std::string> reasons;  // empty: ready
    bool ready() const { return reasons.empty(); }
};

// What `parts` refers to outlives the task and its group.
Task<Readiness> readiness(ReadinessParts parts, bool leaving);

// {"ready": false, "reasons": [...]}
boost::json::object readiness_json(const Readiness& readiness);

}  // namespace pawl::api
