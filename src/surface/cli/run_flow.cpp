// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/run_flow.hpp"

#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "core/flow/diagram.hpp"
#include "surface/config/load.hpp"
#include "surface/flow_file/load.hpp"
#include "surface/flow_file/schema.hpp"

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

}  // namespace

int run_flow(const LookAtFlow& wanted, bool as_json, std::ostream& out, std::ostream& err) {
    if (wanted.schema) {
        out << flow_file::json_schema();
        return 0;
    }
    const auto loaded = flow_file::load_flow_file(wanted.file);
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
