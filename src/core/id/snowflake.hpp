// SPDX-License-Identifier: Apache-2.0
// One worker's ids: strictly rising, whatever the clock does. The time in an id is logical: never before the last
// one's, and ahead of the clock by a bound at most, where more ids were asked for than a millisecond has or the
// clock stepped back. No id is substituted where none is to be had.
//
//   the clock reading              the id's time
//   after the last id's            the reading
//   the last id's, or before       the last id's; the next millisecond when that one is used up
//   so far before that the time    none: lead_used_up
//     would be ahead by more than
//     the bound
//
// A millisecond's numbers begin at one that is drawn by hash from the millisecond and the machine: at low load, where
// each has one id or two, ids stay even modulo small numbers, whatever a stream's rhythm.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <string_view>

#include "core/id/layout.hpp"

namespace pawl::id {

inline constexpr std::int64_t kLeadMsMax = 10'000;
inline constexpr unsigned kFirstNumbers = 256;  // from how many the first number is drawn

// Why there is no id. All are told the client as `unavailable`, nothing executed, with an alarm.
enum class NoId : std::uint8_t {
    lead_used_up,  // the clock is too far behind the last id
    window_ended,  // not permitted to make ids that late: see Window
    before_epoch,  // the clock is before the layout's epoch
    layout_ended,  // after its 69 years
};
std::string_view name_of(NoId reason);
Error error_of(NoId reason);

class Snowflake {
  public:
    // `after_ms`: no id was ever made, by this machine, with a later time: every id of this one is later. 0 when none
    // was made. Precondition: layout and machine are good.
    Snowflake(const Layout& layout, const Machine& machine, std::int64_t after_ms);

    // No id's time is later than this. Until it is called, there is no bound.
    void permit_until(std::int64_t until_ms) { until_ms_ = until_ms; }

    // Unit: `now_ms` since 1970, of the clock that the permission is judged by.
    std::expected<Id, NoId> next(std::int64_t now_ms);

    // The time of the last id, or what was given: to be kept, and given to the next run.
    std::int64_t high_water_ms() const { return last_ms_; }

  private:
    unsigned first_number(std::int64_t ms) const;

    Layout layout_;
    Machine machine_;
    std::int64_t last_ms_;
    std::int64_t until_ms_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t base_ = 0;           // of the millisecond at hand
    unsigned number_ = kSequenceMax;  // the last one given out in it
};

}  // namespace pawl::id
