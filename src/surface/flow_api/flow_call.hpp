// SPDX-License-Identifier: Apache-2.0
// What a request on the data port asks of flows, read off its method and path. Below /_pawl/v1, and below /v1
// where only flows are served:
//
//   /flows/{flow}                              POST create     GET list
//   /flows/{flow}/states                       GET machine
//   /flows/{flow}/{id}                         GET read
//   /flows/{flow}/{id}/timeline                GET timeline
//   /flows/{flow}/{id}/events/{event}          POST send
//   /flows/{flow}/{id}/deadlines/{deadline}    POST renew
//   /stock/{sku}                               POST change     GET read
//   /callbacks/{provider}/{account}            POST notify
//   /openapi.json                              GET describe    also at /openapi.json itself
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::flow_api {

inline constexpr std::string_view kReserved = "/_pawl/v1";
inline constexpr std::string_view kAlias = "/v1";
inline constexpr std::string_view kOpenApi = "/openapi.json";

enum class Kind : std::uint8_t {
    create,
    list,
    machine,
    read,
    timeline,
    send,
    renew,
    change_stock,
    read_stock,
    notify,
    describe,
};
inline constexpr int kKindCount = 11;
constexpr bool is_write(Kind kind) {
    return kind == Kind::create || kind == Kind::send || kind == Kind::renew ||
           kind == Kind::change_stock || kind == Kind::notify;
}
// Made once by its key. Renewing is so by itself: the later of two holds.
constexpr bool takes_key(Kind kind) {
    return kind == Kind::create || kind == Kind::send || kind == Kind::change_stock;
}

struct FlowCall {
    Kind kind = Kind::read;
    std::string flow{};  // notify: the provider
    std::string
        id{};  // of the entity, as it was given: alone or with its check code; stock: the SKU
    std::string name{};  // the event, the deadline; notify: the account
    bool operator==(const FlowCall&) const = default;
};

// A path that is one of these, and a method or a number of parts that is not.
struct Misdirected {
    int status = 404;
    std::string code;
    std::string text;
    std::string allow{};  // 405: the methods there are
};

// What follows /_pawl/v1, or /v1 where `alias`; nullopt: the path is none of these. Good as long as the target.
std::optional<std::string_view> below(std::string_view target, bool alias);

// Shape: what `below` gave. Percent-encoding is undone.
std::expected<FlowCall, Misdirected> flow_call(std::string_view method, std::string_view below);

// The target by which a repeat of the call is recognised, whichever of the two spellings it came with, and with the id
// alone where that was given with a check code.
std::string plain_target(std::string_view target, const FlowCall& call);

}  // namespace pawl::flow_api
