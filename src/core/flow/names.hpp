// SPDX-License-Identifier: Apache-2.0
// How the choices of a flow are written in its file, and read back.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/flow/definition.hpp"

namespace pawl::flow {

std::string_view name_of(FieldType type);
std::string_view name_of(Guard::Kind kind);
std::string_view name_of(Early early);
std::string_view name_of(Noop noop);
std::string_view name_of(OnRepeat on_repeat);

std::optional<FieldType> field_type_from(std::string_view name);
std::optional<Guard::Kind> guard_kind_from(std::string_view name);
std::optional<Early> early_from(std::string_view name);
std::optional<Noop> noop_from(std::string_view name);
std::optional<OnRepeat> on_repeat_from(std::string_view name);

// All names of one choice, for messages.
std::span<const std::string_view> field_type_names();
std::span<const std::string_view> guard_kind_names();
std::span<const std::string_view> early_names();
std::span<const std::string_view> noop_names();
std::span<const std::string_view> on_repeat_names();

}  // namespace pawl::flow
