// SPDX-License-Identifier: Apache-2.0
// RFC 3339 with zones, fractions and leap seconds, and integers of any size, as text that sorts. A zone
// moves whole minutes only, so seconds and their fraction are copied, digit by digit.
#include "core/record/stamp.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>

namespace pawl::record {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::unexpected<Error> invalid(std::string text) {
    return fail(Code::version_invalid, std::move(text));
}

std::string without_leading_zeros(std::string_view digits) {
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    return std::string(digits.substr(first));
}

// Reads a text from the left. Once something did not fit, nothing fits any more.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : rest_(text) {}

    int number(std::size_t digits) {
        fits_ = fits_ && rest_.size() >= digits &&
                std::ranges::all_of(rest_.substr(0, digits), is_digit);
        if (!fits_) return 0;
        int value = 0;
        for (const char c : rest_.substr(0, digits)) value = value * 10 + (c - '0');
        rest_.remove_prefix(digits);
        return value;
    }
    // One of these characters; the one that was there.
    char one_of(std::string_view choices) {
        fits_ = fits_ && !rest_.empty() && choices.contains(rest_.front());
        if (!fits_) return '\0';
        const char found = rest_.front();
        rest_.remove_prefix(1);
        return found;
    }
    std::string_view digits() {
        const auto end = std::ranges::find_if_not(rest_, is_digit);
        const std::string_view found =
            rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        fits_ = fits_ && !found.empty();
        rest_.remove_prefix(found.size());
        return found;
    }
    bool next_is(char c) const { return rest_.starts_with(c); }
    bool at_end() const { return fits_ && rest_.empty(); }

  private:
    std::string_view rest_;  // of the caller's text, for the length of one parse
    bool fits_ = true;
};

struct Written {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    std::string_view fraction;
    int zone_minutes = 0;  // east of UTC
};

std::optional<Written> read_time(std::string_view text) {
    Cursor cursor(text);
    Written time;
    time.year = cursor.number(4);
    cursor.one_of("-");
    time.month = cursor.number(2);
    cursor.one_of("-");
    time.day = cursor.number(2);
    cursor.one_of("Tt");
    time.hour = cursor.number(2);
    cursor.one_of(":");
    time.minute = cursor.number(2);
    cursor.one_of(":");
    time.second = cursor.number(2);
    if (cursor.next_is('.')) {
        cursor.one_of(".");
        time.fraction = cursor.digits();
    }
    const char zone = cursor.one_of("Zz+-");
    if (zone == '+' || zone == '-') {
        const int hours = cursor.number(2);
        cursor.one_of(":");
        const int minutes = cursor.number(2);
        if (hours > 23 || minutes > 59) return std::nullopt;
        time.zone_minutes = (zone == '-' ? -1 : 1) * (hours * 60 + minutes);
    }
    if (!cursor.at_end()) return std::nullopt;
    return time;
}

Result<Stamp> time_stamp(const Written& time) {
    using namespace std::chrono;
    const year_month_day date{year(time.year), month(static_cast<unsigned>(time.month)),
                              day(static_cast<unsigned>(time.day))};
    if (!date.ok() || time.hour > 23 || time.minute > 59 || time.second > 60)
        return invalid("The version stamp names a time that does not exist.");
    const auto minute_utc =
        sys_days(date) + minutes(time.hour * 60 + time.minute - time.zone_minutes);
    const sys_days day_utc = floor<days>(minute_utc);
    const year_month_day utc(day_utc);
    if (utc.year() < year(0) || utc.year() > year(9999))
        return invalid("The version stamp lies outside the years 0000 to 9999.");
    const auto minute_of_day = (minute_utc - day_utc).count();
    const bool month_ends = utc == year_month_day(utc.year() / utc.month() / last);
    const bool may_leap = month_ends && minute_of_day == 23 * 60 + 59;
    if (time.second == 60 && !may_leap)
        return invalid("The version stamp has a leap second where there is none.");
    const std::string_view fraction =
        time.fraction.substr(0, time.fraction.find_last_not_of('0') + 1);
    return Stamp{
        StampKind::time,
        fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", static_cast<int>(utc.year()),
                    static_cast<unsigned>(utc.month()), static_cast<unsigned>(utc.day()),
                    minute_of_day / 60, minute_of_day % 60, time.second,
                    fraction.empty() ? "" : ".", fraction)};
}

}  // namespace

Result<Stamp> parse_stamp(std::string_view text) {
    if (text.empty()) return invalid("The version stamp is empty.");
    if (text.size() > kStampLengthMax)
        return invalid("The version stamp is longer than 200 characters.");
    if (std::ranges::all_of(text, is_digit))
        return Stamp{StampKind::integer, without_leading_zeros(text)};
    const std::optional<Written> time = read_time(text);
    if (!time)
        return invalid(
            "The version stamp is neither an integer of 0 or more nor an RFC 3339 time.");
    return time_stamp(*time);
}

std::strong_ordering compare(const Stamp& a, const Stamp& b) {
    // Without leading zeros the longer integer is the larger one. Times have one width up to the fraction,
    // and fractions without trailing zeros sort as text.
    if (a.kind == StampKind::integer && a.canonical.size() != b.canonical.size())
        return a.canonical.size() <=> b.canonical.size();
    return a.canonical <=> b.canonical;
}

std::partial_ordering order_of(const std::optional<Stamp>& a, const std::optional<Stamp>& b) {
    if (a.has_value() != b.has_value()) return std::partial_ordering::unordered;
    if (!a) return std::partial_ordering::equivalent;
    if (a->kind != b->kind) return std::partial_ordering::unordered;
    return compare(*a, *b);
}

}  // namespace pawl::record
