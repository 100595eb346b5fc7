// SPDX-License-Identifier: Apache-2.0
// docs/configuration.md against what the loader says of itself: it lists the names that it knows when it meets
// one that it does not.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "surface/config/load.hpp"
#include "surface/config/schema.hpp"

namespace pawl::config {
namespace {

namespace json = boost::json;
using Names = std::set<std::string>;

// One unknown name in every section.
constexpr std::string_view kNobodys = R"(zzzzzzzz: 1
admin_token: { zzzzzzzz: 1 }
tls: { zzzzzzzz: 1 }
callers:
  a: { zzzzzzzz: 1, jwt: { zzzzzzzz: 1, key: { zzzzzzzz: 1 } } }
  b: { api_key: { zzzzzzzz: 1, secret: { zzzzzzzz: 1 }, keys: [{ zzzzzzzz: 1 }] } }
store: { zzzzzzzz: 1, encryption: { zzzzzzzz: 1, key: { zzzzzzzz: 1 }, previous: [{ zzzzzzzz: 1 }] } }
log: { zzzzzzzz: 1 }
limits: { zzzzzzzz: 1 }
cors: { zzzzzzzz: 1 }
upstream_tls: { zzzzzzzz: 1 }
flows: { zzzzzzzz: 1, caller: { zzzzzzzz: 1 }, roles: { a: { zzzzzzzz: 1 } }, retention: { zzzzzzzz: 1 } }
services: { a: { zzzzzzzz: 1, upstream_tls: { zzzzzzzz: 1 } } }
callbacks:
  - provider: wechat
    zzzzzzzz: 1
    events: { zzzzzzzz: 1 }
    keys: [{ zzzzzzzz: 1 }]
    api_keys: [{ zzzzzzzz: 1 }]
  - { provider: alipay, zzzzzzzz: 1, keys: [{ zzzzzzzz: 1 }] }
  - { provider: stripe, zzzzzzzz: 1, secrets: [{ zzzzzzzz: 1 }] }
  - { provider: standard_webhooks, zzzzzzzz: 1, body: { zzzzzzzz: 1 } }
  - provider: hmac
    zzzzzzzz: 1
    signature: { zzzzzzzz: 1 }
    answers: { zzzzzzzz: 1, taken: { zzzzzzzz: 1 }, failed: { zzzzzzzz: 1 }, not_authentic: { zzzzzzzz: 1 } }
routes:
  - match: POST /o
    zzzzzzzz: 1
    key: { zzzzzzzz: 1 }
    caller: { zzzzzzzz: 1 }
    authorize: { zzzzzzzz: 1 }
    cors: { zzzzzzzz: 1 }
    tenant: { zzzzzzzz: 1 }
    upstream_tls: { zzzzzzzz: 1 }
    fingerprint: { zzzzzzzz: 1 }
    on_repeat: { zzzzzzzz: 1 }
    version: { zzzzzzzz: 1 }
    uncertain: { zzzzzzzz: 1, callback: { zzzzzzzz: 1, secret: { zzzzzzzz: 1 } } }
    retention: { zzzzzzzz: 1 }
)";
// Not all in one file: no more than a hundred findings are told of one.
constexpr std::string_view kNobodysSinks = R"(
stations: { a: { zzzzzzzz: 1, secrets: [{ zzzzzzzz: 1 }] } }
sinks:
  a: { zzzzzzzz: 1, webhook: { zzzzzzzz: 1, secret: { zzzzzzzz: 1 }, previous: [{ zzzzzzzz: 1 }] } }
)";

// The path of a section as the page writes it.
std::string written(std::string path) {
    if (path == "keys") return "callers.NAME.api_key.keys";
    if (path == "previous") return "store.encryption.previous";
    if (path == "webhook.previous") return "sinks.NAME.webhook.previous";
    if (path == "sinks.a") return "sinks.NAME";
    if (path.starts_with("sinks.a.")) path.replace(0, 8, "sinks.NAME.");
    path += '.';
    for (const auto& [set, name] :
         {std::pair{"callers.a.", "callers.NAME."}, std::pair{"callers.b.", "callers.NAME."},
          std::pair{"flows.roles.a.", "flows.roles.NAME."},
          std::pair{"services.a.", "services.NAME."}, std::pair{"stations.a.", "stations.NAME."}})
        if (path.starts_with(set)) path.replace(0, std::string_view(set).size(), name);
    path.pop_back();
    return path;
}

// "`zzzzzzzz` is not known in `key`; known are header, json" -> key.header, key.json
Names known_names() {
    constexpr std::string_view kIn = "is not known in `";
    constexpr std::string_view kKnown = "known are ";
    Names names;
    std::vector<policy::Finding> findings;
    for (const std::string_view text : {kNobodys, kNobodysSinks})
        if (const auto loaded = load_config(text, {}); !loaded)
            findings.insert(findings.end(), loaded.error().begin(), loaded.error().end());
    for (const policy::Finding& finding : findings) {
        if (!finding.remedy.starts_with(kKnown)) continue;
        std::string prefix;
        if (const auto at = finding.what.find(kIn); at != std::string::npos) {
            prefix = finding.what.substr(at + kIn.size());
            prefix = written(prefix.substr(0, prefix.find('`'))) + ".";
        }
        std::istringstream listed(finding.remedy.substr(kKnown.size()));
        for (std::string name; std::getline(listed >> std::ws, name, ',');)
            names.insert(prefix + name);
    }
    // A section is described by what is in it.
    std::erase_if(names, [all = names](const std::string& name) {
        const auto next = all.lower_bound(name + ".");
        return name == "routes" || (next != all.end() && next->starts_with(name + "."));
    });
    return names;
}

// The first cells of all tables.
Names described_names() {
    Names names;
    std::ifstream page(PAWL_CONFIGURATION_PAGE);
    for (std::string line; std::getline(page, line);)
        if (line.starts_with("| `")) names.insert(line.substr(3, line.find('`', 3) - 3));
    return names;
}

// The names that the schema for editors has, written as the page writes them.
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
        Names below;
        // A route is described without its path.
        collect(schema, member.value().as_object(), name == "routes" ? "" : name + ".", below);
        if (below.empty()) below.insert(name);
        names.merge(below);
    }
}

Names only_in_one(const Names& one, const Names& other) {
    Names names;
    std::ranges::set_symmetric_difference(one, other, std::inserter(names, names.end()));
    return names;
}

TEST(Schema, HasEverySettingThatIsReadAndNoOther) {
    const json::value schema = json::parse(json_schema());
    Names names;
    collect(schema.as_object(), schema.as_object(), "", names);
    EXPECT_EQ(only_in_one(names, known_names()), Names{});
}

TEST(Documentation, DescribesEverySettingThatIsReadAndNoOther) {
    const Names known = known_names();
    EXPECT_GT(known.size(), 50U) << "the loader lists what it knows in another way now";
    EXPECT_EQ(only_in_one(described_names(), known), Names{});
}

}  // namespace
}  // namespace pawl::config
