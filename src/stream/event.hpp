// SPDX-License-Identifier: Apache-2.0
// One outgoing event as consumers get it: a document after cloudevents.io 1.0 (JSON format), the same bytes however
// often it is sent. Its id is made of what it is about, so that a repeat after a crash, or from another copy of the
// store, has the same one and a consumer can drop it (O2).
#pragma once

#include <cstdint>
#include <string>

#include "store/port/outbox.hpp"

namespace pawl::stream {

struct Event {
    std::uint64_t number = 0;  // of the store's row
    std::string id;
    std::string type;
    std::string flow;
    std::string entity;
    std::string trace_context;  // as a traceparent; empty: none
    std::string body;           // the document, in one line without its end
};

// Of tenant, flow, id and version: 32 hexadecimal digits.
std::string event_id(const store::FlowSubject& subject, std::uint64_t version);

Event event_of(const store::OutboxRow& row);

}  // namespace pawl::stream
