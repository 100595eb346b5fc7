// SPDX-License-Identifier: Apache-2.0
// Small commits beside those of entities, as values: what runners, relays, sweepers and people write. One way from
// each to its rows (errand_rows.hpp), so that every store does the same and writes them with the same flush.
#pragma once

#include "store/port/id_windows.hpp"
#include "store/port/outbox.hpp"
#include "store/port/sagas.hpp"

namespace pawl::store {

struct Retire {
    std::size_t limit = 0;
    std::int64_t older_than_ms = 0;
    bool keeps_entities = false;  // only what was closed goes
};
// A sink is named for the first time.
struct OpenSink {
    std::string sink;
    bool from_the_beginning = false;
};
// Without any: what has been sent already is passed over.
struct Delivered {
    std::string sink;
    std::vector<Delivery> deliveries;
};
struct Redrive {
    std::string sink;
};
struct DropSink {
    std::string sink;
};
struct ExtendWindow {
    id::Machine machine;
    std::int64_t until_ms = 0;
};

using Errand = std::variant<CloseAttention, Retire, SagaMove, OpenSink, Delivered, Redrive,
                            DropSink, ExtendWindow>;
// What each says, as a number: true or false, which, how many, or what was there before.
using ErrandReply = Result<std::int64_t>;

}  // namespace pawl::store
