// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render_coverage.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "surface/cli/document.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

// The columns, and which counts each sums up.
struct Column {
    std::string_view heading;
    std::vector<std::string_view> counts;
};

const std::array<Column, 6>& columns() {
    static const std::array<Column, 6> kColumns{
        Column{"first", {"first"}},
        Column{"repeats", {"replay", "in_flight", "natural"}},
        Column{"mismatch", {"mismatch"}},
        Column{"uncertain", {"uncertain"}},
        Column{"refused", {"key_missing", "key_invalid", "caller_unknown"}},
        Column{"not judged", {"not_judged"}}};
    return kColumns;
}

std::uint64_t number(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    boost::system::error_code error;
    const auto whole = value == nullptr ? 0 : value->to_number<std::uint64_t>(error);
    return error ? 0 : whole;
}

std::string examples_of(const json::object& route, const Paint& paint) {
    std::string lines;
    for (const auto& kind : part(route, "examples")) {
        std::vector<std::string> tags;
        if (const json::array* list = kind.value().if_array())
            for (const json::value& tag : *list)
                if (tag.is_string()) tags.push_back(visible(tag.get_string()));
        lines +=
            paint.faint(fmt::format("  {}: keys {}", visible(kind.key()), fmt::join(tags, ", "))) +
            "\n";
    }
    return lines;
}

}  // namespace

std::string render_shadow(const json::object& document, const Paint& paint) {
    const json::value* found = document.if_contains("routes");
    const json::array routes =
        found != nullptr && found->is_array() ? found->get_array() : json::array{};
    if (routes.empty())
        return "No route is in shadow. Write `protect: shadow` into one, and look here later.\n";
    std::vector<std::vector<std::string>> rows{{"route", "requests"}};
    for (const Column& column : columns()) rows.front().emplace_back(column.heading);
    std::string said;
    for (const json::value& one : routes) {
        if (!one.is_object()) continue;
        const json::object& route = one.get_object();
        std::vector<std::string> row{text(route, "route"), text(route, "requests")};
        for (const Column& column : columns()) {
            std::uint64_t sum = 0;
            for (const std::string_view kind : column.counts)
                sum += number(part(route, "counts"), kind);
            row.push_back(std::to_string(sum));
        }
        rows.push_back(std::move(row));
        said += fmt::format("\n{}\n  {}\n{}", paint.strong(text(route, "route")),
                            text(route, "says"), examples_of(route, paint));
    }
    std::string out = table(rows, paint) + said;
    if (const std::uint64_t forgotten = number(document, "keys_forgotten"); forgotten > 0)
        out += paint.warn(fmt::format("\n{} keys were forgotten for want of room: there were at "
                                      "least so many repeats.",
                                      forgotten)) +
               "\n";
    return out;
}

}  // namespace pawl::cli
