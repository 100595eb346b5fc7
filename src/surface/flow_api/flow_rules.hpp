// SPDX-License-Identifier: Apache-2.0
// The flows of one configuration as the data port serves them: which machines, who calls, and what each
// operation is called in identities, figures and records. Immutable but for the figures; a reload makes
// another, and requests that are under way keep the one they began with.
//
//   operation              name, as of a route without one of its own
//   creation               POST /v1/flows/order
//   an event               POST /v1/flows/order/events/ship
//   renewing deadlines     POST /v1/flows/order/deadlines
//   reading                GET /v1/flows/order
//   a change of stock      POST /v1/stock
//   reading stock          GET /v1/stock
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/caller/callers.hpp"
#include "core/policy/compiled_route.hpp"
#include "core/policy/role.hpp"
#include "engine/machines.hpp"
#include "gateway/observer.hpp"
#include "surface/flow_api/flow_call.hpp"

namespace pawl::flow_api {

struct Access {
    std::string tenant;                               // of the process
    std::optional<policy::TenantRule> tenant_rule{};  // instead, said by each request
    policy::CallerRule caller{};
    std::vector<policy::RoleRule> roles{};
    policy::Retention retention{};
};

struct Operation {
    policy::CompiledRoute compiled;
    mutable gateway::RouteFigures figures;
};

class FlowRules {
  public:
    // `alias`: they are served below /v1 as well.
    FlowRules(std::shared_ptr<const engine::Machines> machines, caller::Callers callers,
              Access access, std::optional<policy::CorsRule> cors, bool alias);

    const engine::Machines& machines() const { return *machines_; }
    const std::shared_ptr<const engine::Machines>& shared_machines() const { return machines_; }
    const caller::Callers& callers() const { return callers_; }
    const Access& access() const { return access_; }
    const std::optional<policy::CorsRule>& cors() const { return cors_; }
    bool alias() const { return alias_; }

    // What the call is about: nullptr, and what to answer, for a flow or an event that is not there.
    // Precondition: the call is no notification and no `describe`.
    const Operation* find(const FlowCall& call) const;
    Misdirected why_not(const FlowCall& call) const;
    // By name, sorted.
    const std::map<std::string, Operation, std::less<>>& operations() const { return operations_; }

  private:
    void add(const FlowCall& call);

    std::shared_ptr<const engine::Machines> machines_;
    caller::Callers callers_;
    Access access_;
    std::optional<policy::CorsRule> cors_;
    bool alias_;
    std::map<std::string, Operation, std::less<>> operations_;
};

}  // namespace pawl::flow_api
