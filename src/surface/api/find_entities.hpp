// SPDX-License-Identifier: Apache-2.0
// "What happened to this order?", by whatever is at hand of it. Several entities may fit; none is an identity.
//
//   the word is                             looked for in
//   an id, alone or with its check code     each flow
//   a business key                          each flow
//   a trace id, or a traceparent            the records of calls, as long as their results are kept
//   a support id                            the entities of its millisecond
//   anything: a provider's number of a      facts that wait, entries for people, open or closed, refunds that have
//     payment, another field's value        begun, and the facts and fields of the newest entities
//                                           (kLookedThroughMax of each)
//
// The last is a search, not a look-up, and is only made where the others found nothing.
#pragma once

#include "engine/machines.hpp"
#include "store/port/records.hpp"
#include "store/port/sagas.hpp"
#include "surface/api/flow_lists.hpp"

namespace pawl::api {

inline constexpr std::size_t kLookedThroughMax = 100'000;
inline constexpr std::size_t kWaitingLookedThroughMax = 10'000;

// Where it is looked for; all of one loop, and outliving the search.
struct SearchedStores {
    store::Flows& flows;
    store::Sagas* sagas;  // nullptr: none are carried out here
    store::Records& records;
};

struct WantedEntity {
    std::string tenant;
    std::string word;
};

// Shape: found: [{by, entity, support_id, entries}], waiting: [{flow, event, …}], attention: entries about no entity
// that is there, `looked_through`: how many of the newest entities were searched, 0 where a look-up led there.
// Errors: not_found; request_invalid, an empty word.
Task<Result<boost::json::object>> find_entities(SearchedStores stores,
                                                std::shared_ptr<const engine::Machines> machines,
                                                WantedEntity wanted,
                                                std::size_t looked_through_max = kLookedThroughMax);

}  // namespace pawl::api
