// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/run_suggest.hpp"

#include <filesystem>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "surface/cli/admin_answer.hpp"
#include "surface/cli/connect.hpp"
#include "surface/cli/resolving.hpp"
#include "surface/cli/suggest.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

std::uint64_t number(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    boost::system::error_code error;
    const auto whole = value == nullptr ? 0 : value->to_number<std::uint64_t>(error);
    return error ? 0 : whole;
}

std::string text(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string())
                                                  : std::string();
}

// Shape: as of /admin/v1/unprotected.
SeenWrites seen_in(const json::object& document) {
    SeenWrites seen;
    seen.not_listed = number(document, "not_listed");
    seen.protected_requests = number(document, "protected_requests");
    seen.unprotected_writes = number(document, "unprotected_writes");
    const json::value* writes = document.if_contains("writes");
    if (writes == nullptr || !writes->is_array()) return seen;
    for (const json::value& one : writes->get_array()) {
        const json::object* write = one.if_object();
        if (write == nullptr) continue;
        policy::WriteCount counted{text(*write, "method"), text(*write, "path"),
                                   text(*write, "route"), number(*write, "count"),
                                   number(*write, "with_key")};
        if (may_be_suggested(counted)) seen.writes.push_back(std::move(counted));
    }
    return seen;
}

Result<SeenWrites> ask_server(const Common& common, const config::Environment& environment) {
    const auto places = find_places(common, environment);
    if (!places) return fail(places.error());
    AdminClient client(places->admin);
    const auto response = client.get("/admin/v1/unprotected");
    if (!response)
        return fail(Code::unavailable,
                    fmt::format("{}. Start `pawl serve`, say where it is with --admin, or give an "
                                "access log with --log FILE",
                                response.error().text));
    const auto document = admin_document(*response, client.place(), "writes");
    if (!document) return fail(document.error());
    if (document->contains("code")) return fail(code_of(*document), text(*document, "detail"));
    return seen_in(*document);
}

Result<SeenWrites> read_log(const std::string& path, const config::Config& config) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail(Code::request_invalid,
                    fmt::format("--log: {} is a folder; name the access log in it", path));
    std::ifstream log(path, std::ios::binary);
    if (!log) return fail(Code::request_invalid, fmt::format("--log: {} cannot be read", path));
    return read_access_log(log, config);
}

}  // namespace

int run_suggest(const Check& check, const Common& common, const config::Environment& environment,
                std::ostream& out, std::ostream& err) {
    Common asked = common;
    asked.config = check.file;
    auto loaded = config::load_config_file(check.file, environment);
    if (!loaded) {
        for (const policy::Finding& finding : loaded.error())
            err << config::shown(check.file, finding) << '\n';
        return row_of(Code::config_invalid).exit_code;
    }
    auto seen =
        check.log.empty() ? ask_server(asked, environment) : read_log(check.log, loaded->config);
    if (!seen) return show_error(seen.error(), common.json);
    const std::string routes = suggested_routes(*seen, loaded->config);
    if (common.json) {
        out << json::serialize(json::object{{"protected_requests", seen->protected_requests},
                                            {"unprotected_writes", seen->unprotected_writes},
                                            {"protected_share", seen->share()},
                                            {"routes", routes}})
            << '\n';
        return 0;
    }
    out << routes;
    if (seen->not_understood > 0)
        err << fmt::format("{} of {} lines are no requests in a form that is known here\n",
                           seen->not_understood, seen->lines);
    return 0;
}

}  // namespace pawl::cli
