// SPDX-License-Identifier: Apache-2.0
#include "surface/api/support_id.hpp"

#include <algorithm>

#include "core/id/triple_id.hpp"
#include "engine/id_maker.hpp"

namespace pawl::api {
namespace {

constexpr std::size_t kTraceDigits = 32;
constexpr std::string_view kTraceparentStart = "00-";

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

std::optional<std::int64_t> time_in(std::string_view id) {
    const auto number = id::parse_id(id);
    if (!number) return std::nullopt;
    return id::unpack(engine::kOneDatabase, *number).time_ms;
}

std::optional<std::string> first_id_of(std::int64_t at_ms) {
    const id::Layout& layout = engine::kOneDatabase;
    if (at_ms <= layout.epoch_ms || at_ms > layout.end_ms()) return std::nullopt;
    return id::to_text(id::pack(layout, {at_ms, {}, 0}));
}

std::string trace_id_in(std::string_view word) {
    if (word.starts_with(kTraceparentStart) && word.size() > kTraceDigits)
        word = word.substr(kTraceparentStart.size(), kTraceDigits);
    const bool is_trace = word.size() == kTraceDigits && std::ranges::all_of(word, is_hex);
    if (!is_trace) return {};
    std::string id(word);
    for (char& c : id)
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    return id;
}

std::string support_id(const flow::Entity& entity, const store::FlowStep& first) {
    const auto at_ms = time_in(entity.id);
    if (!at_ms) return {};
    return id::triple_id(trace_id_in(first.history.trace_context), entity.business_key, *at_ms);
}

void add_support_id(boost::json::object& document, const flow::Entity& entity,
                    std::span<const store::FlowStep> first) {
    if (first.empty()) return;
    if (const std::string support = support_id(entity, first.front()); !support.empty())
        document["support_id"] = support;
}

}  // namespace pawl::api
