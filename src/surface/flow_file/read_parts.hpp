// SPDX-License-Identifier: Apache-2.0
// The parts of a flow file, one function each. What is not given keeps the definition's default.
#pragma once

#include "core/flow/definition.hpp"
#include "surface/yaml/section.hpp"

namespace pawl::flow_file {

using yaml::Reading;
using yaml::Section;
using yaml::YamlNode;

// The members of a map of names: `{ paid: …, shipped: … }`. Anything else is an error.
const std::vector<YamlNode::Member>& members_of(Section& section, std::string_view name);
// A value, called by its name, as a section of its own; one without a value has no settings. The node outlives it.
Section section_of(Reading& reading, std::string_view name, const YamlNode& value,
                   const std::string& path);

void read_fields(Reading& reading, Section& section, const std::string& path,
                 std::vector<flow::Field>& fields);
void read_states(Reading& reading, Section& file, flow::Definition& definition);
void read_deadlines(Reading& reading, Section& file, flow::Definition& definition);
void read_events(Reading& reading, Section& file, flow::Definition& definition);
void read_create(Reading& reading, Section& file, flow::Definition& definition);
void read_calls(Reading& reading, Section& file, flow::Definition& definition);

}  // namespace pawl::flow_file
