// SPDX-License-Identifier: Apache-2.0
// docs/flow_files.md and docs/flow.schema.json against what the reader says of itself: it lists the names that
// it knows when it meets one that it does not. What a transition does is described once, at the event.
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "surface/flow_file/load.hpp"
#include "surface/flow_file/schema.hpp"

namespace pawl::flow_file {
namespace {

namespace json = boost::json;
using Names = std::set<std::string>;

// One unknown name in every section.
constexpr std::string_view kNobodys = R"(zzzzzzzz: 1
correlate: { zzzzzzzz: 1 }
fields: { a: { zzzzzzzz: 1 } }
deadlines: { a: { zzzzzzzz: 1 } }
states: { a: { zzzzzzzz: 1, deadline: { zzzzzzzz: 1 }, late: { a: { zzzzzzzz: 1 } } } }
create:
  zzzzzzzz: 1
  unique: { zzzzzzzz: 1 }
  exclusive: { zzzzzzzz: 1 }
  require: { a: { zzzzzzzz: 1 } }
  short: { zzzzzzzz: 1 }
  taken: { zzzzzzzz: 1 }
events:
  a:
    zzzzzzzz: 1
    fields: { a: { zzzzzzzz: 1 } }
    token: { zzzzzzzz: 1 }
    unique: [{ zzzzzzzz: 1 }]
    exclusive: { zzzzzzzz: 1 }
    require: { a: { zzzzzzzz: 1 } }
    short: { zzzzzzzz: 1 }
    taken: { zzzzzzzz: 1 }
  b:
    transitions:
      - zzzzzzzz: 1
        exclusive: { zzzzzzzz: 1 }
        require: { a: { zzzzzzzz: 1 } }
        short: { zzzzzzzz: 1 }
        taken: { zzzzzzzz: 1 }
probes: { a: { zzzzzzzz: 1 } }
sagas: { a: { zzzzzzzz: 1, steps: [{ zzzzzzzz: 1 }] } }
)";

// The path of a section as the page writes it.
std::string written(const std::string& path) {
    std::istringstream parts(path);
    std::string out;
    for (std::string part; std::getline(parts, part, '.');) {
        if (part == "transitions[0]") part = "transitions";
        if (part == "a" || part == "b") part = "NAME";
        out += part + ".";
    }
    return out;
}

// Sections are described by what is in them; creation and listed transitions by the event's.
Names told(Names names) {
    std::erase_if(names, [all = names](const std::string& name) {
        const auto next = all.upper_bound(name + ".");
        if (next != all.end() && next->starts_with(name + ".")) return true;
        for (const std::string_view copy : {"create.", "events.NAME.transitions."})
            if (name.starts_with(copy))
                return all.contains("events.NAME." + name.substr(copy.size()));
        return false;
    });
    return names;
}

Names known_names() {
    constexpr std::string_view kIn = "is not known in `";
    constexpr std::string_view kKnown = "known are ";
    Names names;
    const auto loaded = load_flow(kNobodys);
    if (loaded) return names;
    for (const policy::Finding& finding : loaded.error()) {
        if (!finding.remedy.starts_with(kKnown)) continue;
        std::string prefix;
        if (const auto at = finding.what.find(kIn); at != std::string::npos) {
            prefix = finding.what.substr(at + kIn.size());
            prefix = written(prefix.substr(0, prefix.find('`')));
        }
        std::istringstream listed(finding.remedy.substr(kKnown.size()));
        for (std::string name; std::getline(listed >> std::ws, name, ',');)
            names.insert(prefix + name);
    }
    return told(names);
}

void collect(const json::object& schema, const json::object& part, const std::string& prefix,
             Names& names) {
    if (const json::value* ref = part.if_contains("$ref")) {
        const std::string name(ref->as_string().subview(std::string_view("#/$defs/").size()));
        collect(schema, schema.at("$defs").at(name).as_object(), prefix, names);
    }
    if (const json::value* choices = part.if_contains("oneOf"))
        for (const json::value& one : choices->as_array())
            collect(schema, one.as_object(), prefix, names);
    if (const json::value* items = part.if_contains("items"))
        collect(schema, items->as_object(), prefix, names);
    if (const json::value* any = part.if_contains("additionalProperties"); any && any->is_object())
        collect(schema, any->as_object(), prefix + "NAME.", names);
    const json::value* members = part.if_contains("properties");
    if (members == nullptr) return;
    EXPECT_TRUE(part.contains("additionalProperties")) << prefix << " takes names of nobody's";
    for (const auto& member : members->as_object()) {
        const std::string name = prefix + std::string(member.key());
        names.insert(name);
        collect(schema, member.value().as_object(), name + ".", names);
    }
}

TEST(FlowSchema, HasEverySettingThatIsReadAndNoOther) {
    const json::value schema = json::parse(json_schema());
    Names names;
    collect(schema.as_object(), schema.as_object(), "", names);
    EXPECT_EQ(told(names), known_names());
}

TEST(FlowDocumentation, DescribesEverySettingThatIsReadAndNoOther) {
    Names described;
    std::ifstream page(PAWL_FLOW_FILES_PAGE);
    for (std::string line; std::getline(page, line);)
        if (line.starts_with("| `")) described.insert(line.substr(3, line.find('`', 3) - 3));
    EXPECT_GT(known_names().size(), 50U) << "the reader lists what it knows in another way now";
    EXPECT_EQ(described, known_names());
}

}  // namespace
}  // namespace pawl::flow_file
