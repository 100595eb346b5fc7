// SPDX-License-Identifier: Apache-2.0
#include "net/http/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace pawl::http {
namespace {

constexpr std::size_t kDateLength = 29;  // "Sun, 06 Nov 1994 08:49:37 GMT"
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// nullopt for anything but `length` digits.
std::optional<int> number_at(std::string_view text, std::size_t from, std::size_t length) {
    const std::string_view digits = text.substr(from, length);
    int number = 0;
    if (!is_digits(digits)) return std::nullopt;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

// IMF-fixdate; the obsolete forms are senders' that no longer are.
std::optional<WallTime> date_in(std::string_view text) {
    if (text.size() != kDateLength || !text.ends_with(" GMT")) return std::nullopt;
    const auto month = std::ranges::find(kMonths, text.substr(8, 3));
    const auto day = number_at(text, 5, 2);
    const auto year = number_at(text, 12, 4);
    const auto hour = number_at(text, 17, 2);
    const auto minute = number_at(text, 20, 2);
    const auto second = number_at(text, 23, 2);
    if (month == kMonths.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
    const std::chrono::year_month_day date{
        std::chrono::year(*year),
        std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
        std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    return WallTime{std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(*hour) +
                    std::chrono::minutes(*minute) + std::chrono::seconds(*second)};
}

}  // namespace

std::optional<std::chrono::seconds> retry_after_in(const Headers& headers, WallTime now) {
    using std::chrono::seconds;
    const auto values = values_of(headers, "Retry-After");
    if (values.size() != 1) return std::nullopt;
    const std::string_view text = values.front();
    if (is_digits(text)) {
        std::int64_t number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        if (read.ec != std::errc{}) return kRetryAfterMax;
        return std::min(seconds(number), kRetryAfterMax);
    }
    const auto date = date_in(text);
    if (!date) return std::nullopt;
    return std::clamp(std::chrono::ceil<seconds>(*date - now), seconds(0), kRetryAfterMax);
}

}  // namespace pawl::http
