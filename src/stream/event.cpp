// SPDX-License-Identifier: Apache-2.0
#include "stream/event.hpp"

#include <boost/json.hpp>

#include "core/flow/bundle.hpp"
#include "runtime/codec/digest.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::stream {
namespace {

namespace json = boost::json;

constexpr std::size_t kIdBytes = 16;

}  // namespace

std::string event_id(const store::FlowSubject& subject, std::uint64_t version) {
    const Digest digest = sha256_parts(
        "pawl.event", {subject.tenant, subject.flow, subject.id, std::to_string(version)});
    return to_hex(digest.view().substr(0, kIdBytes));
}

Event event_of(const store::OutboxRow& row) {
    const flow::History& history = row.history;
    const store::FlowSubject& subject = row.subject;
    Event event{row.number,
                event_id(subject, history.version),
                history.type,
                subject.flow,
                subject.id,
                history.trace_context,
                {}};
    json::object document{{"specversion", "1.0"},
                          {"id", event.id},
                          {"source", "/v1/flows/" + subject.flow},
                          {"type", history.type},
                          {"subject", subject.id},
                          {"time", to_rfc3339(wall_time(history.at_ms))},
                          {"datacontenttype", "application/json"},
                          {"sequence", std::to_string(history.version)},
                          {"partitionkey", subject.id}};
    if (!subject.tenant.empty()) document["tenant"] = to_utf8(subject.tenant);
    if (history.hlc != 0) document["hlc"] = std::to_string(history.hlc);
    if (!history.trace_context.empty()) document["traceparent"] = to_utf8(history.trace_context);
    json::object values;
    for (const auto& [name, value] : history.values) values[to_utf8(name)] = to_utf8(value);
    document["data"] =
        json::object{{"flow", subject.flow},       {"id", subject.id},
                     {"version", history.version}, {"course", flow::name_of(history.course)},
                     {"event", history.event},     {"from", history.from},
                     {"to", history.to},           {"values", std::move(values)}};
    event.body = json::serialize(document);
    return event;
}

}  // namespace pawl::stream
