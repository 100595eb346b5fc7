// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/request_body.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/id/id.hpp"
#include "core/key/json_parts.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::flow_api {
namespace {

using flow::FieldType;
using key::JsonMember;
using key::JsonValue;
using Kind = JsonValue::Kind;

constexpr std::size_t kNameShownMax = 80;

std::unexpected<BodyError> unreadable(std::string text) {
    return std::unexpected(BodyError{false, std::move(text)});
}
std::unexpected<BodyError> invalid(std::string text) {
    return std::unexpected(BodyError{true, std::move(text)});
}

// Of a member that a client named: no control characters, no endless text.
std::string shown(std::string_view name) { return to_utf8(name.substr(0, kNameShownMax)); }

Read<std::vector<JsonMember>> members_of(std::string_view body) {
    auto members = key::json_members(body);
    if (members) return *std::move(members);
    return unreadable(fmt::format("The body is one JSON object: {}", members.error().text));
}

bool is_null(const JsonValue& value) { return value.kind == Kind::literal && value.text == "null"; }

std::string_view wanted(FieldType type) {
    switch (type) {
        case FieldType::text:
            return "a string";
        case FieldType::integer:
            return "a whole number";
        case FieldType::money:
            return "an amount such as \"12.50\"";
        case FieldType::boolean:
            return "true or false";
        case FieldType::time:
            break;
    }
    return "a time such as \"2026-05-01T12:00:00Z\"";
}

// JSON has one kind of number, and some clients write the whole number 5 as 5.0.
std::string whole(std::string_view text) {
    const auto point = text.find('.');
    if (point != text.npos && text.find_first_not_of('0', point + 1) == text.npos)
        text = text.substr(0, point);
    return text == "-0" ? "0" : std::string(text);
}

// The text of one value, as flow::parse_value takes it.
Read<std::string> text_of(const JsonValue& value, FieldType type, std::string_view place) {
    const auto wrong = [&](std::string_view what) {
        return invalid(fmt::format("`{}` is {}. Write {}.", shown(place), what, wanted(type)));
    };
    switch (value.kind) {
        case Kind::string:
            return value.text;
        case Kind::composite:
            return wrong(value.text.starts_with('{') ? "an object" : "a list");
        case Kind::literal:
            if (is_null(value))
                return invalid(fmt::format("`{}` is null. Leave it out, or write {}.", shown(place),
                                           wanted(type)));
            if (type != FieldType::boolean) return wrong(value.text);
            return value.text;
        case Kind::number:
            break;
    }
    if (type == FieldType::money) return value.text;
    if (type == FieldType::integer) return whole(value.text);
    if (type != FieldType::text) return wrong("a number");
    // A name that is a number: an id of somebody's, which must not become its neighbour's.
    const JsonValue name{Kind::number, whole(value.text)};
    if (name.text == "0") return name.text;
    if (const auto id = id::id_in_json(name); !id)
        return invalid(fmt::format("`{}`: {}", shown(place), id.error().text));
    return name.text;
}

Read<std::int64_t> whole_number(const JsonValue& value, std::string_view place) {
    std::int64_t number = 0;
    const std::string text = whole(value.text);
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (value.kind == Kind::number && read.ec == std::errc{} && read.ptr == end) return number;
    return invalid(fmt::format("`{}` is a whole number, up to {}.", place, stock::kQuantityMax));
}

Read<stock::Kind> stock_kind(const JsonValue& value, std::string_view place) {
    const auto kind = value.kind == Kind::string ? stock::kind_from(value.text) : std::nullopt;
    if (kind) return *kind;
    return invalid(fmt::format("`{}` is \"goods\" or \"voucher\".", place));
}

Read<stock::Line> line_of(const JsonValue& value, std::size_t number) {
    const std::string place = fmt::format("items[{}]", number);
    if (value.kind != Kind::composite || !value.text.starts_with('{'))
        return invalid(
            fmt::format("`{}` is an object such as {{\"sku\": \"A\", \"quantity\": 2}}.", place));
    const auto members = members_of(value.text);
    if (!members) return std::unexpected(members.error());
    stock::Line line;
    bool counted = false;
    for (const JsonMember& member : *members) {
        const std::string at = fmt::format("{}.{}", place, shown(member.name));
        if (member.name == "sku") {
            auto code = text_of(member.value, FieldType::text, at);
            if (!code) return std::unexpected(code.error());
            line.sku.code = *std::move(code);
        } else if (member.name == "quantity") {
            const auto quantity = whole_number(member.value, at);
            if (!quantity) return std::unexpected(quantity.error());
            line.quantity = *quantity;
            counted = true;
        } else if (member.name == "kind") {
            const auto kind = stock_kind(member.value, at);
            if (!kind) return std::unexpected(kind.error());
            line.sku.kind = *kind;
        } else {
            return invalid(
                fmt::format("`{}` is not known; a line has `sku`, `quantity` and, for vouchers, "
                            "`kind`.",
                            at));
        }
    }
    if (!counted) return invalid(fmt::format("`{}.quantity` is missing.", place));
    return line;
}

Read<std::vector<stock::Line>> items_of(const JsonValue& value) {
    const auto wrong = [] {
        return invalid("`items` is a list such as [{\"sku\": \"A\", \"quantity\": 2}].");
    };
    if (value.kind != Kind::composite || !value.text.starts_with('[')) return wrong();
    const auto elements = key::json_elements(value.text);
    if (!elements) return wrong();
    if (elements->size() > stock::kLinesMax)
        return invalid(
            fmt::format("`items` has {} lines, at most {}.", elements->size(), stock::kLinesMax));
    std::vector<stock::Line> lines;
    for (const JsonValue& element : *elements) {
        auto line = line_of(element, lines.size());
        if (!line) return std::unexpected(line.error());
        lines.push_back(*std::move(line));
    }
    if (lines.empty()) return lines;
    // One place for what a line may be; said here, where the answer names the member.
    if (const auto merged = stock::merged(lines); !merged)
        return invalid(fmt::format("`items`: {}.", merged.error().text));
    return lines;
}

std::string known_names(const flow::Definition& flow, const flow::EventRule& event, bool creates) {
    std::string names;
    const auto add = [&names](std::string_view name) {
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
    };
    for (const flow::Field& field : creates ? flow.fields : event.fields) add(field.name);
    for (const std::string& name : event.set) add(name);
    if (flow.items) add("items");
    if (creates) add("business_key");
    if (creates || flow.fields.empty()) return names.empty() ? "nothing" : names;
    std::string own;
    for (const flow::Field& field : flow.fields)
        own += fmt::format("{}`{}`", own.empty() ? "" : ", ", field.name);
    return fmt::format("{}{} as the {} has them", names, names.empty() ? own : " and " + own,
                       flow.name);
}

}  // namespace

