// SPDX-License-Identifier: Apache-2.0
// Where events go. A sink knows its receiver, its wire and what an answer means; when to send what, and what a failure
// costs, is the relay's.
//
//   what came of it                                            | kind    | the relay
//   -----------------------------------------------------------+---------+-------------------------------------------
//   the receiver has it, and said so                           | sent    | writes it down
//   the receiver will not have this event (most of 4xx)        | refused | counts a try of the row; parks it at last
//   it failed, and who is to blame cannot be told (5xx, 401,   | failed  | pauses the endpoint; the row is counted
//   404, no answer)                                            |         | only when others pass while it fails
//   the receiver could not be reached, or asks for patience    | away    | pauses the endpoint; never counts the row
//   the receiver is no more (410)                              | gone    | stops the endpoint
#pragma once

#include <chrono>
#include <vector>

#include "runtime/task/task.hpp"
#include "stream/event.hpp"

namespace pawl::stream {

struct Delivered {
    enum class Kind : std::uint8_t { sent, refused, failed, away, gone };
    Kind kind = Kind::sent;
    std::string said{};                       // not sent: why, in our words
    std::chrono::milliseconds retry_after{};  // that the receiver asked for
};

class Sink {
  public:
    virtual ~Sink() = default;
    // So many events are given at once at most, and so many calls are under way at once. Of one entity never two.
    virtual std::size_t batch_max() const = 0;
    virtual std::size_t parallel_max() const = 0;
    // One word per event, in their order. Ends in bounded time. Cancel: never.
    virtual Task<std::vector<Delivered>> deliver(std::vector<Event> events) = 0;
};

}  // namespace pawl::stream
