// SPDX-License-Identifier: Apache-2.0
#include "core/id/id.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace pawl::id {
namespace {

constexpr std::size_t kDigitsMax = std::numeric_limits<Id>::digits10 + 1;
constexpr Id kExactInDoubles = Id{1} << 53;  // below: every integer is a double of its own

// The digits that a printer of doubles writes for an integer: as few as lead back to it, zeros behind.
std::string shortest_digits(double value) {
    std::array<char, 32> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::scientific);
    const std::string_view text(buffer.data(), written.ptr);
    const std::size_t e = text.find('e');
    std::string digits;
    for (const char c : text.substr(0, e))
        if (c != '.') digits += c;
    int power = 0;
    std::from_chars(text.data() + e + 2, text.data() + text.size(), power);  // behind "e+"
    digits.resize(std::max(digits.size(), static_cast<std::size_t>(power) + 1), '0');
    return digits;
}

bool may_have_been_rounded(Id id, std::string_view text) {
    if (id < kExactInDoubles) return false;
    const auto near = static_cast<double>(id);
    const bool exact = near < 0x1p63 && static_cast<Id>(near) == id;
    return exact || shortest_digits(near) == text;
}

std::unexpected<Error> no_id() {
    return fail(Code::request_invalid,
                "An id is a decimal number from 1 to 2^63 - 1, without sign or zeros in front.");
}

}  // namespace

std::string to_text(Id id) { return std::to_string(id); }

Result<Id> parse_id(std::string_view text) {
    Id id = 0;
    if (text.empty() || text.size() > kDigitsMax || text[0] < '1' || text[0] > '9') return no_id();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return no_id();
    return id;
}

Result<Id> id_in_json(const key::JsonValue& value) {
    using Kind = key::JsonValue::Kind;
    if (value.kind == Kind::string) return parse_id(value.text);
    if (value.kind != Kind::number) return no_id();
    const auto id = parse_id(value.text);
    if (id && may_have_been_rounded(*id, value.text))
        return fail(
            Code::request_invalid,
            fmt::format("The number {} may have been rounded on its way through a double, and "
                        "would then be another id. Send ids as texts: \"{}\".",
                        value.text, value.text));
    return id;
}

}  // namespace pawl::id