Read<Given> read_given(std::string_view body, const flow::Definition& flow,
                       const flow::EventRule& event) {
    Given given;
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return given;
    const auto members = members_of(body);
    if (!members) return std::unexpected(members.error());
    const bool creates = event.name == flow.create.name;
    for (const JsonMember& member : *members) {
        if (member.name == "items" && flow.items) {
            auto items = items_of(member.value);
            if (!items) return std::unexpected(items.error());
            given.items = *std::move(items);
            continue;
        }
        const bool is_business_key = creates && member.name == "business_key";
        const auto type = is_business_key ? std::optional(FieldType::text)
                                          : flow::type_of(flow, event, member.name);
        if (!type)
            return invalid(fmt::format("`{}` of flow `{}` takes no `{}`; it takes {}.", event.name,
                                       flow.name, shown(member.name),
                                       known_names(flow, event, creates)));
        auto text = text_of(member.value, *type, member.name);
        if (!text) return std::unexpected(text.error());
        if (is_business_key)
            given.business_key = *std::move(text);
        else
            given.values.emplace(member.name, *std::move(text));
    }
    return given;
}

Read<store::StockChange> read_stock_change(std::string_view body, std::string sku) {
    using Change = store::StockChange;
    const auto members = members_of(body);
    if (!members) return std::unexpected(members.error());
    Change change{.sku = {stock::Kind::goods, std::move(sku)}, .kind = Change::Kind::set};
    int words = 0;
    for (const JsonMember& member : *members) {
        if (member.name == "kind") {
            const auto kind = stock_kind(member.value, "kind");
            if (!kind) return std::unexpected(kind.error());
            change.sku.kind = *kind;
            continue;
        }
        if (member.name != "set" && member.name != "adjust")
            return invalid(fmt::format("`{}` is not known; write `set` or `adjust`, and `kind`.",
                                       shown(member.name)));
        const auto quantity = whole_number(member.value, member.name);
        if (!quantity) return std::unexpected(quantity.error());
        change.kind = member.name == "set" ? Change::Kind::set : Change::Kind::adjust;
        change.quantity = *quantity;
        ++words;
    }
    const bool sets = change.kind == Change::Kind::set;
    if (words != 1)
        return invalid(
            "Write one of {\"set\": 100}, the total with what is reserved and sold, and "
            "{\"adjust\": -3}, so much more or less.");
    if (sets && (change.quantity < 0 || change.quantity > stock::kQuantityMax))
        return invalid(fmt::format("`set` is from 0 to {}.", stock::kQuantityMax));
    if (!sets && (change.quantity == 0 || change.quantity > stock::kQuantityMax ||
                  change.quantity < -stock::kQuantityMax))
        return invalid(fmt::format("`adjust` is a number other than 0, up to {} either way.",
                                   stock::kQuantityMax));
    return change;
}

}  // namespace pawl::flow_api
