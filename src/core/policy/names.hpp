// SPDX-License-Identifier: Apache-2.0
// How the choices of a route are written in the file, in metrics and on the wire, and read back.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/policy/route.hpp"

namespace pawl::policy {

std::string_view name_of(Profile profile);
std::string_view name_of(Strategy strategy);
std::string_view name_of(Tier tier);
std::string_view name_of(OnRepeat on_repeat);
std::string_view name_of(CallerRule::Source source);
std::string_view name_of(FingerprintRule::Mode mode);

std::optional<Profile> profile_from(std::string_view name);
std::optional<Strategy> strategy_from(std::string_view name);
std::optional<Tier> tier_from(std::string_view name);
std::optional<OnRepeat> on_repeat_from(std::string_view name);

// All names of one choice, in the order of its enumeration; for messages.
std::span<const std::string_view> profile_names();
std::span<const std::string_view> strategy_names();
std::span<const std::string_view> tier_names();
std::span<const std::string_view> on_repeat_names();

// How long the first client of a protected route is kept waiting at most by its tier.
std::chrono::milliseconds timeout_of(Tier tier);

}  // namespace pawl::policy
