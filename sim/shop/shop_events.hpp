// SPDX-License-Identifier: Apache-2.0
// What the shop's auditors are told: commits as the store makes them, answers as they leave a node, and at the
// end all that the store holds. References are good for the length of the telling.
#pragma once

#include <set>

#include "sim/shop/notice.hpp"
#include "store/port/sagas.hpp"

namespace pawl::sim {

struct ShopCommit {
    const store::FlowCommit& commit;
    const store::FlowReply& reply;
    const std::optional<flow::Entity>& before;  // as it was last seen; the store's, by id
    const std::optional<flow::Entity>& after;
    const std::map<stock::Sku, stock::Level>& levels;  // of what the commit moves, after it
};

struct ShopAnswer {
    const Wish& wish;
    const engine::Outcome& outcome;
    std::int64_t sent_ms = 0;  // store time when the request was sent
};

// What a notification was answered, as its acknowledgement leaves a node.
struct ShopHeard {
    const Notice& notice;
    int status = 0;
    bool clock_stepped = false;  // since it was signed
};

struct Story {
    flow::Entity entity;
    std::vector<store::FlowStep> steps;
};

// An entity that retention has just taken away, as it was.
struct ShopRetired {
    const Story& story;
    const std::vector<store::SagaRow>& sagas;  // all that there are
    std::int64_t now_ms = 0;                   // store time, or a little earlier
};

// A refund as the service that makes it wrote it down.
struct Refund {
    std::string transaction;
    std::string key;  // that it came with
    std::string amount;
};

// Done for what was paid, as whoever did it wrote it down.
struct Work {
    std::string entity;
    std::string step;
    std::string key;
};

// An outgoing event as its receiver got it, in the order of arrival; repeats too.
struct Received {
    std::string flow;
    std::string entity;
    std::string type;
    std::string id;  // the event's own
};

// When everything has come to rest, or should have.
struct ShopEnding {
    std::vector<Story> stories;  // of those that were taken away too
    std::map<stock::Sku, stock::Level> levels;
    std::vector<store::WaitingEntry> waiting;
    std::vector<store::AttentionEntry> attention;
    std::vector<store::SagaRow> sagas;
    std::vector<Refund> refunds;
    std::vector<Work> works;
    std::vector<Received> received;
    std::int64_t now_ms = 0;         // store time
    std::int64_t next_due_ms = 0;    // the earliest deadline
    std::vector<Number> unanswered;  // wishes whose senders still wait
    std::size_t unacknowledged = 0;  // facts that are reported still
};

}  // namespace pawl::sim
