// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/check.hpp"

#include <iterator>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "core/policy/matcher.hpp"
#include "core/policy/rekey.hpp"
#include "net/http/server.hpp"
#include "surface/config/address.hpp"
#include "surface/config/describe.hpp"

namespace pawl::cli {
namespace {

using policy::Finding;
using policy::Severity;

// Writes that take no record: what R-COVERAGE wants shown.
struct Coverage {
    std::size_t protected_routes = 0;
    std::vector<std::string> unprotected;          // names of routes
    std::optional<std::string> unmatched_goes_to;  // whatever no route matches, writes too
};

Coverage coverage_of(const config::Config& config) {
    Coverage coverage;
    for (const policy::Route& route : config.routes) {
        if (route.protect)
            ++coverage.protected_routes;
        else if (!policy::is_safe_method(route.method))
            coverage.unprotected.push_back(route.name);
    }
    if (config.default_upstream)
        coverage.unmatched_goes_to = config::format_upstream(*config.default_upstream);
    return coverage;
}

std::string counted(std::size_t count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

constexpr std::string_view kNoStart = "`pawl serve` would not start; check as the user who serves";

// Who checks need not be who serves, so that this is no error.
void warn_of_secrets(config::Config config, std::vector<Finding>& findings) {
    if (const auto read = config::read_secrets(config); !read)
        findings.push_back({Severity::warning, 0, 0, read.error().text, std::string(kNoStart)});
    const config::Tls& tls = config.tls;
    if (!tls.given()) return;
    if (const auto usable = http::check_files({tls.certificate, tls.key, tls.client_ca}); !usable)
        findings.push_back(
            {Severity::warning, 0, 0,
             fmt::format("the files of `tls`: {} {}", usable.error().text, usable.error().cause),
             std::string(kNoStart)});
}

void compare_with_former(const CheckOrder& order, const config::Config& config,
                         std::vector<Finding>& findings) {
    const auto before = config::load_config_file(order.against, order.environment);
    if (before)
        std::ranges::copy(policy::rekeyed(before->config.routes, config.routes),
                          std::back_inserter(findings));
    else
        findings.push_back({Severity::error, 0, 0,
                            fmt::format("{}, the file of --against, has errors", order.against),
                            fmt::format("`pawl check {}` shows them", order.against)});
}

void show_findings(const CheckOrder& order, const std::vector<Finding>& findings,
                   std::ostream& err) {
    for (const Finding& finding : findings) {
        std::string line = config::shown(order.file, finding);
        if (order.colour)
            line = fmt::format("\x1b[{}m{}\x1b[0m",
                               finding.severity == Severity::error ? "31" : "33", line);
        err << line << '\n';
    }
}

void show_coverage(const Coverage& coverage, std::ostream& out) {
    out << "# " << counted(coverage.protected_routes, "protected route")
        << "; unprotected writes: ";
    if (coverage.unprotected.empty()) out << "no route";
    for (std::size_t i = 0; i < coverage.unprotected.size(); ++i)
        out << (i == 0 ? "" : ", ") << coverage.unprotected[i];
    if (coverage.unmatched_goes_to)
        out << ", and what no route matches (goes to " << *coverage.unmatched_goes_to << ")";
    out << '\n';
}

boost::json::object as_json(const Finding& finding) {
    boost::json::object object{
        {"severity", finding.severity == Severity::error ? "error" : "warning"},
        {"what", finding.what},
        {"remedy", finding.remedy}};
    if (finding.line != 0) {
        object["line"] = finding.line;
        object["column"] = finding.column;
    }
    return object;
}

boost::json::object as_json(const Coverage& coverage) {
    boost::json::object object{
        {"protected_routes", coverage.protected_routes},
        {"unprotected_writes",
         boost::json::array(coverage.unprotected.begin(), coverage.unprotected.end())},
        {"unmatched_goes_to", nullptr}};
    if (coverage.unmatched_goes_to) object["unmatched_goes_to"] = *coverage.unmatched_goes_to;
    return object;
}

void show_json(const CheckOrder& order, const std::vector<Finding>& findings,
               const config::Config* config, std::ostream& out) {
    boost::json::array list;
    for (const Finding& finding : findings) list.push_back(as_json(finding));
    boost::json::object report{
        {"file", order.file}, {"ok", config != nullptr}, {"findings", std::move(list)}};
    if (config != nullptr) {
        report["coverage"] = as_json(coverage_of(*config));
        report["effective"] = config::describe(*config);
    }
    out << boost::json::serialize(report) << '\n';
}

}  // namespace

int run_check(const CheckOrder& order, std::ostream& out, std::ostream& err) {
    const auto loaded = config::load_config_file(order.file, order.environment);
    std::vector<Finding> findings = loaded ? loaded->warnings : loaded.error();
    if (loaded) warn_of_secrets(loaded->config, findings);
    if (loaded && !order.against.empty()) compare_with_former(order, loaded->config, findings);
    const int exit_code = policy::has_errors(findings) ? row_of(Code::config_invalid).exit_code : 0;
    if (order.json) {
        show_json(order, findings, loaded ? &loaded->config : nullptr, out);
        return exit_code;
    }
    if (loaded) {
        out << config::describe(loaded->config);
        show_coverage(coverage_of(loaded->config), out);
    }
    show_findings(order, findings, err);
    const auto errors = static_cast<std::size_t>(std::ranges::count(
        findings, Severity::error, [](const Finding& one) { return one.severity; }));
    err << fmt::format("{}: {}, {}\n", order.file, counted(errors, "error"),
                       counted(findings.size() - errors, "warning"));
    return exit_code;
}

}  // namespace pawl::cli
