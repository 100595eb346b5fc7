// SPDX-License-Identifier: Apache-2.0
#include "surface/api/saga_view.hpp"

#include "runtime/codec/text.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

constexpr std::string_view kDamaged =
    "its row in the store cannot be read, and it is not carried out: a copy of the store may have "
    "it. The timeline of the order that began it says what it is about";

}  // namespace

json::object saga_view(const store::SagaRow& row) {
    json::object document{{"saga", std::to_string(row.number)},
                          {"key", to_hex(row.start.key.view())}};
    if (row.is_damaged) {
        document["state"] = "damaged";
        document["said"] = kDamaged;
        return document;
    }
    json::object values;
    for (const auto& [name, value] : row.start.values) values[to_utf8(name)] = to_utf8(value);
    document["name"] = row.start.name;
    document["state"] = store::name_of(row.state);
    if (!row.subject.tenant.empty()) document["tenant"] = to_utf8(row.subject.tenant);
    document["flow"] = row.subject.flow;
    document["id"] = row.subject.id;
    document["version"] = row.version;
    document["values"] = std::move(values);
    document["tries"] = row.tries;
    document["said"] = to_utf8(row.said);
    if (row.state == store::SagaState::running)
        document["next_at"] = to_rfc3339(wall_time(row.next_ms));
    return document;
}

Task<Result<json::array>> sagas_of(store::Sagas& sagas, std::vector<store::FlowStep> steps) {
    store::SagasQuery query;
    for (const store::FlowStep& step : steps)
        for (const flow::SagaStart& saga : step.sagas) query.keys.push_back(saga.key);
    json::array shown;
    if (query.keys.empty()) co_return shown;
    const auto rows = co_await sagas.look_at_sagas(std::move(query));
    if (!rows) co_return fail(rows.error());
    for (const store::SagaRow& row : *rows) shown.emplace_back(saga_view(row));
    co_return shown;
}

}  // namespace pawl::api
