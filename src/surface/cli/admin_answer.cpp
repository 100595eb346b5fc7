// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/admin_answer.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "surface/api/admin_access.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kProblemType = "urn:pawl:problem:";

bool has_text(const json::object& object, std::string_view name, std::string_view beginning) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_string() &&
           std::string_view(value->get_string()).starts_with(beginning);
}

bool is_problem(const json::object& object) {
    return has_text(object, "type", kProblemType) && has_text(object, "code", "");
}

}  // namespace

Result<json::object> admin_document(const http::Response& response, std::string_view place,
                                    std::string_view member) {
    boost::system::error_code error;
    json::value value = json::parse(response.body, error);
    const json::object* document = error ? nullptr : value.if_object();
    const bool marked = !http::first_of(response.headers, api::kAdminHeader).empty();
    const bool is_done = response.status >= 200 && response.status < 300;
    const bool expected =
        document != nullptr && (is_done ? document->contains(member) : is_problem(*document));
    if (marked && expected) return std::move(value.get_object());
    if (document != nullptr && is_problem(*document) && !marked)
        return fail(Code::request_invalid,
                    fmt::format("what answers at {} is Pawl's port for requests, not its admin "
                                "port; the admin port is `admin` of the configuration, "
                                "127.0.0.1:8081 unless it says otherwise: give it with --admin",
                                place));
    return fail(Code::request_invalid,
                fmt::format("what answers at {} is not Pawl's admin port (status {}); say where "
                            "that is with --admin HOST:PORT",
                            place, response.status));
}

}  // namespace pawl::cli
