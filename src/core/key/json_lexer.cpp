// SPDX-License-Identifier: Apache-2.0
// Strings are copied in runs: eight bytes at a time are tested for the bytes that need a look (control,
// quote, backslash, above ASCII). UTF-8 is checked by the table of well-formed sequences, Unicode 3-7:
// no overlong form, no surrogate, nothing above U+10FFFF.
#include "core/key/json_lexer.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "runtime/codec/hex_digit.hpp"

namespace pawl::key {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append(std::string& out, const char* from, const char* to) {
    out.append(from, static_cast<std::size_t>(to - from));
}

// The first byte that is not printable ASCII or is a quote or a backslash.
const char* skip_plain(const char* at, const char* end) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHighs = kOnes * 0x80;
    while (end - at >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
        const std::uint64_t quote = word ^ (kOnes * '"');
        const std::uint64_t slash = word ^ (kOnes * '\\');
        // a borrow marks only bytes behind one that is marked rightly, and the first mark is taken
        const std::uint64_t marks =
            ((word - kOnes * 0x20) | (quote - kOnes) | (slash - kOnes) | word) & kHighs;
        if (marks != 0) return at + std::countr_zero(marks) / 8;
        at += 8;
    }
    for (; at != end; ++at) {
        const auto byte = static_cast<unsigned char>(*at);
        if (byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x80) return at;
    }
    return at;
}

