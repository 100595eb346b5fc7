// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/openapi_parts.hpp"

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "core/flow/limits.hpp"
#include "core/id/check_code.hpp"
#include "core/stock/level.hpp"
#include "core/stock/lines.hpp"

namespace pawl::flow_api {
namespace {

namespace json = boost::json;

// The largest whole number that no double has rounded.
constexpr std::int64_t kExactMax = (std::int64_t{1} << 53) - 1;

constexpr std::size_t kIdDigitsMax = 19;  // of 63 bits

json::object any_of(std::initializer_list<json::object> choices) {
    json::array list;
    for (const json::object& choice : choices) list.push_back(choice);
    return {{"anyOf", std::move(list)}};
}

json::object text(std::string_view pattern, std::size_t length_max) {
    return {{"type", "string"}, {"pattern", pattern}, {"maxLength", length_max}};
}

json::object count(std::int64_t least, std::int64_t most) {
    return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

json::object header(std::string_view name, bool required, json::object schema,
                    std::string_view what) {
    return {{"name", name},
            {"in", "header"},
            {"required", required},
            {"schema", std::move(schema)},
            {"description", what}};
}

json::object in_query(std::string_view name, json::object schema) {
    return {{"name", name}, {"in", "query"}, {"schema", std::move(schema)}};
}

json::object in_path(std::string_view name, json::object schema) {
    return {{"name", name}, {"in", "path"}, {"required", true}, {"schema", std::move(schema)}};
}

json::object problem_answers() {
    const json::object content{{"application/problem+json", {{"schema", reference("Problem")}}}};
    return {
        {"4XX",
         {{"description", "Refused; the document says why and what to do"}, {"content", content}}},
        {"5XX",
         {{"description", "Not available; nothing is known to be executed"},
          {"content", content}}}};
}

}  // namespace

json::object schema_of(flow::FieldType type) {
    switch (type) {
        case flow::FieldType::text:
            return any_of(
                {{{"type", "string"}, {"maxLength", flow::kTextBytesMax}}, count(0, kExactMax)});
        case flow::FieldType::integer:
            return any_of(
                {{{"type", "integer"}}, text("^(0|-?[1-9][0-9]*)$", flow::kIntegerDigitsMax)});
        case flow::FieldType::money:
            return any_of({text("^-?[0-9]+([.][0-9]+)?( [A-Z]{3})?$", flow::kMoneyDigitsMax),
                           {{"type", "number"},
                            {"description", "Without an exponent, and never rounded here"}}});
        case flow::FieldType::boolean:
            return any_of({{{"type", "boolean"}}, {{"enum", {"true", "false"}}}});
        case flow::FieldType::time:
            break;
    }
    return {{"type", "string"}, {"format", "date-time"}};
}

json::object shown_schema(flow::FieldType type) {
    if (type == flow::FieldType::boolean) return {{"type", "boolean"}};
    return {{"type", "string"}};
}

json::object amount_schema() {
    // Fifteen digits, six of them behind the point, at most.
    constexpr double kMost = 999'999'999'999'999.0;
    return any_of(
        {text("^([0-9]{1,9}([.][0-9]{1,6})?|[0-9]{10,13}([.][0-9]{1,2})?|[0-9]{14,15})$", 17),
         {{"type", "number"},
          {"minimum", 0},
          {"maximum", kMost},
          {"description",
           "As a payment can have it: fifteen digits, six of them behind the point, at "
           "most; without an exponent"}}});
}

json::object currency_schema() { return text("^[A-Z]{3}$", 3); }

json::object business_key_schema() {
    return any_of(
        {{{"type", "string"}, {"maxLength", flow::kBusinessKeyBytesMax}}, count(0, kExactMax)});
}

json::object items_schema() {
    const json::object sku =
        any_of({text("^[^\\u0000-\\u001f\\u007f]+$", stock::kSkuBytesMax), count(0, kExactMax)});
    json::object line{{"type", "object"},
                      {"properties",
                       {{"sku", sku},
                        {"quantity", count(1, stock::kQuantityMax)},
                        {"kind", {{"enum", {"goods", "voucher"}}}}}},
                      {"required", {"sku", "quantity"}},
                      {"additionalProperties", false}};
    return {{"type", "array"},
            {"items", std::move(line)},
            {"minItems", 1},
            {"maxItems", stock::kLinesMax}};
}

json::object stock_change_schema() {
    const json::object kind{{"enum", {"goods", "voucher"}}};
    const auto with = [&](std::string_view word, json::object schema) -> json::object {
        json::object properties{{"kind", kind}};
        properties[word] = std::move(schema);
        return {{"type", "object"},
                {"properties", std::move(properties)},
                {"required", json::array{word}},
                {"additionalProperties", false}};
    };
    return any_of(
        {with("set", count(0, stock::kQuantityMax)),
         with("adjust", any_of({count(1, stock::kQuantityMax), count(-stock::kQuantityMax, -1)}))});
}

json::object checked_id_schema() {
    return text("^[1-9][0-9]*-[0-9A-HJKMNP-TV-Z]{5}$", kIdDigitsMax + 1 + id::kCheckCodeLength);
}

json::object entity_frame() {
    const json::object object{{"type", "object"}};
    const json::object list{{"type", "array"}, {"items", object}};
    return {{"type", "object"},
            {"properties",
             {{"id", {{"type", "string"}}},
              {"version", {{"type", "integer"}, {"minimum", 1}}},
              {"business_key", {{"type", "string"}}},
              {"created_at", {{"type", "string"}, {"format", "date-time"}}},
              {"items", list},
              {"stock", list},
              {"deadlines", list}}},
            {"required", {"id", "flow", "state", "version", "fields"}}};
}

json::object page_schema(std::string_view flow) {
    return {{"type", "object"},
            {"properties",
             {{"entities", {{"type", "array"}, {"items", reference(flow)}}},
              {"next", {{"type", "string"}}}}},
            {"required", json::array{"entities"}}};
}

json::object shared_schemas() {
    const json::object string{{"type", "string"}};
    const json::object whole{{"type", "integer"}};
    return {{"Problem",
             {{"type", "object"},
              {"properties",
               {{"type", string},
                {"title", string},
                {"status", whole},
                {"detail", string},
                {"code", string},
                {"retryable", {{"type", "boolean"}}}}},
              {"required", {"type", "status", "code", "retryable"}}}},
            {"Acknowledgement",
             {{"type", "object"},
              {"properties",
               {{"acknowledged", {{"enum", {"parked", "attention", "ignored"}}}},
                {"reason", string},
                {"flow", string},
                {"id", string},
                {"version", whole},
                {"waits_until",
                 {{"type", "string"},
                  {"format", "date-time"},
                  {"description", "Of what is parked: then a person has to look"}}}}},
              {"required", {"acknowledged", "reason", "flow"}}}},
            {"Timeline",
             {{"type", "object"},
              {"properties",
               {{"flow", string},
                {"id", string},
                {"steps", {{"type", "array"}, {"items", {{"type", "object"}}}}},
                {"next", string}}},
              {"required", {"flow", "id", "steps"}}}},
            {"Level",
             {{"type", "object"},
              {"properties",
               {{"sku", string},
                {"kind", string},
                {"available", whole},
                {"reserved", whole},
                {"sold", whole},
                {"total", whole}}},
              {"required", {"sku", "available", "reserved", "sold"}}}}};
}

json::object shared_parameters() {
    const json::object id = text("^[1-9][0-9]{0,17}$", 18);
    // Letters that are taken for digits are read as those.
    const json::object checked_id =
        text("^[1-9][0-9]{0,17}(-[0-9A-TV-Za-tv-z]{5})?$", 18 + 1 + id::kCheckCodeLength);
    return {{"IdempotencyKey", header("Idempotency-Key", true, text("^[!#-~][!-~]*$", 255),
                                      "One key per operation, the same for every retry")},
            {"IfMatch", header("If-Match", false, text("^(\"[0-9]{1,19}\"|[0-9]{1,19})$", 21),
                               "The version that ETag named; another one: 412")},
            {"IfNoneMatch", header("If-None-Match", false, {{"type", "string"}},
                                   "The version that is known already: 304")},
            {"Id", in_path("id", id)},
            {"CheckedId", in_path("id", checked_id)},
            {"Sku", in_path("sku", text("^[!-~]+$", stock::kSkuBytesMax))},
            {"StockKind", in_query("kind", {{"enum", {"goods", "voucher"}}})},
            {"AfterId", in_query("after", checked_id)},
            {"AfterVersion", in_query("after", count(0, kExactMax))},
            {"Limit", in_query("limit", count(1, 500))}};
}

json::object reference(std::string_view schema) {
    return {{"$ref", fmt::format("#/components/schemas/{}", schema)}};
}
json::object parameter(std::string_view name) {
    return {{"$ref", fmt::format("#/components/parameters/{}", name)}};
}
json::array page_parameters() { return {parameter("AfterId"), parameter("Limit")}; }

json::object answer(std::string_view what, json::object schema) {
    return {{"description", what},
            {"content", {{"application/json", {{"schema", std::move(schema)}}}}}};
}

json::object keyed(std::string id, std::string summary, json::object body, std::string_view flow,
                   int status) {
    json::object responses = problem_answers();
    responses[std::to_string(status)] = answer(
        "Done, or done before", flow.empty() ? json::object{{"type", "object"}} : reference(flow));
    return {
        {"operationId", std::move(id)},
        {"summary", std::move(summary)},
        {"parameters", json::array{parameter("IdempotencyKey")}},
        {"requestBody",
         {{"required", true}, {"content", {{"application/json", {{"schema", std::move(body)}}}}}}},
        {"responses", std::move(responses)}};
}

json::object reading(std::string id, std::string summary, json::object schema,
                     json::array parameters, bool by_etag) {
    json::object responses = problem_answers();
    responses["200"] = answer(summary, std::move(schema));
    if (by_etag) responses["304"] = {{"description", "As it is known already"}};
    return {{"operationId", std::move(id)},
            {"summary", std::move(summary)},
            {"parameters", std::move(parameters)},
            {"responses", std::move(responses)}};
}

}  // namespace pawl::flow_api
