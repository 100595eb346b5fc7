// SPDX-License-Identifier: Apache-2.0
// Names of calls and outcomes: one spelling for metrics, timelines and the steps of the model.
#include "core/record/call.hpp"

#include <array>

namespace pawl::record {
namespace {

// Row by row as in `Call` and `Outcome`.
constexpr std::array<std::string_view, std::variant_size_v<Call>> kCallNames{
    "claim",  "renew", "complete",   "release", "suspect", "withdraw",
    "settle", "lapse", "boot_ended", "expire",  "forget"};

constexpr std::array<std::string_view, static_cast<std::size_t>(Outcome::refused) + 1>
    kOutcomeNames{
        "acquired",   "superseded",  "took_over", "replay",      "expired",         "mismatch",
        "other_rule", "in_progress", "uncertain", "stale",       "version_invalid", "withdrawn",
        "limited",    "held",        "stored",    "stored_late", "freed",           "restored",
        "opened",     "suspected",   "lost",      "conflict",    "owner_alive",     "too_early",
        "lapsed",     "unchanged",   "buried",    "shrunk",      "removed",         "refused"};

}  // namespace

const Digest& identity_of(const Call& call) {
    return std::visit([](const auto& present) -> const Digest& { return present.identity; }, call);
}

std::string_view name_of(const Call& call) { return kCallNames[call.index()]; }

std::string_view name_of(Outcome outcome) {
    return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

}  // namespace pawl::record
