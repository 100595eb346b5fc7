// SPDX-License-Identifier: Apache-2.0
// A person's look at what flows send out, and words about it: rows of the outbox that are parked, and sagas that need
// somebody. Every word names who says it and why; that is told to the log, and of a saga it stays with it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/calls/saga_runner.hpp"
#include "net/http/message.hpp"
#include "store/port/outbox.hpp"
#include "stream/relays.hpp"
#include "surface/api/query.hpp"

namespace pawl::api {

inline constexpr std::size_t kErrandsListedMax = 1'000;

// All outlive what is asked of it. `flows`, `sagas` and `outbox` are of the loop `here`.
struct ErrandDesk {
    Loop& here;
    store::Flows& flows;
    store::Sagas& sagas;
    store::Outbox& outbox;
    stream::Relays& relays;
    engine::SagaRunner& runner;
    std::function<void(const std::string&)> told;  // a line for the log
};

struct ErrandWord {
    std::string reason;
    std::string by;    // by their own account
    std::string from;  // the peer's address
};
struct SinkWord {
    ErrandWord word;
    std::string sink;
};
struct SagaWord {
    ErrandWord word;
    std::uint64_t number = 0;
    bool skips = false;  // else it is tried again
};

// Shape: {"sink", "reason"} and optionally "by". Errors: request_invalid.
Result<SinkWord> parse_sink_word(std::string_view body);
// Shape: {"saga": "17", "outcome": "retry" | "skip", "reason"} and optionally "by". Errors: request_invalid.
Result<SagaWord> parse_saga_word(std::string_view body);

// `sinks` with their figures and how each stands, and `parked` rows with the reason; `sink=`, `limit=`.
Task<http::Response> list_outbox(ErrandDesk& desk, Query query);
// `sagas`, `more`; `state=` (also `open`: not done, with those that cannot be read; without: all), `after=`, `limit=`.
Task<http::Response> list_sagas(ErrandDesk& desk, Query query);
// 200 with how many go out again. 404 for a sink that there is not.
Task<http::Response> redrive(ErrandDesk& desk, SinkWord asked);
// 200 when nothing is kept any more for a sink of a former configuration. 409 `conflict` for a present one.
Task<http::Response> drop_sink(ErrandDesk& desk, SinkWord asked);
// 200 with the saga's state. 404; 409 `conflict` for one that does not wait for a person.
Task<http::Response> move_saga(ErrandDesk& desk, SagaWord asked);

}  // namespace pawl::api
