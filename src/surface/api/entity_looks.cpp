// SPDX-License-Identifier: Apache-2.0
#include "surface/api/entity_looks.hpp"

#include "surface/api/find_entities.hpp"
#include "surface/api/flow_lists.hpp"

namespace pawl::api {

Task<Result<boost::json::object>> look_at_entities(store::Flows* flows, store::Sagas* sagas,
                                                   store::Records& records,
                                                   std::shared_ptr<const engine::Machines> machines,
                                                   Query query) {
    const auto limit = number_in(query, "limit", 100, 1);
    if (!limit) co_return fail(limit.error());
    const auto given = [&query](std::string_view name) {
        return query.parameter(name).value_or("");
    };
    const std::string tenant = given("tenant");
    if (query.path == "/admin/v1/flows/find") {
        if (flows == nullptr)
            co_return fail(Code::not_found, "No flows are served here, so there are no entities.");
        co_return co_await find_entities({*flows, sagas, records}, std::move(machines),
                                         {tenant, given("q")});
    }
    const std::string flow = given("flow");
    if (flows == nullptr || flow.empty())
        co_return fail(Code::request_invalid, "Say of which flow: ?flow=NAME.");
    if (query.path == "/admin/v1/flows/waiting") {
        const auto after = number_in(query, "after", 0);
        if (!after) co_return fail(after.error());
        co_return co_await list_waiting(*flows,
                                        {tenant, flow, {}, static_cast<std::size_t>(*limit)},
                                        static_cast<std::uint64_t>(*after));
    }
    if (query.path == "/admin/v1/flows")
        co_return co_await list_flow(
            *flows, std::move(machines),
            {tenant, flow, given("after"), static_cast<std::size_t>(*limit)});
    store::FlowSubject subject{tenant, flow, given("id"), given("business_key")};
    if (subject.id.empty() == subject.business_key.empty())
        co_return fail(Code::request_invalid, "Say of which entity: ?id= or ?business_key=.");
    co_return co_await explain_entity(*flows, sagas, std::move(machines), std::move(subject));
}

}  // namespace pawl::api
