// SPDX-License-Identifier: Apache-2.0
#include "core/flow/bundle.hpp"

#include <array>
#include <utility>

namespace pawl::flow {
namespace {

constexpr std::array<std::string_view, 4> kSenders{"caller", "callback", "timer", "probe"};
constexpr std::array<std::string_view, 4> kCourses{"created", "applied", "compensated", "branched"};
constexpr std::array<std::string_view, 3> kKinds{"parked", "ignored", "attention"};

constexpr std::array<ReasonRow, kReasonCount> kReasons{{
    {Reason::transition_refused, "transition_refused", 409, true},
    {Reason::guard_refused, "guard_refused", 409, true},
    {Reason::amount_mismatch, "amount_mismatch", 422, true},
    {Reason::field_invalid, "field_invalid", 400, false},
    {Reason::out_of_stock, "out_of_stock", 409, true},
    {Reason::slot_taken, "slot_taken", 409, true},
    {Reason::business_key_taken, "business_key_taken", 409, true},
    {Reason::duplicate_request, "duplicate_request", 409, true},
    {Reason::stale_version, "stale_version", 409, true},
    {Reason::version_invalid, "version_invalid", 400, false},
    {Reason::version_conflict, "version_conflict", 412, false},
    {Reason::forbidden, "forbidden", 403, false},
    {Reason::not_found, "not_found", 404, false},
    {Reason::token_invalid, "token_invalid", 401, false},
    {Reason::token_expired, "token_expired", 410, false},
    {Reason::undecided, "undecided", 409, false},
}};

consteval bool rows_in_order() {
    for (int i = 0; i < kReasonCount; ++i)
        if (kReasons[static_cast<std::size_t>(i)].reason != static_cast<Reason>(i)) return false;
    return true;
}
static_assert(rows_in_order(), "one row per reason, in the order of the enumeration");

void add_number(DigestStream& stream, std::uint64_t number) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(number >> (8 * (7 - i)) & 0xFF);
    stream.add({bytes.data(), bytes.size()});
}

// Lists after how many they are: no two events give the same bytes.
void add_event(DigestStream& stream, const Event& event) {
    stream.add_part(event.name);
    add_number(stream, event.values.size());
    for (const auto& [name, value] : event.values) {
        stream.add_part(name);
        stream.add_part(value);
    }
    add_number(stream, event.items.size());
    for (const stock::Line& line : event.items) {
        add_number(stream, static_cast<std::uint64_t>(line.sku.kind));
        stream.add_part(line.sku.code);
        add_number(stream, static_cast<std::uint64_t>(line.quantity));
    }
    add_number(stream, event.stamp ? static_cast<std::uint64_t>(event.stamp->kind) : 0);
    if (event.stamp) stream.add_part(event.stamp->canonical);
}

}  // namespace

std::string_view name_of(Sender sender) { return kSenders[std::to_underlying(sender)]; }
std::string_view name_of(Course course) { return kCourses[std::to_underlying(course)]; }
std::string_view name_of(Arbitration::Kind kind) { return kKinds[std::to_underlying(kind)]; }
const ReasonRow& row_of(Reason reason) { return kReasons[std::to_underlying(reason)]; }

std::string meeting_of(std::string_view tenant, std::string_view flow,
                       std::string_view business_key, std::string_view id) {
    const bool by_key = !business_key.empty();
    return std::string(sha256_parts("pawl.meeting", {tenant, flow, by_key ? "key" : "id",
                                                     by_key ? business_key : id})
                           .view());
}

WaitingFact waiting_fact(std::string tenant, std::string flow, std::string_view business_key,
                         std::string_view id, Event event, std::int64_t now_ms) {
    std::string meeting = meeting_of(tenant, flow, business_key, id);
    return {std::move(meeting), std::move(tenant), std::move(flow), std::move(event),
            timer::after_ms(now_ms, kFactHorizon)};
}

Digest key_of(const WaitingFact& fact) {
    if (fact.known_as) return *fact.known_as;
    DigestStream stream;
    stream.add_part("pawl.waiting_fact");
    stream.add_part(fact.meeting);
    add_event(stream, fact.event);
    return stream.finish();
}

Digest attention_key(std::string_view meeting, std::string_view reason,
                     const std::optional<Event>& event) {
    DigestStream stream;
    stream.add_part("pawl.attention");
    stream.add_part(meeting);
    stream.add_part(reason);
    add_number(stream, event ? 1 : 0);
    if (event) add_event(stream, *event);
    return stream.finish();
}

}  // namespace pawl::flow
