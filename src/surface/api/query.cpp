// SPDX-License-Identifier: Apache-2.0
#include "surface/api/query.hpp"

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

}  // namespace pawl::api
