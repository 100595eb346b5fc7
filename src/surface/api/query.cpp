// SPDX-License-Identifier: Apache-2.0
#include "surface/api/query.hpp"

#include <charconv>

#include <fmt/format.h>
#include <boost/url/encode.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <boost/url/url_view.hpp>

namespace pawl::api {

std::optional<std::string> Query::parameter(std::string_view name) const {
    for (const auto& [own, value] : parameters)
        if (own == name) return value;
    return std::nullopt;
}

Result<Query> parse_query(std::string_view target) {
    const auto parsed = boost::urls::parse_origin_form(target);
    if (!parsed) return fail(Code::request_invalid, "The target of the request is malformed.");
    Query query;
    query.path = parsed->path();
    for (const auto& parameter : parsed->encoded_params())
        query.parameters.emplace_back(parameter.key.decode(), parameter.value.decode());
    return query;
}

std::string percent_encoded(std::string_view value) {
    return boost::urls::encode(boost::urls::string_view(value), boost::urls::unreserved_chars);
}

Result<std::int64_t> number_in(const Query& query, std::string_view name, std::int64_t otherwise,
                               std::int64_t least) {
    const auto text = query.parameter(name);
    if (!text) return otherwise;
    std::int64_t number = 0;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
    if (read.ec != std::errc{} || read.ptr != text->data() + text->size() || number < 0)
        return fail(Code::request_invalid, fmt::format("`{}` is a whole number.", name));
    if (number < least)
        return fail(Code::request_invalid, fmt::format("`{}` is at least {}.", name, least));
    return number;
}

Result<bool> flag_in(const Query& query, std::string_view name) {
    const std::string text = query.parameter(name).value_or("false");
    if (text != "true" && text != "false")
        return fail(Code::request_invalid, fmt::format("`{}` is true or false.", name));
    return text == "true";
}

}  // namespace pawl::api
