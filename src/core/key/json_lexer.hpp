// SPDX-License-Identifier: Apache-2.0
// The words of JSON (RFC 8259), each read once, checked, and written in canonical form: strings as RFC 8785
// escapes them, numbers as their mathematical value (sign, digits without zeros at either end, exponent),
// so that 1, 1.0, 1e0 and 10e-1 all become "1" and an exponent of any size costs its own digits only.
// Short-lived: reads text that its maker keeps alive.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl::key {

// Exponents of more digits are refused: no money and no measure has one, and the sum stays in 64 bits.
inline constexpr std::size_t kExponentDigitsMax = 18;

class JsonLexer {
  public:
    explicit JsonLexer(std::string_view text)
        : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

    void skip_space() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    }
    // '\0' at the end; a NUL byte begins no word either.
    char peek() const { return at_ == end_ ? '\0' : *at_; }
    bool take(char expected) {
        if (at_ == end_ || *at_ != expected) return false;
        ++at_;
        return true;
    }
    bool at_end() const { return at_ == end_; }
    std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
    std::string_view between(std::size_t from, std::size_t to) const {
        return {begin_ + from, to - from};
    }

    // Each appends the canonical form of the word at hand; false: refused, see error().
    bool string(std::string& out);
    bool number(std::string& out);
    bool literal(std::string& out);

    // Of the last string: without escapes its canonical form is its text.
    bool string_had_escapes() const { return escapes_; }

    // Ends the reading. Always false, to be returned.
    bool refuse(std::string_view why);
    bool refuse_at(std::size_t offset, std::string_view why);
    Error error() const;

  private:
    bool escape(std::string& out);
    bool code_unit(unsigned& unit);
    const char* skip_digits() { return at_ = digits_end(at_); }
    const char* digits_end(const char* from) const;
    bool exponent(long long& value, bool& overlong);

    const char* begin_;
    const char* at_;
    const char* end_;
    bool escapes_ = false;
    std::size_t refused_at_ = 0;
    std::string refusal_;
};

// A canonical string without its quotes, its escapes undone.
std::string unescaped(std::string_view canonical);

}  // namespace pawl::key
