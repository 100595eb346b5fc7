// SPDX-License-Identifier: Apache-2.0
#include "core/callback/amount.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace pawl::callback {
namespace {

constexpr std::size_t kExponentDigitsMax = 2;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A value without zeros at its end: units times 10^power.
struct Value {
    std::int64_t units = 0;
    int power = 0;
};

std::string_view take_digits(std::string_view& text) {
    const auto end = std::ranges::find_if_not(text, is_digit);
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(digits.size());
    return digits;
}

// Behind the e. nullopt: no exponent, or one beyond all money.
std::optional<int> exponent(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const std::string_view digits = take_digits(text);
    if (digits.empty() || digits.size() > kExponentDigitsMax || !text.empty()) return std::nullopt;
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return negative ? -value : value;
}

std::optional<Value> read(std::string_view text) {
    const std::string_view whole = take_digits(text);
    if (whole.empty() || (whole[0] == '0' && whole.size() > 1)) return std::nullopt;
    std::string_view part;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        part = take_digits(text);
        if (part.empty()) return std::nullopt;
    }
    Value value;
    if (text.starts_with('e') || text.starts_with('E')) {
        const auto power = exponent(text.substr(1));
        if (!power) return std::nullopt;
        value.power = *power;
        text = {};
    }
    if (!text.empty()) return std::nullopt;
    std::string digits = std::string(whole) + std::string(part);
    value.power -= static_cast<int>(std::min<std::size_t>(part.size(), 1'000));
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back(), ++value.power;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value.units);
    if (parsed.ec != std::errc() || value.units > kAmountUnitsMax) return std::nullopt;
    if (value.units == 0) value.power = 0;
    return value;
}

std::optional<std::int64_t> scaled(std::int64_t units, int power) {
    for (; power > 0; --power) {
        if (units > kAmountUnitsMax / 10) return std::nullopt;
        units *= 10;
    }
    return units;
}

std::optional<std::string> currency_code(std::string_view text) {
    std::string code(text);
    for (char& c : code) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (c < 'A' || c > 'Z') return std::nullopt;
    }
    return code.size() == 3 ? std::optional(code) : std::nullopt;
}

}  // namespace

std::optional<Amount> Amount::in_decimal(std::string_view text, std::string_view currency) {
    auto code = currency_code(currency);
    const auto value = read(text);
    if (!code || !value || value->power < -kAmountDecimalsMax) return std::nullopt;
    const auto units = scaled(value->units, value->power);
    if (!units) return std::nullopt;
    return Amount(*units, std::max(-value->power, 0), *std::move(code));
}

std::optional<Amount> Amount::in_minor_units(std::string_view text, std::string_view currency,
                                             int decimals) {
    auto code = currency_code(currency);
    const auto value = read(text);
    if (!code || !value || value->power < 0) return std::nullopt;
    const auto units = scaled(value->units, value->power - decimals);
    if (!units) return std::nullopt;
    const int left = *units == 0 ? 0 : std::max(decimals - value->power, 0);
    return Amount(*units, left, *std::move(code));
}

std::string Amount::decimal_text() const {
    std::string text = std::to_string(units_);
    const int places = std::max(decimals_, iso_decimals(currency_));
    text.append(static_cast<std::size_t>(places - decimals_), '0');
    const auto decimals = static_cast<std::size_t>(places);
    if (decimals == 0) return text;
    if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
    text.insert(text.size() - decimals, 1, '.');
    return text;
}

std::optional<std::int64_t> Amount::minor_units(int decimals) const {
    if (decimals < decimals_) return std::nullopt;
    return scaled(units_, decimals - decimals_);
}

int iso_decimals(std::string_view currency) {
    static constexpr std::array<std::string_view, 17> kNone{
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG",
        "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"};
    static constexpr std::array<std::string_view, 7> kThree{"BHD", "IQD", "JOD", "KWD",
                                                            "LYD", "OMR", "TND"};
    const auto equals = [&](std::string_view code) {
        return std::ranges::equal(code, currency, [](char a, char b) {
            return a == (b >= 'a' && b <= 'z' ? static_cast<char>(b - 'a' + 'A') : b);
        });
    };
    if (std::ranges::any_of(kNone, equals)) return 0;
    return std::ranges::any_of(kThree, equals) ? 3 : 2;
}

}  // namespace pawl::callback
