// SPDX-License-Identifier: Apache-2.0
// One rule for both forms: a value that begins with a quote is a structured-field string (RFC 8941, 4.2.5)
// and nothing may follow it, parameters included; any other value is taken as it stands. Spaces are not
// visible: a bare one is what joined field lines leave behind ("a, b"). Reading stops one byte beyond the
// limit, so an over-long value costs no more than a long one.
#include "core/key/key_syntax.hpp"

#include <fmt/format.h>

namespace pawl::key {
namespace {

bool is_visible(char c) { return c > ' ' && c < 0x7F; }

std::string_view without_padding(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::unexpected<Error> invalid(std::string text) {
    return fail(Code::key_invalid, std::move(text));
}

std::unexpected<Error> invisible() {
    return invalid(
        "The key holds a character other than visible ASCII; use letters, digits and signs only, "
        "for example a UUID.");
}

std::unexpected<Error> overlong() {
    return invalid(fmt::format(
        "The key is longer than {} bytes; send a shorter one, for example a UUID.", kKeyBytesMax));
}

Result<std::string> from_quoted(std::string_view text) {
    std::string key;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            if (i + 1 != text.size())
                return invalid("Something follows the closing quote of the key; send one string.");
            if (key.empty()) return invalid("The key is empty; send 1 to 255 bytes.");
            return key;
        }
        if (text[i] == '\\') {
            ++i;
            if (i == text.size() || (text[i] != '"' && text[i] != '\\'))
                return invalid(
                    "In a quoted key the backslash goes before a quote or a backslash only.");
        } else if (!is_visible(text[i])) {
            return invisible();
        }
        if (key.size() == kKeyBytesMax) return overlong();
        key += text[i];
    }
    return invalid("The closing quote of the key is missing.");
}

Result<std::string> from_bare(std::string_view text) {
    if (text.size() > kKeyBytesMax) return overlong();
    for (const char c : text)
        if (!is_visible(c)) return invisible();
    return std::string(text);
}

}  // namespace

Result<std::string> key_from_header(const std::vector<std::string_view>& lines) {
    if (lines.empty())
        return fail(Code::key_missing, "The request carries no idempotency key; add one.");
    if (lines.size() > 1)
        return invalid("The request carries more than one idempotency key; send one field line.");
    const std::string_view text = without_padding(lines.front());
    if (text.empty()) return invalid("The key is empty; send 1 to 255 bytes.");
    return text.front() == '"' ? from_quoted(text) : from_bare(text);
}

Result<std::string> key_from_text(std::string_view text) {
    if (text.empty()) return invalid("The key is empty; send 1 to 255 bytes.");
    if (text.size() > kKeyBytesMax) return overlong();
    return std::string(text);
}

}  // namespace pawl::key
