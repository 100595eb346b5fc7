// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_file/load.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/flow/check.hpp"
#include "surface/flow_file/built_in.hpp"
#include "surface/flow_file/place.hpp"
#include "surface/flow_file/read_parts.hpp"
#include "surface/yaml/text_file.hpp"

namespace pawl::flow_file {
namespace {

using policy::Finding;
using policy::Severity;

flow::Definition read_definition(Reading& reading, const YamlNode& tree) {
    flow::Definition definition;
    Section file(reading, &tree, "", false);
    file.text("flow", definition.name);
    file.text("initial", definition.initial);
    file.flag("items", definition.items);
    file.texts("check_code", definition.check_code);
    read_fields(reading, file, "fields", definition.fields);
    if (file.has("correlate")) {
        Section correlate = file.section("correlate");
        definition.correlate.emplace();
        correlate.text("callback", definition.correlate->callback);
        correlate.text("field", definition.correlate->field);
        correlate.finish();
    } else {
        file.take("correlate");
    }
    read_deadlines(reading, file, definition);
    read_states(reading, file, definition);
    read_create(reading, file, definition);
    read_events(reading, file, definition);
    read_calls(reading, file, definition);
    file.finish();
    definition.create.transitions.front().to = definition.initial;
    return definition;
}

}  // namespace

std::expected<Loaded, std::vector<Finding>> load_flow(std::string_view text) {
    Reading reading;
    const auto tree = yaml::parse_yaml(text, reading.findings);
    if (tree && tree->kind != YamlNode::Kind::map)
        reading.findings.push_back({Severity::error, tree->line, tree->column,
                                    "the file is not a map", "begin with `flow: NAME`"});
    if (!tree || policy::has_errors(reading.findings))
        return std::unexpected(std::move(reading.findings));
    Loaded loaded{read_definition(reading, *tree), {}};
    // What could not be read is not judged as if it were not there.
    if (!policy::has_errors(reading.findings))
        for (const flow::Finding& finding : flow::check(loaded.definition))
            reading.findings.push_back(placed(finding, *tree));
    std::ranges::sort(reading.findings, {},
                      [](const Finding& one) { return std::tie(one.line, one.column, one.what); });
    if (policy::has_errors(reading.findings)) return std::unexpected(std::move(reading.findings));
    loaded.warnings = std::move(reading.findings);
    return loaded;
}

std::expected<Loaded, std::vector<Finding>> load_flow_file(const std::string& path) {
    const auto text = yaml::read_text_file(path);
    if (!text) return std::unexpected(std::vector{text.error()});
    return load_flow(*text);
}

bool is_path(std::string_view use) {
    return use.find('/') != std::string_view::npos || use.ends_with(".yaml") ||
           use.ends_with(".yml");
}

std::optional<std::expected<Loaded, std::vector<Finding>>> load_named(const std::string& use) {
    if (is_path(use)) return load_flow_file(use);
    for (const BuiltIn& one : built_in())
        if (one.name == use) return load_flow(one.text);
    return std::nullopt;
}

std::vector<std::string> built_in_names() {
    std::vector<std::string> names;
    for (const BuiltIn& one : built_in()) names.emplace_back(one.name);
    return names;
}

}  // namespace pawl::flow_file