// The length of the well-formed sequence above ASCII that begins here; 0: there is none.
std::size_t utf8_length(const char* at, const char* end) {
    const auto byte = [at](std::size_t i) { return static_cast<unsigned char>(at[i]); };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const auto left = static_cast<std::size_t>(end - at);
    const unsigned lead = byte(0);
    if (lead >= 0xC2 && lead <= 0xDF) return left >= 2 && follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return left >= 3 && follows(1, low, high) && follows(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return left >= 4 && follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

void append_utf8(std::string& out, unsigned point) {
    const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
    const auto tail = [&](int shift) { put(0x80 | ((point >> shift) & 0x3F)); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
        put(0xC0 | (point >> 6));
        return tail(0);
    }
    if (point < 0x10000) {
        put(0xE0 | (point >> 12));
        tail(6);
        return tail(0);
    }
    put(0xF0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
}

// RFC 8785, 3.2.2.2: the two-letter escapes where there are, \u00xx for other controls, else literal.
void append_canonical(std::string& out, unsigned point) {
    switch (point) {
        case '\b':
            out += "\\b";
            return;
        case '\t':
            out += "\\t";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\f':
            out += "\\f";
            return;
        case '\r':
            out += "\\r";
            return;
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        default:
            break;
    }
    if (point >= 0x20) return append_utf8(out, point);
    out += "\\u00";
    out += "01"[point >> 4];
    out += "0123456789abcdef"[point & 15];
}

}  // namespace

bool JsonLexer::refuse(std::string_view why) { return refuse_at(offset(), why); }

bool JsonLexer::refuse_at(std::size_t offset, std::string_view why) {
    refused_at_ = offset;
    refusal_ = why;
    return false;
}

Error JsonLexer::error() const {
    return {Code::request_invalid,
            fmt::format("Not valid JSON at byte {}: {}.", refused_at_, refusal_),
            {},
            {}};
}

bool JsonLexer::string(std::string& out) {
    const char* run = at_;
    escapes_ = false;
    if (!take('"')) return refuse("a string is expected here");
    for (;;) {
        at_ = skip_plain(at_, end_);
        if (at_ == end_) return refuse("a string is not closed");
        if (*at_ == '"') {
            ++at_;
            append(out, run, at_);
            return true;
        }
        if (*at_ == '\\') {
            append(out, run, at_);
            if (!escape(out)) return false;
            run = at_;
            continue;
        }
        if (static_cast<unsigned char>(*at_) < 0x20)
            return refuse("a control character stands bare in a string");
        const std::size_t length = utf8_length(at_, end_);
        if (length == 0) return refuse("a string is not valid UTF-8");
        at_ += length;
    }
}

bool JsonLexer::escape(std::string& out) {
    escapes_ = true;
    ++at_;
    if (at_ == end_) return refuse("an escape is cut off");
    switch (*at_) {
        case '"':
        case '\\':
        case '/':
            append_canonical(out, static_cast<unsigned char>(*at_));
            break;
        case 'b':
            out += "\\b";
            break;
        case 'f':
            out += "\\f";
            break;
        case 'n':
            out += "\\n";
            break;
        case 'r':
            out += "\\r";
            break;
        case 't':
            out += "\\t";
            break;
        case 'u': {
            ++at_;
            unsigned point = 0;
            if (!code_unit(point)) return false;
            if (point >= 0xDC00 && point <= 0xDFFF) return refuse("a surrogate stands alone");
            if (point >= 0xD800 && point <= 0xDBFF) {
                unsigned low = 0;
                if (!take('\\') || !take('u')) return refuse("a surrogate stands alone");
                if (!code_unit(low)) return false;
                if (low < 0xDC00 || low > 0xDFFF) return refuse("a surrogate stands alone");
                point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            }
            append_canonical(out, point);
            return true;
        }
        default:
            return refuse("an escape is unknown");
    }
    ++at_;
    return true;
}

bool JsonLexer::code_unit(unsigned& unit) {
    unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        const int digit = at_ == end_ ? -1 : hex_value(*at_);
        if (digit < 0) return refuse("\\u takes four hexadecimal digits");
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return true;
}

const char* JsonLexer::digits_end(const char* from) const {
    while (from != end_ && is_digit(*from)) ++from;
    return from;
}

bool JsonLexer::exponent(long long& value, bool& overlong) {
    const bool negative = take('-');
    if (!negative) take('+');
    const char* from = at_;
    if (skip_digits() == from) return refuse("an exponent has no digits");
    while (from != at_ && *from == '0') ++from;
    overlong = static_cast<std::size_t>(at_ - from) > kExponentDigitsMax;
    if (overlong || from == at_) return true;
    std::from_chars(from, at_, value);
    if (negative) value = -value;
    return true;
}

bool JsonLexer::number(std::string& out) {
    const std::size_t start = offset();
    const bool negative = take('-');
    const char* const whole = at_;
    const char* const whole_end = skip_digits();
    if (whole_end == whole) return refuse("a number has no digits");
    if (*whole == '0' && whole_end - whole > 1)
        return refuse_at(start, "a number begins with a zero too many");
    const char* part = whole_end;
    const char* part_end = whole_end;
    if (take('.')) {
        part = at_;
        part_end = skip_digits();
        if (part == part_end) return refuse("a decimal point has no digits behind it");
    }
    long long power = 0;
    bool overlong = false;
    if ((take('e') || take('E')) && !exponent(power, overlong)) return false;

    // the value is (whole part) * 10^power; zeros at either end say nothing
    power -= part_end - part;
    const char* first = whole;
    const char* last = whole_end;
    while (part_end != part && part_end[-1] == '0') --part_end, ++power;
    if (part_end == part)
        while (last != first && last[-1] == '0') --last, ++power;
    while (first != last && *first == '0') ++first;
    if (first == last)
        while (part != part_end && *part == '0') ++part;
    if (first == last && part == part_end) {
        out += '0';
        return true;
    }
    if (overlong) return refuse_at(start, "a number's exponent is beyond all measure");
    if (negative) out += '-';
    append(out, first, last);
    append(out, part, part_end);
    if (power == 0) return true;
    std::array<char, 24> digits{'e'};
    const auto written = std::to_chars(digits.data() + 1, digits.data() + digits.size(), power);
    append(out, digits.data(), written.ptr);
    return true;
}

bool JsonLexer::literal(std::string& out) {
    using namespace std::string_view_literals;
    for (const std::string_view word : {"true"sv, "false"sv, "null"sv}) {
        if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) {
            at_ += word.size();
            out += word;
            return true;
        }
    }
    return refuse(at_end() ? "a value is missing at the end" : "a value is expected here");
}

std::string unescaped(std::string_view canonical) {
    std::string out;
    out.reserve(canonical.size());
    for (std::size_t i = 0; i < canonical.size(); ++i) {
        if (canonical[i] != '\\') {
            out += canonical[i];
            continue;
        }
        switch (canonical[++i]) {
            case 'b':
                out += '\b';
                break;
            case 't':
                out += '\t';
                break;
            case 'n':
                out += '\n';
                break;
            case 'f':
                out += '\f';
                break;
            case 'r':
                out += '\r';
                break;
            case 'u':
                out += static_cast<char>(hex_value(canonical[i + 3]) * 16 +
                                         hex_value(canonical[i + 4]));
                i += 4;
                break;
            default:
                out += canonical[i];
        }
    }
    return out;
}

}  // namespace pawl::key
