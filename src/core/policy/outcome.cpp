// SPDX-License-Identifier: Apache-2.0
// The table is judged when this file is compiled: a row per profile in the order of the enumeration, no
// status that frees a key outside of 4xx, and no 1xx or non-HTTP status that settles anything.
//
// 408 is the one 4xx that money does not believe: the request was not received whole, or an idle connection
// ended in the moment in which it was used again, or a handler gave up in the middle of its work.
#include "core/policy/outcome.hpp"

#include <algorithm>

namespace pawl::policy {
namespace {

constexpr auto kComplete = OutcomeClass::complete;
constexpr auto kRelease = OutcomeClass::release;
constexpr auto kUncertain = OutcomeClass::uncertain;

// clang-format off
//   profile                  1xx         2xx        3xx        4xx        5xx         5xx tx      other
//                                                                                        released, doubtful
constexpr std::array<OutcomeRow, kProfileCount> kRows{{
    {Profile::strict_money,   kUncertain, kComplete, kComplete, kComplete, kUncertain, kRelease,   kUncertain,
     {401, 407, 421, 425, 429}, 408},
    {Profile::ietf,           kUncertain, kComplete, kComplete, kComplete, kComplete,  kComplete,  kUncertain, {}, 0},
    {Profile::stripe_v1,      kUncertain, kComplete, kComplete, kComplete, kComplete,  kComplete,  kUncertain,
     {401, 429}, 0},
    {Profile::acp_2026_04_17, kUncertain, kComplete, kComplete, kComplete, kUncertain, kRelease,   kUncertain, {}, 0},
}};
// clang-format on

consteval bool rows_complete() {
    for (int i = 0; i < kProfileCount; ++i) {
        const OutcomeRow& row = kRows[static_cast<std::size_t>(i)];
        if (row.profile != static_cast<Profile>(i)) return false;
        if (row.informational != kUncertain || row.other != kUncertain) return false;
        if (row.success != kComplete) return false;
        for (const int status : row.released)
            if (status != 0 && (status < 400 || status > 499)) return false;
        if (row.doubtful != 0 && row.doubtful / 100 != 4) return false;
    }
    return true;
}
static_assert(rows_complete(),
              "one row per profile, in order; frees only on 4xx and transactional 5xx");

bool is_released(const OutcomeRow& row, int status) {
    return std::ranges::find(row.released, status) != row.released.end();
}

OutcomeClass by_status(const OutcomeRow& row, bool transactional, int status) {
    switch (status / 100) {
        case 1:
            return row.informational;
        case 2:
            return row.success;
        case 3:
            return row.redirect;
        case 4:
            if (status == row.doubtful) return kUncertain;
            return is_released(row, status) ? kRelease : row.client;
        case 5:
            return transactional ? row.server_transactional : row.server;
        default:
            return row.other;
    }
}

}  // namespace

const OutcomeRow& outcome_row(Profile profile) { return kRows[static_cast<std::size_t>(profile)]; }

OutcomeClass classify(Profile profile, bool transactional, const Ended& ended) {
    switch (ended.kind) {
        case AnswerKind::not_sent:
            return kRelease;
        case AnswerKind::no_answer:
            return kUncertain;
        case AnswerKind::answered:
            break;
    }
    if (!ended.declared) return by_status(outcome_row(profile), transactional, ended.status);
    switch (*ended.declared) {
        case Declared::applied:
            return kComplete;
        case Declared::not_applied:
            return kRelease;
        case Declared::unknown:
            break;
    }
    return kUncertain;
}

bool is_refusal(const Ended& ended) {
    return ended.kind == AnswerKind::answered && ended.status / 100 == 4 &&
           ended.declared != Declared::applied;
}

std::string_view name_of(OutcomeClass outcome) {
    switch (outcome) {
        case OutcomeClass::complete:
            return "complete";
        case OutcomeClass::release:
            return "release";
        case OutcomeClass::uncertain:
            break;
    }
    return "uncertain";
}

}  // namespace pawl::policy
