// SPDX-License-Identifier: Apache-2.0
#include "surface/api/members.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "core/key/json.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

void add_header(Members& members, record::Answer& answer, const json::value& name,
                const json::value& value) {
    if (!name.is_string() || !value.is_string())
        return members.mistake("A header's name and value are strings.");
    const std::string_view text = value.get_string();
    const std::string_view label = name.get_string();
    const bool plain =
        std::ranges::all_of(text, [](char c) { return c == '\t' || (c >= ' ' && c != 0x7f); });
    const bool token = !label.empty() && std::ranges::all_of(label, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
    if (!plain || !token)
        return members.mistake(
            "A header's name has letters, digits and hyphens, its value no line breaks.");
    answer.headers.emplace_back(label, text);
}

void read_headers(Members& members, record::Answer& answer, const json::value& headers) {
    if (const json::object* object = headers.if_object()) {
        for (const auto& member : *object)
            add_header(members, answer, json::string(member.key()), member.value());
        return;
    }
    const json::array* lines = headers.if_array();
    if (lines == nullptr)
        return members.mistake("`headers` is an object, or a list of [name, value].");
    for (const json::value& one : *lines) {
        const json::array* pair = one.if_array();
        if (pair == nullptr || pair->size() != 2)
            return members.mistake("A line of `headers` is [name, value].");
        add_header(members, answer, pair->at(0), pair->at(1));
    }
}

bool is_json_text(const std::string& body) {
    boost::system::error_code error;
    json::parse(body, error);
    return !error;
}

}  // namespace

Result<json::value> parse_object(std::string_view body) {
    boost::system::error_code error;
    json::value value = json::parse(body, error);
    if (error || !value.is_object())
        return fail(Code::request_invalid, "The body is one JSON object.");
    // Of a name that stands twice, one reader believes the first and another the last.
    if (const auto read = key::canonical_json(body); !read)
        return fail(Code::request_invalid,
                    fmt::format("The body is no JSON that can be read in one way only: {}",
                                read.error().text));
    return value;
}

std::optional<std::string> Members::text(std::string_view name) {
    const json::value* found = take(name);
    if (found == nullptr) return std::nullopt;
    if (found->is_string()) return std::string(found->get_string());
    mistake(fmt::format("`{}` is a string.", name));
    return std::nullopt;
}

bool Members::flag(std::string_view name) {
    const json::value* found = take(name);
    if (found == nullptr) return false;
    if (!found->is_bool()) mistake(fmt::format("`{}` is true or false.", name));
    return found->is_bool() && found->get_bool();
}

std::optional<std::int64_t> Members::count(std::string_view name) {
    const json::value* found = take(name);
    if (found == nullptr) return std::nullopt;
    if (found->is_int64() && found->get_int64() >= 0) return found->get_int64();
    mistake(fmt::format("`{}` is a whole number, not below 0.", name));
    return std::nullopt;
}

const json::value* Members::take(std::string_view name) {
    const json::value* found = object_.if_contains(name);
    if (found == nullptr) return nullptr;
    ++present_;
    return found;
}

Status Members::end() const {
    if (!mistake_.empty()) return fail(Code::request_invalid, mistake_);
    if (present_ != object_.size())
        return fail(Code::request_invalid, "The document has a member that is not known here.");
    return {};
}

std::optional<record::Answer> answer_in(Members& members) {
    const json::value* status = members.take("status");
    const json::value* headers = members.take("headers");
    const auto text = members.text("body");
    const auto encoded = members.text("body_base64");
    if (status == nullptr) {
        if (headers != nullptr || text || encoded)
            members.mistake("Headers and body come with a `status`.");
        return std::nullopt;
    }
    record::Answer answer;
    if (status->is_int64() && status->get_int64() >= 200 && status->get_int64() <= 599)
        answer.status = static_cast<int>(status->get_int64());
    else
        members.mistake("`status` is a number from 200 to 599.");
    if (headers != nullptr) read_headers(members, answer, *headers);
    if (text && encoded) members.mistake("The body comes once: as `body` or as `body_base64`.");
    if (text) answer.body = *text;
    if (encoded) {
        auto bytes = from_base64(*encoded);
        if (!bytes)
            members.mistake("`body_base64` is not base64 (RFC 4648, section 4, padded).");
        else
            answer.body = std::move(*bytes);
    }
    const bool typed = std::ranges::any_of(answer.headers, [](const auto& line) {
        return equal_ignoring_case(line.first, "Content-Type");
    });
    if (!typed && !answer.body.empty())
        answer.headers.emplace_back("Content-Type", is_json_text(answer.body)
                                                        ? "application/json"
                                                        : "application/octet-stream");
    return answer;
}

}  // namespace pawl::api
