// SPDX-License-Identifier: Apache-2.0
// How large a flow and its entities may be, and the numbers that its rules leave open.
#pragma once

#include <chrono>
#include <cstddef>

namespace pawl::flow {

using namespace std::chrono_literals;

// A flow file.
inline constexpr std::size_t kNameBytesMax = 64;  // of a flow, a state, an event: a metric's label
inline constexpr std::size_t kStatesMax = 100;
inline constexpr std::size_t kEventsMax = 100;
inline constexpr std::size_t kFieldsMax = 100;
inline constexpr std::size_t kTransitionsMax = 20;  // of one event
inline constexpr std::size_t kDeadlinesMax = 20;    // of the whole flow, beside the states' own
inline constexpr std::size_t kSagasMax = 50;
inline constexpr std::size_t kProbesMax = 50;

// An entity and what is sent to it.
inline constexpr std::size_t kTextBytesMax = 4'096;
inline constexpr std::size_t kIntegerDigitsMax = 200;
inline constexpr std::size_t kMoneyDigitsMax = 60;
inline constexpr std::size_t kBusinessKeyBytesMax = 255;
// What providers' amounts have at most (core/callback/amount.hpp): money that has to be the same has no more.
inline constexpr std::size_t kPaidDigitsMax = 15;
inline constexpr std::size_t kPaidDecimalsMax = 6;

// How long a probe is asked in vain, and a fact waits for its order, before a person has to look.
inline constexpr std::chrono::milliseconds kGiveUp = 24h;
inline constexpr std::chrono::milliseconds kFactHorizon =
    30h;  // the longest that a provider repeats
// Scan tokens.
inline constexpr std::chrono::milliseconds kTokenValid = 30s;
inline constexpr std::chrono::milliseconds kTokenSkew = 5s;
inline constexpr std::chrono::milliseconds kTokenValidMax = 24h;  // a shift, and a night
inline constexpr std::chrono::milliseconds kTokenSkewMax = 1h;  // a clock an hour off: a wrong zone
// A bundle that lost its version is judged again so often.
inline constexpr int kReloadsMax = 3;

}  // namespace pawl::flow
