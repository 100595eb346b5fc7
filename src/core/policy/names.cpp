// SPDX-License-Identifier: Apache-2.0
// One array per enumeration, in its order; reading is a search in the same array, so that both ways agree.
#include "core/policy/names.hpp"

#include <array>
#include <utility>

namespace pawl::policy {
namespace {

constexpr std::array<std::string_view, kProfileCount> kProfiles{"strict-money", "ietf", "stripe-v1",
                                                                "acp-2026-04-17"};
constexpr std::array<std::string_view, 4> kStrategies{"strict", "cache", "hybrid", "eventual"};
constexpr std::array<std::string_view, 3> kTiers{"core", "normal", "side"};
constexpr std::array<std::string_view, 3> kOnRepeat{"replay", "refuse", "current"};
constexpr std::array<std::string_view, 6> kCallers{"public", "header", "api_key",
                                                   "jwt",    "mtls",   "authorize"};
constexpr std::array<std::string_view, 3> kModes{"raw", "canonical", "automatic"};

template <class Enum, std::size_t N>
std::optional<Enum> find_in(const std::array<std::string_view, N>& names, std::string_view name) {
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
}

}  // namespace

std::string_view name_of(Profile profile) { return kProfiles[std::to_underlying(profile)]; }
std::string_view name_of(Strategy strategy) { return kStrategies[std::to_underlying(strategy)]; }
std::string_view name_of(Tier tier) { return kTiers[std::to_underlying(tier)]; }
std::string_view name_of(OnRepeat on_repeat) { return kOnRepeat[std::to_underlying(on_repeat)]; }
std::string_view name_of(CallerRule::Source source) { return kCallers[std::to_underlying(source)]; }
std::string_view name_of(FingerprintRule::Mode mode) { return kModes[std::to_underlying(mode)]; }

std::optional<Profile> profile_from(std::string_view name) {
    return find_in<Profile>(kProfiles, name);
}
std::optional<Strategy> strategy_from(std::string_view name) {
    return find_in<Strategy>(kStrategies, name);
}
std::optional<Tier> tier_from(std::string_view name) { return find_in<Tier>(kTiers, name); }
std::optional<OnRepeat> on_repeat_from(std::string_view name) {
    return find_in<OnRepeat>(kOnRepeat, name);
}

std::span<const std::string_view> profile_names() { return kProfiles; }
std::span<const std::string_view> strategy_names() { return kStrategies; }
std::span<const std::string_view> tier_names() { return kTiers; }
std::span<const std::string_view> on_repeat_names() { return kOnRepeat; }

std::chrono::milliseconds timeout_of(Tier tier) {
    switch (tier) {
        case Tier::core:
            return kTierCore;
        case Tier::normal:
            return kTierNormal;
        case Tier::side:
            break;
    }
    return kTierSide;
}

}  // namespace pawl::policy
