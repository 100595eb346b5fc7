// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/entry_words.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "surface/cli/document.hpp"
#include "surface/cli/terminal.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

struct CodeRow {
    std::string_view code;
    std::string_view words;
};
constexpr std::array kCodes{
    CodeRow{"amount_mismatch", "the amount or currency differs"},
    CodeRow{"transition_refused", "it came in a state that does not take it"},
    CodeRow{"guard_refused", "a condition is not met"},
    CodeRow{"duplicate_request", "it belongs to another event"},
    CodeRow{"out_of_stock", "there is not enough stock"},
    CodeRow{"slot_taken", "somebody else has the slot"},
    CodeRow{"stale_version", "a newer one was accepted before"},
    CodeRow{"version_invalid", "its version cannot be compared with the one before"},
    CodeRow{"field_invalid", "a value is missing or wrong"},
};

// Between two characters, with a sign that there is more.
std::string cut(std::string text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    std::size_t end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end) + "…";
}

}  // namespace

std::string reason_words(const json::object& entry) {
    std::string reason = text(entry, "reason");
    const std::size_t colon = reason.find(": ");
    const auto known =
        std::ranges::find(kCodes, std::string_view(reason).substr(0, colon), &CodeRow::code);
    if (known == kCodes.end()) return reason;
    if (colon == std::string::npos) return std::string(known->words);
    return fmt::format("{}{}", known->words, reason.substr(colon));
}

std::string value_words(const json::object& values, std::size_t bytes_max) {
    std::string line;
    for (const auto& one : values)
        line += fmt::format("{}{} {}", line.empty() ? "" : ", ", visible(one.key()),
                            cut(text(values, one.key()), bytes_max));
    return line;
}

std::string event_words(const json::object& entry) {
    const json::object& event = part(entry, "event");
    const std::string name = text(event, "name");
    if (name.empty()) return {};
    const std::string deadline = text(event, "deadline");
    const std::string values = value_words(part(event, "values"));
    return fmt::format("{}{} by {}{}{}", name, deadline.empty() ? "" : " of deadline " + deadline,
                       text(event, "sender"), values.empty() ? "" : ": ", values);
}

std::string closing_words(const json::object& entry) {
    const json::object& closed = part(entry, "closed");
    if (closed.empty()) return {};
    const std::string as = text(closed, "as");
    const std::string by = text(closed, "by");
    const std::string reason = text(closed, "reason");
    if (as == "taken" && by.empty()) return "closed: the flow has taken its fact";
    const std::string_view how = as == "left"    ? "left to the flow"
                                 : as == "taken" ? "closed"
                                                 : "settled by hand";
    return fmt::format("{} by {}{}{}", how, by, as == "taken" ? " " : ": ", reason);
}

}  // namespace pawl::cli
