// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_stations.hpp"

#include <fmt/format.h>

#include "surface/config/read_secret.hpp"

namespace pawl::config {
namespace {

using policy::Severity;

constexpr std::string_view kForm =
    "write `stations: { north: { secrets: [{ file: /run/secrets/north }] } }`";

void read_one(Reading& reading, Section& all, const YamlNode::Member& member,
              std::vector<Secret>& secrets) {
    all.take(member.name);
    if (member.value.kind != YamlNode::Kind::map) {
        all.error(member.value, fmt::format("`{}` is {}", member.name, name_of(member.value.kind)),
                  std::string(kForm));
        return;
    }
    Section station(reading, &member.value, "stations." + member.name, false);
    const YamlNode* list = station.take("secrets");
    station.finish();
    if (list == nullptr || list->kind != YamlNode::Kind::list) {
        station.error(list == nullptr ? member.value : *list,
                      fmt::format("`{}` has no list of secrets", member.name), std::string(kForm));
        return;
    }
    if (list->items.empty() || list->items.size() > flow::kStationSecretsMax)
        station.error(*list, fmt::format("`secrets` has {}", list->items.size()),
                      fmt::format("give 1 to {}", flow::kStationSecretsMax));
    for (const YamlNode& item : list->items)
        read_source(reading, item, fmt::format("stations.{}.secrets", member.name),
                    secrets.emplace_back());
}

bool takes_signed_scans(const flow::Machine& machine) {
    return std::ranges::any_of(machine.definition().events, [](const flow::EventRule& event) {
        return event.token && !event.token->station.empty();
    });
}

}  // namespace

void read_stations(Reading& reading, Section& top, StationSettings& stations) {
    const YamlNode* node = top.take("stations");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map || node->members.empty()) {
        top.error(*node,
                  node->members.empty() && node->kind == YamlNode::Kind::map
                      ? std::string("`stations` names none")
                      : fmt::format("`stations` is {}", name_of(node->kind)),
                  std::string(kForm));
        return;
    }
    Section all(reading, node, "stations", false);
    for (const YamlNode::Member& member : node->members) {
        if (member.name.size() > flow::kNameBytesMax)
            all.error(member.value,
                      fmt::format("a station's name has {} bytes", member.name.size()),
                      fmt::format("write at most {}", flow::kNameBytesMax));
        read_one(reading, all, member, stations[member.name]);
    }
}

void judge_stations(Reading& reading, const YamlNode& root, const Config& config) {
    const YamlNode* node = root.find("stations");
    if (node == nullptr || std::ranges::any_of(config.flows.machines, takes_signed_scans)) return;
    reading.findings.push_back(
        {Severity::warning, node->line, node->column,
         "no flow that is served takes scans which a station signs",
         "write `flows: [packing]`, or `token: { …, station: FIELD }` into a flow's file"});
}

Status read_station_files(StationSettings& stations) {
    for (auto& [name, secrets] : stations)
        for (Secret& secret : secrets)
            if (auto read = read_file_of(secret, fmt::format("stations.{}.secrets", name), false);
                !read)
                return read;
    return {};
}

Result<flow::Stations> stations_of(const StationSettings& stations) {
    flow::Stations all;
    std::map<std::string, std::string> owners;  // of the secrets
    for (const auto& [name, secrets] : stations)
        for (const Secret& secret : secrets) {
            if (secret.value.size() < flow::kStationSecretBytesMin)
                return fail(Code::config_invalid,
                            fmt::format("a secret of `stations.{}` has fewer than {} bytes", name,
                                        flow::kStationSecretBytesMin));
            const auto [owner, is_new] = owners.try_emplace(secret.value, name);
            if (!is_new)
                return fail(
                    Code::config_invalid,
                    owner->second == name
                        ? fmt::format("`stations.{}` has the same secret twice", name)
                        : fmt::format("`stations.{}` and `stations.{}` share a secret, and could "
                                      "sign for each other",
                                      owner->second, name));
            all[name].push_back(secret.value);
        }
    return all;
}

}  // namespace pawl::config
