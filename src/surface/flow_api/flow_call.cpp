// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/flow_call.hpp"

#include <vector>

#include <fmt/format.h>

#include "core/id/check_code.hpp"
#include "core/policy/path.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::flow_api {
namespace {

constexpr std::string_view kFolders[] = {"/flows", "/stock", "/callbacks"};

// Of one path: what GET and POST do there.
struct Place {
    std::optional<Kind> get;
    std::optional<Kind> post;
};

std::unexpected<Misdirected> no_such_path() {
    return std::unexpected(
        Misdirected{404, "not_found",
                    "There are /flows/{flow}, /flows/{flow}/states, /flows/{flow}/{id}, its "
                    "/timeline, /events/{event} and /deadlines/{deadline}, /stock/{sku}, "
                    "/callbacks/{provider}/{account}, and /openapi.json, which describes them."});
}

std::expected<FlowCall, Misdirected> by_method(std::string_view method, const Place& place,
                                               FlowCall call) {
    const bool reads = method == "GET" || method == "HEAD";
    if (reads && place.get) {
        call.kind = *place.get;
        return call;
    }
    if (method == "POST" && place.post) {
        call.kind = *place.post;
        return call;
    }
    const std::string allow = place.get && place.post ? "GET, HEAD, POST"
                              : place.get             ? "GET, HEAD"
                                                      : "POST";
    return std::unexpected(
        Misdirected{405, "method_not_allowed", fmt::format("This path takes {}.", allow), allow});
}

std::expected<FlowCall, Misdirected> of_flows(std::string_view method,
                                              std::vector<std::string> parts) {
    using enum Kind;
    if (parts.size() == 1) return by_method(method, {list, create}, {.flow = parts[0]});
    if (parts.size() == 2 && parts[1] == "states")
        return by_method(method, {machine, {}}, {.flow = parts[0]});
    FlowCall call{.flow = std::move(parts[0]), .id = std::move(parts[1])};
    if (parts.size() == 2) return by_method(method, {read, {}}, std::move(call));
    if (parts.size() == 3 && parts[2] == "timeline")
        return by_method(method, {timeline, {}}, std::move(call));
    if (parts.size() != 4) return no_such_path();
    call.name = std::move(parts[3]);
    if (parts[2] == "events") return by_method(method, {{}, send}, std::move(call));
    if (parts[2] == "deadlines") return by_method(method, {{}, renew}, std::move(call));
    return no_such_path();
}

// "%2F" and "%25" of a part that decode_segment left as they were.
std::string whole(std::string decoded) {
    for (const auto& [escape, text] : {std::pair{"%2F", "/"}, std::pair{"%25", "%"}})
        for (auto at = decoded.find(escape); at != std::string::npos;
             at = decoded.find(escape, at + 1))
            decoded.replace(at, 3, text);
    return decoded;
}

bool is_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

std::optional<std::string_view> below(std::string_view target, bool alias) {
    const std::string_view path = policy::path_of(target);
    if (alias && path == kOpenApi) return path;
    std::string_view rest;
    if (is_below(path, kReserved))
        rest = path.substr(kReserved.size());
    else if (alias && is_below(path, kAlias))
        rest = path.substr(kAlias.size());
    else
        return std::nullopt;
    if (rest == kOpenApi) return rest;
    for (const std::string_view folder : kFolders)
        if (is_below(rest, folder)) return rest;
    return std::nullopt;
}

std::expected<FlowCall, Misdirected> flow_call(std::string_view method, std::string_view below) {
    if (below == kOpenApi) return by_method(method, {Kind::describe, {}}, {});
    const policy::PathWalk walk = policy::walk_path(below);
    if (!walk.valid || walk.count > 5 || walk.count < 2 || walk.trailing_slash)
        return no_such_path();
    std::vector<std::string> parts;
    for (std::size_t i = 1; i < walk.count; ++i)
        parts.push_back(whole(policy::decode_segment(walk.segments[i])));
    const std::string_view folder = walk.segments[0];
    if (folder == "flows") return of_flows(method, std::move(parts));
    if (folder == "stock" && parts.size() == 1)
        return by_method(method, {Kind::read_stock, Kind::change_stock}, {.id = parts[0]});
    if (folder == "callbacks" && parts.size() == 2)
        return by_method(method, {{}, Kind::notify}, {.flow = parts[0], .name = parts[1]});
    return no_such_path();
}

std::string plain_target(std::string_view target, const FlowCall& call) {
    if (is_below(policy::path_of(target), kReserved))
        target.remove_prefix(kReserved.size() - kAlias.size());
    std::string plain(target);
    if (call.kind != Kind::send) return plain;
    const auto written = id::parse_written_id(call.id);
    if (!written || written->code.empty()) return plain;
    const std::size_t at = plain.find(fmt::format("/{}/", call.id));
    if (at != std::string::npos) plain.replace(at + 1, call.id.size(), id::to_text(written->id));
    return plain;
}

}  // namespace pawl::flow_api
