// SPDX-License-Identifier: Apache-2.0
// Ids in paths: alone, as machines keep them, or with a check code, as people copy them. A wrong code is told before
// the entity is shown or anything is written; the refusal becomes no key's result.
#include <fmt/format.h>

#include "engine/checked_id.hpp"
#include "net/http/problem.hpp"
#include "surface/flow_api/flow_service.hpp"

namespace pawl::flow_api {

Task<std::optional<FlowService::Said>> FlowService::settle_id(BegunPtr begun) {
    FlowCall& call = begun->call;
    const auto written = id::parse_written_id(call.id);
    if (!written) co_return said(written.error());
    if (written->code.empty()) co_return std::nullopt;
    const flow::Definition& flow = begun->rules->machines().find(call.flow)->definition();
    if (flow.check_code.empty())
        co_return said(Error{Code::request_invalid,
                             fmt::format("Ids of flow `{}` have no check code; write the digits "
                                         "alone.",
                                         call.flow),
                             {},
                             {}});
    const std::string given = std::exchange(call.id, id::to_text(written->id));
    const auto loaded =
        co_await parts_.flows.load({begun->request.admission.tenant, call.flow, call.id, {}});
    if (!loaded) co_return said(loaded.error());
    // Of one that is not there the call itself says so, or the record of its key what it did when it was.
    if (loaded->entity && !engine::has_code(flow, *loaded->entity, *written))
        co_return wrong_code({.flow = call.flow, .id = given});
    co_return std::nullopt;
}

FlowService::Said FlowService::wrong_code(const FlowCall& call) {
    http::Problem problem;
    problem.code = Code::not_found;
    problem.name = "id_check_failed";
    problem.detail = fmt::format(
        "The check code of {} does not belong to this id: a digit or a letter was mistyped. "
        "Nothing "
        "was done; compare it with where it was copied from.",
        call.id);
    problem.members["title"] = "The id was mistyped.";
    problem.members["flow"] = call.flow;
    return {http::to_response(problem), gateway::Seen::refused, problem.name};
}

}  // namespace pawl::flow_api
