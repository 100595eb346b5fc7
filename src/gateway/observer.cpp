// SPDX-License-Identifier: Apache-2.0
#include "gateway/observer.hpp"

namespace pawl::gateway {

std::string_view name_of(Seen seen) {
    static constexpr std::array<std::string_view, kSeenCount> kNames{
        "first", "replay",  "waited",    "released", "in_progress", "mismatch",
        "stale", "expired", "uncertain", "refused",  "error"};
    return kNames[static_cast<std::size_t>(seen)];
}

}  // namespace pawl::gateway
