// SPDX-License-Identifier: Apache-2.0
// What happened, in order. Every event goes into one hash: two runs with the same hash are the same run.
// The text is made only when somebody reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/world/virtual_clock.hpp"

namespace pawl::sim {

class Trace {
  public:
    Trace(const VirtualClock& clock, bool printing) : clock_(clock), printing_(printing) {}

    // `what` names the kind of event; equal runs have equal numbers.
    void mark(std::string_view what, std::uint64_t a = 0, std::uint64_t b = 0);
    // mark() with a line for people.
    template <class... Parts>
    void tell(std::string_view what, std::uint64_t a, std::uint64_t b,
              fmt::format_string<Parts...> text, Parts&&... parts) {
        mix(what, a, b);
        if (printing_) print(what, fmt::format(text, std::forward<Parts>(parts)...));
    }

    bool printing() const { return printing_; }
    std::uint64_t hash() const { return hash_; }
    std::uint64_t events() const { return events_; }

  private:
    void mix(std::string_view what, std::uint64_t a, std::uint64_t b);
    void print(std::string_view what, std::string_view text) const;

    const VirtualClock& clock_;
    bool printing_;
    std::uint64_t hash_ = 0xcbf29ce484222325ULL;
    std::uint64_t events_ = 0;
};

}  // namespace pawl::sim
