// SPDX-License-Identifier: Apache-2.0
#include "engine/present.hpp"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "core/policy/path.hpp"
#include "engine/checked_id.hpp"
#include "net/http/message.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::engine {
namespace {

namespace json = boost::json;

json::string time_text(std::int64_t ms) { return json::string(to_rfc3339(wall_time(ms))); }

// What came from outside may hold bytes that are no text.
json::string text_of(std::string_view bytes) { return json::string(to_utf8(bytes)); }

json::value shown(const flow::Value& value) {
    if (value.type == flow::FieldType::boolean) return value.text == "true";
    return text_of(value.text);
}

json::object named(const stock::Sku& sku) {
    json::object object{{"sku", text_of(sku.code)}};
    if (sku.kind != stock::Kind::goods) object["kind"] = stock::name_of(sku.kind);
    return object;
}

json::object shown(const flow::HeldStock& held) {
    json::object object = named(held.sku);
    const stock::Reservation& one = held.reservation;
    object["reserved"] = stock::open_of(one);
    object["confirmed"] = one.confirmed;
    object["released"] = one.released;
    object["returned"] = one.returned;
    return object;
}

json::object shown(const flow::StockMove& move) {
    json::object object = named(move.sku);
    object["available"] = move.change.available;
    object["reserved"] = move.change.reserved;
    object["sold"] = move.change.sold;
    return object;
}

json::array lines_of(const std::vector<stock::Line>& lines) {
    json::array array;
    for (const stock::Line& line : lines) {
        json::object object = named(line.sku);
        object["quantity"] = line.quantity;
        array.push_back(std::move(object));
    }
    return array;
}

std::string checked_id_of(const flow::Entity& entity, const flow::Machine* machine) {
    return machine == nullptr ? std::string() : checked_id(machine->definition(), entity);
}

json::object entity_of(const flow::Entity& entity, const std::string& checked, bool with_time) {
    json::object object{{"id", text_of(entity.id)}};
    if (!checked.empty()) object["checked_id"] = checked;
    object["flow"] = entity.flow;
    object["state"] = entity.state;
    object["version"] = entity.version;
    if (!entity.business_key.empty()) object["business_key"] = text_of(entity.business_key);
    if (with_time) object["created_at"] = time_text(entity.created_ms);
    json::object fields;
    for (const auto& [name, value] : entity.fields) fields[name] = shown(value);
    object["fields"] = std::move(fields);
    if (!entity.items.empty()) object["items"] = lines_of(entity.items);
    json::array held;
    for (const flow::HeldStock& one : entity.stock) held.push_back(shown(one));
    if (!held.empty()) object["stock"] = std::move(held);
    return object;
}

record::Answer answer(int status, const json::object& body) {
    record::Answer answer;
    answer.status = status;
    answer.headers.emplace_back("Content-Type", "application/json");
    answer.body = json::serialize(body) + "\n";  // for people who read it in a terminal
    return answer;
}

record::Answer answer_with(int status, const flow::Entity& entity, const flow::Machine* machine,
                           std::string_view where) {
    const std::string checked = checked_id_of(entity, machine);
    record::Answer made = answer(status, entity_of(entity, checked, status != 201));
    store::FlowSubject place = store::subject_of(entity);
    if (!checked.empty()) place.id = checked;
    made.headers.emplace_back(where, path_of(place));
    made.headers.emplace_back("ETag", fmt::format("\"{}\"", entity.version));
    return made;
}

}  // namespace

std::string path_of(const store::FlowSubject& subject) {
    return fmt::format("/v1/flows/{}/{}", subject.flow, policy::percent_encoded(subject.id));
}

json::object shown(const flow::Entity& entity, const flow::Machine* machine) {
    return entity_of(entity, checked_id_of(entity, machine), true);
}

json::object shown(const store::FlowStep& step) {
    const flow::History& one = step.history;
    json::object object{{"version", one.version},
                        {"course", flow::name_of(one.course)},
                        {"event", one.event},
                        {"from", one.from},
                        {"to", one.to},
                        {"sender", flow::name_of(one.sender)},
                        {"at", time_text(one.at_ms)}};
    if (!one.type.empty()) object["type"] = one.type;
    if (!one.caller.empty()) object["caller"] = text_of(one.caller);
    json::object values;
    for (const auto& [name, value] : one.values) values[text_of(name)] = text_of(value);
    if (!values.empty()) object["values"] = std::move(values);
    json::array moves;
    for (const flow::StockMove& move : step.moves) moves.push_back(shown(move));
    if (!moves.empty()) object["stock"] = std::move(moves);
    json::array sagas;
    for (const flow::SagaStart& saga : step.sagas)
        sagas.push_back({{"saga", saga.name}, {"key", to_hex(saga.key.view())}});
    if (!sagas.empty()) object["sagas"] = std::move(sagas);
    if (step.request) object["operation_ref"] = record::reference_of(*step.request);
    return object;
}

json::object shown(const stock::Sku& sku, const stock::Level& level) {
    json::object object = named(sku);
    object["available"] = level.available;
    object["reserved"] = level.reserved;
    object["sold"] = level.sold;
    object["total"] = stock::total_of(level);
    return object;
}

record::Answer answer_of_creation(const flow::Entity& entity, const flow::Machine* machine) {
    return answer_with(201, entity, machine, "Location");
}

record::Answer answer_of_event(const flow::Entity& entity, const flow::Machine* machine) {
    return answer_with(200, entity, machine, "Content-Location");
}

record::Answer answer_of(const flow::Arbitration& arbitration, const store::FlowSubject& subject) {
    json::object body{{"acknowledged", flow::name_of(arbitration.kind)},
                      {"reason", text_of(arbitration.reason)},
                      {"flow", subject.flow}};
    if (!arbitration.id.empty()) {
        body["id"] = text_of(arbitration.id);
        body["version"] = arbitration.judged_on;
    }
    if (arbitration.waiting)
        body["waits_until"] = to_rfc3339(wall_time(arbitration.waiting->until_ms));
    const bool done = arbitration.kind == flow::Arbitration::Kind::ignored;
    record::Answer made = answer(done ? 200 : 202, body);
    if (!arbitration.id.empty())
        made.headers.emplace_back(
            "Content-Location",
            path_of({subject.tenant, subject.flow, arbitration.id, subject.business_key}));
    return made;
}

record::Answer answer_of_stock(const store::StockChange& change) {
    json::object body = named(change.sku);
    body[change.kind == store::StockChange::Kind::set ? "set" : "adjust"] = change.quantity;
    return answer(200, body);
}

std::string id_in(const record::Answer& answer) {
    // A refusal may have both: its own entity, and the one that was first.
    for (const std::string_view name : {"Content-Location", "Location"}) {
        const std::string_view path = http::first_of(answer.headers, name);
        const std::size_t slash = path.rfind('/');
        if (slash == std::string_view::npos || slash + 1 == path.size()) continue;
        std::string written = policy::decode_segment(path.substr(slash + 1));
        const auto read = id::parse_written_id(written);
        return read ? id::to_text(read->id) : std::move(written);
    }
    return {};
}

}  // namespace pawl::engine
