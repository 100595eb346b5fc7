// SPDX-License-Identifier: Apache-2.0
// Rows of flows as bytes: a format's number, the members in the order of flow_format.cpp, and a seal. Numbers,
// texts and lists as in core/record/wire.hpp; an absent value is a byte 0, a present one follows a byte 1.
// Reading is strict: what does not fit whole is no row.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/port/errand_rows.hpp"

namespace pawl::store {

inline constexpr std::uint8_t kFlowFormat = 3;  // 2 is read still: it has fewer members

std::string encode(const flow::Entity& entity);
// Without its number, as all that are numbered.
std::string encode(const StoredStep& step);
std::string encode(const flow::Fact& fact);
std::string encode(const flow::Event& event);
std::string encode(const flow::Slot& slot);
std::string encode(const SagaRow& saga);
std::string encode(const WaitingEntry& entry);
std::string encode(const AttentionEntry& entry);

std::optional<flow::Entity> decode_entity(std::string_view bytes);
std::optional<StoredStep> decode_step(std::string_view bytes);
std::optional<flow::Fact> decode_fact(std::string_view bytes);
std::optional<flow::Event> decode_event(std::string_view bytes);
std::optional<flow::Slot> decode_slot(std::string_view bytes);
std::optional<SagaRow> decode_saga(std::string_view bytes);
std::optional<WaitingEntry> decode_waiting(std::string_view bytes);
std::optional<AttentionEntry> decode_attention(std::string_view bytes);

}  // namespace pawl::store
