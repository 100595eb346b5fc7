// SPDX-License-Identifier: Apache-2.0
#include "core/callback/json_members.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pawl::callback {
namespace {

using Kind = key::JsonValue::Kind;

key::JsonPath path_of(MemberNames names) {
    key::JsonPath path{{}, "$"};
    for (const std::string_view name : names) {
        path.steps.push_back({std::string(name), std::nullopt});
        path.text.append(".").append(name);
    }
    return path;
}

bool is_whole(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

JsonMembers::JsonMembers(std::string_view text, std::string_view what) : text_(text), what_(what) {
    const auto whole = key::json_at(text, key::JsonPath{{}, "$"});
    if (!whole) {
        problem_ = fmt::format("The {} cannot be read. {}", what, whole.error().text);
    } else if (!*whole || (*whole)->kind != Kind::composite || !(*whole)->text.starts_with('{')) {
        problem_ = fmt::format("The {} is not a JSON object.", what);
    }
}

std::optional<key::JsonValue> JsonMembers::at(const key::JsonPath& path) {
    if (!problem_.empty()) return std::nullopt;
    auto found = key::json_at(text_, path);
    if (!found || !*found) return std::nullopt;
    if ((*found)->kind == Kind::literal && (*found)->text == "null") return std::nullopt;
    return *std::move(found);
}

std::string JsonMembers::wrong(const key::JsonPath& path, std::string_view wanted) {
    if (problem_.empty())
        problem_ = fmt::format("The {}'s {} is not {}.", what_, path.text, wanted);
    return {};
}

std::string JsonMembers::text(MemberNames names) { return text(path_of(names)); }

std::string JsonMembers::text(const key::JsonPath& path) {
    auto value = at(path);
    if (!value) return {};
    return value->kind == Kind::string ? std::move(value->text) : wrong(path, "a text");
}

std::string JsonMembers::name(const key::JsonPath& path) {
    auto value = at(path);
    if (!value) return {};
    const bool good =
        value->kind == Kind::string || (value->kind == Kind::number && is_whole(value->text));
    return good ? std::move(value->text) : wrong(path, "a text or a whole number");
}

std::string JsonMembers::number(MemberNames names) { return number(path_of(names)); }

std::string JsonMembers::number(const key::JsonPath& path) {
    auto value = at(path);
    if (!value) return {};
    const bool good = value->kind == Kind::string || value->kind == Kind::number;
    return good && !value->text.empty() ? std::move(value->text) : wrong(path, "a number");
}

std::string JsonMembers::flag(MemberNames names) {
    const key::JsonPath path = path_of(names);
    auto value = at(path);
    if (!value) return {};
    return value->kind == Kind::literal ? std::move(value->text) : wrong(path, "true or false");
}

bool JsonMembers::has(MemberNames names) { return at(path_of(names)).has_value(); }

}  // namespace pawl::callback
