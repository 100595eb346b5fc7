// SPDX-License-Identifier: Apache-2.0
// What flows say about the rest of the file: their callers, the roles that their events ask for, and the services that
// their probes and sagas call.
#include <set>

#include <fmt/format.h>

#include "core/policy/check.hpp"
#include "surface/config/read_callers.hpp"
#include "surface/config/read_flows.hpp"
#include "surface/config/read_services.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::config {
namespace {

using policy::Finding;
using policy::Severity;
using Source = policy::CallerRule::Source;

constexpr std::string_view kRole = "role ";

// Where in the file something about flows stands, as near as it is given.
struct Places {
    const YamlNode* flows;

    const YamlNode& section(std::string_view name) const {
        const YamlNode* found = flows->find(name);
        return found == nullptr ? *flows : *found;
    }
    // That names the flow at this place of the list.
    const YamlNode& use(std::size_t i) const {
        const YamlNode& list = flows->kind == YamlNode::Kind::map ? section("use") : *flows;
        return i < list.items.size() ? list.items[i] : list;
    }
    const YamlNode* allow(std::string_view flow, std::string_view event) const {
        const YamlNode* all = flows->find("allow");
        const YamlNode* of = all == nullptr ? nullptr : all->find(flow);
        return of == nullptr ? nullptr : of->find(event);
    }
};

// A call of the flows, as far as its caller is concerned: what a route may not say of one, they may not either.
policy::Route as_route(const policy::CallerRule& caller) {
    policy::Route route;
    route.name = "flows";
    route.method = "POST";
    route.path = "/v1/flows";
    route.upstream.demo = true;
    route.key.source = policy::KeyRule::Source::header;
    route.declares_outcome = true;
    route.caller = caller;
    return route;
}

class Judge {
  public:
    Judge(Reading& reading, const Config& config, Places places)
        : reading_(reading), config_(config), places_(places) {
        for (const policy::RoleRule& role : config.flows.roles) roles_.push_back(role.name);
        for (const auto& [name, upstream] : config.services) services_.push_back(name);
    }

    void callers() {
        const FlowSettings& flows = config_.flows;
        const bool open = flows.caller.source == Source::open;
        const YamlNode& at = places_.section("caller");
        if (auto found = unknown_caller_rule(config_, flows.caller))
            add(Severity::error, at, std::move(found->what), std::move(found->remedy));
        for (Finding& found : policy::check_routes({as_route(flows.caller)}))
            if (found.severity == Severity::error)
                add(Severity::error, at, std::move(found.what), std::move(found.remedy));
        if (open && places_.flows->find("caller") == nullptr)
            add(Severity::warning, at,
                "everybody who reaches `listen` may create entities and send events",
                "write `flows: { use: […], caller: { jwt: SET } }`, or `caller: public` if that is "
                "meant");
        for (const policy::RoleRule& role : flows.roles) {
            const YamlNode* given = places_.section("roles").find(role.name);
            const YamlNode& place = given == nullptr ? places_.section("roles") : *given;
            if (!role.callers.empty() && open)
                add(Severity::error, place,
                    fmt::format("`{}` names callers, and `caller: public` knows none", role.name),
                    "write `caller: { jwt: SET }`, or another way of knowing them");
            if (role.jwt.empty()) continue;
            if (auto found = unknown_caller_rule(config_, {Source::jwt, role.jwt}))
                add(Severity::error, place, std::move(found->what), std::move(found->remedy));
        }
    }

    void one(std::size_t i) {
        const flow::Definition& flow = config_.flows.machines[i].definition();
        events(i, flow, flow.create);
        for (const flow::EventRule& event : flow.events) events(i, flow, event);
        for (const flow::StateRule& state : flow.states)
            asked_for(state.renewed_by, nullptr, places_.use(i),
                      fmt::format("the deadline of `{}`", state.name), flow.name);
        std::set<std::string> said;
        for (const Called& call : calls_of(flow)) {
            if (config_.services.contains(call.service) || !said.insert(call.service).second)
                continue;
            const auto meant = yaml::nearest(call.service, services_);
            add(Severity::error, places_.use(i),
                fmt::format("`{}` of `{}` calls `{}`, and `services` says not where that is",
                            call.by, flow.name, call.service),
                meant ? fmt::format("did you mean `{}`?", *meant)
                      : fmt::format("write `services: {{ {}: \"http://127.0.0.1:9000\" }}`",
                                    call.service));
        }
    }

  private:
    void add(Severity severity, const YamlNode& at, std::string what, std::string remedy) {
        reading_.findings.push_back(
            {severity, at.line, at.column, std::move(what), std::move(remedy)});
    }

    void events(std::size_t i, const flow::Definition& flow, const flow::EventRule& event) {
        asked_for(event.allow, places_.allow(flow.name, event.name), places_.use(i),
                  fmt::format("`{}`", event.name), flow.name);
    }

    // A role of the flow's own file may have nobody yet; one that is written here is meant to have somebody.
    void asked_for(const flow::Names& allow, const YamlNode* here, const YamlNode& use,
                   const std::string& by, const std::string& flow) {
        for (const std::string& who : allow) {
            if (!who.starts_with(kRole)) continue;
            const std::string role = who.substr(kRole.size());
            if (std::ranges::find(roles_, role) != roles_.end()) continue;
            const auto meant = yaml::nearest(role, roles_);
            add(here != nullptr ? Severity::error : Severity::warning,
                here != nullptr ? *here : use,
                fmt::format("nobody has the role `{}`, which {} of `{}` asks for", role, by, flow),
                meant
                    ? fmt::format("did you mean `{}`?", *meant)
                    : fmt::format("write `flows: {{ use: […], roles: {{ {}: [NAME] }} }}`", role));
        }
    }

    Reading& reading_;
    const Config& config_;
    Places places_;
    std::vector<std::string> roles_;
    std::vector<std::string> services_;
};

}  // namespace

void judge_flows(Reading& reading, const YamlNode& root, const Config& config) {
    const YamlNode* flows = root.find("flows");
    if (flows == nullptr) return;
    Judge judge(reading, config, {flows});
    judge.callers();
    for (std::size_t i = 0; i < config.flows.machines.size(); ++i) judge.one(i);
}

}  // namespace pawl::config
