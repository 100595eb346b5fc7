// SPDX-License-Identifier: Apache-2.0
// One order, booking, payment, box: everything that its row holds. The version counts its history: row n of
// the history made version n, and nothing but a bundle that carries version n - 1 makes it (L2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/flow/value.hpp"
#include "core/record/stamp.hpp"
#include "core/stock/lines.hpp"
#include "core/stock/reservation.hpp"
#include "core/timer/deadline.hpp"
#include "runtime/codec/digest.hpp"

namespace pawl::flow {

using Texts = std::vector<std::pair<std::string, std::string>>;

// Whose a unique fact, a slot or a business key is.
struct Holder {
    std::string id;
    std::uint64_t version = 0;  // that the event made; 0: none, a person has settled it by hand
    std::string by;             // the caller, or that person
    std::int64_t at_ms = 0;
    bool operator==(const Holder&) const = default;
};

// A unique fact as the store keeps it.
struct Fact {
    Digest key;
    std::string event;
    Texts values;                       // by name: what sagas are keyed by
    std::vector<std::string> while_in;  // empty: for ever
    Holder holder;
    bool operator==(const Fact&) const = default;
};

// [from, to): texts of times in UTC sort as the times do.
struct Slot {
    std::string resource;
    std::string from;
    std::string to;
    std::vector<std::string> while_in;
    Holder holder;
    bool operator==(const Slot&) const = default;
};

struct HeldStock {
    stock::Sku sku;
    stock::Reservation reservation;
    bool operator==(const HeldStock&) const = default;
};

// The last time that an event took effect, and the highest stamp that it carried.
struct Mark {
    std::string event;
    std::optional<record::Stamp> stamp;
    std::uint64_t version = 0;  // 0: only the stamp is known, the event was compensated
    std::string by;
    std::int64_t at_ms = 0;
    bool operator==(const Mark&) const = default;
};

struct Entity {
    std::string id;
    std::string tenant;
    std::string flow;
    std::string state;
    std::uint64_t version = 0;
    std::int64_t created_ms = 0;
    std::string business_key;  // empty: none
    Fields fields;
    std::vector<stock::Line> items;  // merged
    std::vector<HeldStock> stock;
    std::vector<timer::Running> deadlines;
    std::vector<Fact> facts;  // that end with a state, and the last lasting one of each event
    std::vector<Slot> slots;
    std::vector<Mark> marks;
    std::int64_t ended_ms = 0;  // store time of what last happened in a final state; 0: it goes on
    bool operator==(const Entity&) const = default;
};

}  // namespace pawl::flow
