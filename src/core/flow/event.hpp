// SPDX-License-Identifier: Apache-2.0
// What is asked of an entity, and what the engine has learnt by asking or by a commit that was refused.
#pragma once

#include <map>

#include "core/flow/definition.hpp"
#include "core/flow/entity.hpp"

namespace pawl::flow {

enum class Sender : std::uint8_t { caller, callback, timer, probe };
std::string_view name_of(Sender sender);

using Given = std::map<std::string, std::string, std::less<>>;

struct Event {
    std::string name;
    Given values;  // as they came
    std::vector<stock::Line>
        items;  // of creation: its lines; else the part that the stock action moves
    Sender sender = Sender::caller;
    std::string caller;
    Names roles;
    std::optional<record::Stamp> stamp;
    std::optional<std::uint64_t> if_match;
    std::string deadline;     // of a timer: which one is due
    std::int64_t now_ms = 0;  // store time
    std::int64_t hlc = 0;
    std::string trace_context;
    bool operator==(const Event&) const = default;
};

// What creation adds to the event `create`.
struct Creation {
    std::string id;
    std::string tenant;
    std::string business_key;
};

enum class Probed : std::uint8_t { not_yet, paid, unpaid, unknown };

struct Circumstances {
    Probed probed = Probed::not_yet;
    Given probe_facts;
    std::optional<stock::Sku> short_of;
    std::optional<Holder> fact_taken;
    std::optional<Holder> slot_taken;
    std::optional<Holder> business_key_taken;
    std::optional<Holder>
        reversed;  // whose the fact is that a fact of another entity's, or none's, takes back
    std::optional<Holder> saga_begun;  // by another entity, under the key of what the event starts
    bool settled = false;   // what waits for a person has been settled by him, at this version
    bool may_read = false;  // the caller may read the entity, and so the first result
};

}  // namespace pawl::flow
