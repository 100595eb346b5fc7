// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/make_scan.hpp"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "core/flow/findings.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/codec/text.hpp"
#include "surface/cli/effective_config.hpp"
#include "surface/cli/resolving.hpp"
#include "surface/config/read_stations.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kNonceBytes = 8;

std::unexpected<Error> wrong(std::string text) {
    return fail(Code::request_invalid, std::move(text));
}

Result<const flow::Machine*> machine_of(const config::Config& config, const MakeScan& wanted) {
    for (const flow::Machine& machine : config.flows.machines) {
        if (machine.definition().name != wanted.flow) continue;
        const flow::EventRule* event = machine.event(wanted.event);
        if (event != nullptr && event->token) return &machine;
        return fail(Code::config_invalid, fmt::format("`{}` of flow `{}` takes no scan token",
                                                      wanted.event, wanted.flow));
    }
    return fail(Code::config_invalid, fmt::format("no flow `{}` is served", wanted.flow));
}

Result<std::string> secret_of(const config::Config& config, const flow::TokenRule& rule,
                              const std::string& station) {
    auto stations = config::stations_of(config.stations);
    if (!stations) return fail(std::move(stations.error()));
    if (rule.station.empty() || stations->empty()) return std::string();
    const auto found = stations->find(station);
    if (found != stations->end()) return found->second.front();
    return fail(Code::config_invalid,
                station.empty() ? std::string("say which station signs it: --station NAME")
                                : fmt::format("`stations` of the file has no `{}`", station));
}

bool is_of_event(const flow::EventRule& event, std::string_view name) {
    return std::ranges::find(event.fields, name, &flow::Field::name) != event.fields.end();
}

}  // namespace

Result<json::object> make_scan(const config::Config& config, const MakeScan& wanted,
                               std::int64_t now_ms, Entropy& entropy) {
    const auto machine = machine_of(config, wanted);
    if (!machine) return fail(machine.error());
    const flow::Definition& flow = (*machine)->definition();
    const flow::EventRule& event = *(*machine)->event(wanted.event);
    const flow::TokenRule& rule = *event.token;
    const auto secret = secret_of(config, rule, wanted.station);
    if (!secret) return fail(secret.error());
    std::map<std::string, std::string> given(wanted.values.begin(), wanted.values.end());
    given.try_emplace(rule.time, std::to_string(now_ms));
    if (!rule.station.empty() && !wanted.station.empty()) given[rule.station] = wanted.station;
    std::vector<std::string> seen;
    for (const std::string& name : rule.over) {
        const auto type = flow::type_of(flow, event, name);
        const bool is_drawn =
            !given.contains(name) && type == flow::FieldType::text && is_of_event(event, name);
        if (is_drawn) {
            std::string random(kNonceBytes, '\0');
            entropy.fill(std::as_writable_bytes(std::span{random}));
            given[name] = to_hex(random);
        }
        if (!given.contains(name))
            return wrong(fmt::format("`{}` was scanned too; write `{}=VALUE`", name, name));
        auto value = flow::parse_value(*type, given[name]);
        if (!value) return wrong(fmt::format("`{}`: {}", name, value.error().text));
        seen.push_back(value->text);
    }
    json::object body;
    for (const auto& [name, value] : given)
        if (is_of_event(event, name)) body[name] = value;
    body[rule.field] = flow::scan_token({flow.name, event.name, seen}, *secret);
    return body;
}

int run_make_scan(const MakeScan& wanted, const Common& common,
                  const config::Environment& environment) {
    const auto effective = effective_config(common, environment);
    if (!effective) return show_error(effective.error(), common.json);
    SystemEntropy entropy;
    SystemClock clock;
    const auto scan = make_scan(effective->config, wanted, milliseconds_of(clock.wall()), entropy);
    if (!scan) return show_error(scan.error(), common.json);
    fmt::print("{}\n", json::serialize(*scan));
    return 0;
}

}  // namespace pawl::cli
