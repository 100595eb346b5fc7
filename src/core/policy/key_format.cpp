// SPDX-License-Identifier: Apache-2.0
// std::regex backtracks by default, in time exponential in the key for expressions as plain as (a+)+.
// libstdc++ offers the breadth-first automaton as a flag of its own. A bounded repeat is unrolled into the
// automaton, whose depth is stack depth while matching; nested ones are therefore refused by their product.
#include "core/policy/key_format.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace pawl::policy {
namespace {

constexpr unsigned kUnrolledMax = 1000;

// The product of the upper bounds of all bounded repeats; an over-estimate of what nesting can unroll.
unsigned unrolled(std::string_view expression) {
    unsigned product = 1;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] == '\\') {
            ++i;
            continue;
        }
        if (expression[i] != '{') continue;
        unsigned largest = 1;
        for (std::size_t at = i + 1; at < expression.size() && expression[at] != '}'; ++at) {
            unsigned number = 0;
            const char* const begin = expression.data() + at;
            const auto read = std::from_chars(begin, expression.data() + expression.size(), number);
            if (read.ec == std::errc::result_out_of_range) return kUnrolledMax + 1;
            if (read.ec == std::errc{}) largest = std::max(largest, number);
        }
        if (largest > kUnrolledMax) return kUnrolledMax + 1;
        product = std::min(product * largest, kUnrolledMax + 1);
    }
    return product;
}

}  // namespace

Result<KeyFormat> KeyFormat::parse(std::string_view expression) {
    KeyFormat format;
    if (expression.empty()) return format;
    if (expression.size() > kKeyFormatLengthMax)
        return fail(Code::config_invalid,
                    fmt::format("the expression has {} characters, {} are taken", expression.size(),
                                kKeyFormatLengthMax));
    if (unrolled(expression) > kUnrolledMax)
        return fail(
            Code::config_invalid,
            fmt::format("the repeats {{n}} multiply to more than {}; write `+` or `*` instead",
                        kUnrolledMax));
    try {
        format.regex_ = std::make_shared<const std::regex>(
            std::string(expression),
            std::regex::ECMAScript | std::regex::nosubs | std::regex_constants::__polynomial);
    } catch (const std::regex_error& error) {
        const bool back_reference = error.code() == std::regex_constants::error_complexity;
        return fail(
            Code::config_invalid,
            back_reference
                ? "the expression uses a back-reference, which cannot be matched in bounded time"
                : "the expression is not an ECMAScript regular expression",
            error.what());
    }
    return format;
}

bool KeyFormat::takes(std::string_view key) const {
    return regex_ == nullptr || std::regex_match(key.begin(), key.end(), *regex_);
}

}  // namespace pawl::policy
