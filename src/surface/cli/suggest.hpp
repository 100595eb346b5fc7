// SPDX-License-Identifier: Apache-2.0
// `pawl check FILE --suggest`: routes, ready to paste, for writes that are not protected. What is written comes from
// a running Pawl, or from an access log; every route starts in shadow, so that pasting it changes nothing.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/policy/write_counts.hpp"
#include "surface/config/config.hpp"

namespace pawl::cli {

inline constexpr std::size_t kSuggestedMax = 50;
inline constexpr std::size_t kLogLineBytesMax = 64U << 10;

struct SeenWrites {
    std::vector<policy::WriteCount> writes;  // most frequent first
    std::uint64_t not_listed = 0;
    std::uint64_t protected_requests = 0;
    std::uint64_t unprotected_writes = 0;
    std::uint64_t lines = 0;  // of a log
    std::uint64_t not_understood = 0;
    bool keys_were_seen = true;  // false: a log does not say whether a request had a key

    double share() const;
};

// Lines of nginx and Apache in their usual forms: "POST /orders HTTP/1.1" in the first quotes, or three fields at
// the beginning. What `config` protects counts as protected.
SeenWrites read_access_log(std::istream& log, const config::Config& config);

// What comes from elsewhere is pasted into a file: a method and a pattern, and nothing else.
bool may_be_suggested(const policy::WriteCount& write);

// YAML for below `routes:` of this configuration, comments included.
std::string suggested_routes(const SeenWrites& seen, const config::Config& config);

// "812 of 2016 writes are protected (40.3 %)".
std::string share_sentence(const SeenWrites& seen);

}  // namespace pawl::cli
