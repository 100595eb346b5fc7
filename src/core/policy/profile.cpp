// SPDX-License-Identifier: Apache-2.0
#include "core/policy/profile.hpp"

#include <array>

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using Mode = FingerprintRule::Mode;
using Form = IdentityForm;

// clang-format off
//   profile                  identity         dialect           header unkeyed fingerprint
//   result, key
constexpr std::array<ProfileRow, kProfileCount> kRows{{
    {Profile::strict_money,   Form::operation, Dialect::problem, false, false,  Mode::automatic,
     kResultRetention, kKeyRetention},
    {Profile::ietf,           Form::operation, Dialect::problem, false, false,  Mode::automatic,
     kResultRetention, kKeyRetention},
    {Profile::stripe_v1,      Form::key_alone, Dialect::stripe,  true,  true,   Mode::raw,
     24h, 24h},
    {Profile::acp_2026_04_17, Form::path,      Dialect::acp,     true,  false,  Mode::automatic,
     24h, 24h * 30},
}};
// clang-format on

consteval bool rows_complete() {
    for (int i = 0; i < kProfileCount; ++i) {
        const ProfileRow& row = kRows[static_cast<std::size_t>(i)];
        if (row.profile != static_cast<Profile>(i) || row.key < row.result) return false;
        // What money asks for: nothing runs without a record unless the file says so.
        if (row.profile == Profile::strict_money && row.runs_without_key) return false;
    }
    return true;
}
static_assert(rows_complete(), "one row per profile, in order; a key outlives its result");

}  // namespace

const ProfileRow& profile_row(Profile profile) { return kRows[static_cast<std::size_t>(profile)]; }

}  // namespace pawl::policy
