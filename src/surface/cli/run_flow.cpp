// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/run_flow.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "core/flow/diagram.hpp"
#include "surface/config/load.hpp"
#include "surface/flow_file/load.hpp"
#include "surface/flow_file/schema.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

json::array listed(const std::vector<policy::Finding>& findings) {
    json::array list;
    for (const policy::Finding& one : findings)
        list.push_back(json::object{
            {"severity", one.severity == policy::Severity::error ? "error" : "warning"},
            {"line", one.line},
            {"column", one.column},
            {"what", one.what},
            {"remedy", one.remedy}});
    return list;
}

// A name without a path is a flow that comes with Pawl, else a file beside whoever calls.
std::expected<flow_file::Loaded, std::vector<policy::Finding>> load(const std::string& use) {
    if (auto named = flow_file::load_named(use)) return *std::move(named);
    auto file = flow_file::load_flow_file(use);
    if (file || file.error().front().line > 0) return file;
    const auto names = flow_file::built_in_names();
    const auto meant = yaml::nearest(use, names);
    return std::unexpected(std::vector{policy::Finding{
        policy::Severity::error, 0, 0,
        "there is no such file, and no flow of this name comes with Pawl",
        meant ? fmt::format("did you mean `{}`?", *meant)
              : fmt::format("write the path of a file, or one of {}", fmt::join(names, ", "))}});
}

}  // namespace

int run_flow(const LookAtFlow& wanted, bool as_json, std::ostream& out, std::ostream& err) {
    if (wanted.schema) {
        out << flow_file::json_schema();
        return 0;
    }
    const auto loaded = load(wanted.file);
    const auto& findings = loaded ? loaded->warnings : loaded.error();
    const int exit_code = loaded ? 0 : row_of(Code::config_invalid).exit_code;
    const std::string diagram = loaded && wanted.show ? flow::mermaid(loaded->definition) : "";
    if (as_json) {
        json::object all{{"ok", loaded.has_value()}, {"findings", listed(findings)}};
        if (!diagram.empty()) all["mermaid"] = diagram;
        out << json::serialize(all) << '\n';
        return exit_code;
    }
    for (const policy::Finding& one : findings) err << config::shown(wanted.file, one) << '\n';
    if (!loaded) return exit_code;
    const flow::Definition& flow = loaded->definition;
    out << (wanted.show ? diagram
                        : fmt::format("flow {}: {} states, {} events\n", flow.name,
                                      flow.states.size(), flow.events.size()));
    return exit_code;
}

}  // namespace pawl::cli
