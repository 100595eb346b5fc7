// SPDX-License-Identifier: Apache-2.0
// Nodes lie in one vector and name each other by number. A node has one parent, so that a search with
// backtracking visits each node at most once.
#include "core/policy/matcher.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

bool is_method(std::string_view method) {
    const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; };
    return method == "*" || (!method.empty() && std::ranges::all_of(method, is_letter));
}

// "Shop.Example.:8080" -> "Shop.Example"; "[::1]:80" -> "[::1]".
std::string_view host_alone(std::string_view host) {
    const auto user = host.rfind('@');
    if (user != std::string_view::npos) host.remove_prefix(user + 1);
    const auto bracket = host.rfind(']');
    const auto colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
    host = host.substr(0, colon);
    if (host.ends_with('.')) host.remove_suffix(1);
    return host;
}

}  // namespace

std::uint32_t Matcher::root_of(const std::string& host) {
    for (const auto& [name, root] : hosts_)
        if (name == host) return root;
    nodes_.emplace_back();
    hosts_.emplace_back(host, static_cast<std::uint32_t>(nodes_.size() - 1));
    return hosts_.back().second;
}

std::uint32_t Matcher::literal_child(std::uint32_t node, const std::string& literal) {
    auto& literals = nodes_[node].literals;
    const auto at = std::ranges::lower_bound(literals, literal, {},
                                             &std::pair<std::string, std::uint32_t>::first);
    if (at != literals.end() && at->first == literal) return at->second;
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    literals.emplace(at, literal, child);
    nodes_.emplace_back();
    return child;
}

std::uint32_t Matcher::parameter_child(std::uint32_t node) {
    if (nodes_[node].parameter == 0) {
        nodes_[node].parameter = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
    }
    return nodes_[node].parameter;
}

void Matcher::put(std::vector<Entry>& entries, Entry entry) {
    for (const Entry& other : entries) {
        if (other.method != entry.method) continue;
        twins_.push_back({other.route, entry.route});
        return;
    }
    entries.push_back(std::move(entry));
}

Status Matcher::add(const Pattern& pattern, std::size_t route) {
    if (!is_method(pattern.method))
        return fail(
            Code::config_invalid,
            fmt::format("`{}` is not a method; write it in capitals (`POST`), or `*` for any",
                        pattern.method));
    auto segments = parse_pattern(pattern.path);
    if (!segments) return fail(segments.error());
    Entry entry{pattern.method, route, {}};
    std::uint32_t node = root_of(pattern.host);
    for (std::size_t depth = 0; depth < segments->size(); ++depth) {
        PatternSegment& segment = (*segments)[depth];
        switch (segment.kind) {
            case PatternSegment::Kind::literal:
                node = literal_child(node, segment.text);
                break;
            case PatternSegment::Kind::parameter:
                entry.names.emplace_back(depth, std::move(segment.text));
                node = parameter_child(node);
                break;
            case PatternSegment::Kind::rest:
                put(nodes_[node].below, std::move(entry));
                return {};
        }
    }
    put(nodes_[node].here, std::move(entry));
    return {};
}

const Matcher::Entry* Matcher::entry_for(const std::vector<Entry>& entries,
                                         std::string_view method) {
    const Entry* any = nullptr;
    for (const Entry& entry : entries) {
        if (entry.method == method) return &entry;
        if (entry.method == "*") any = &entry;
    }
    return any;
}

std::uint32_t Matcher::literal_at(const Node& node, std::string_view raw) {
    if (node.literals.empty()) return 0;
    // Only a spelling with escapes costs an allocation.
    std::string decoded;
    if (raw.find('%') != std::string_view::npos) {
        decoded = decode_segment(raw);
        raw = decoded;
    }
    const auto at = std::ranges::lower_bound(node.literals, raw, {}, [](const auto& literal) {
        return std::string_view(literal.first);
    });
    return at != node.literals.end() && at->first == raw ? at->second : 0;
}

const Matcher::Entry* Matcher::descend(const PathWalk& path, std::string_view method,
                                       std::uint32_t number, std::size_t depth) const {
    const Node& node = nodes_[number];
    if (depth == path.count) {
        const Entry* entry = entry_for(node.here, method);
        return entry == nullptr && path.trailing_slash ? entry_for(node.below, method) : entry;
    }
    if (depth < kSegmentsMax) {
        if (const std::uint32_t child = literal_at(node, path.segments[depth]); child != 0)
            if (const Entry* entry = descend(path, method, child, depth + 1)) return entry;
        if (node.parameter != 0)
            if (const Entry* entry = descend(path, method, node.parameter, depth + 1)) return entry;
    }
    return entry_for(node.below, method);
}

std::optional<std::size_t> Matcher::find(std::string_view method, std::string_view host,
                                         std::string_view target,
                                         PathParameters* parameters) const {
    const PathWalk path = walk_path(target);
    if (!path.valid) return std::nullopt;
    // The authority of an absolute-form target overrides Host (RFC 9112, 3.2.2).
    const std::string_view name = host_alone(path.authority.empty() ? host : path.authority);
    const Entry* found = nullptr;
    for (const auto& [pattern, root] : hosts_)
        if (found == nullptr && !pattern.empty() && equal_ignoring_case(pattern, name))
            found = descend(path, method, root, 0);
    for (const auto& [pattern, root] : hosts_)
        if (found == nullptr && pattern.empty()) found = descend(path, method, root, 0);
    if (found == nullptr) return std::nullopt;
    if (parameters != nullptr) {
        parameters->clear();
        for (const auto& [depth, parameter] : found->names)
            parameters->emplace_back(parameter, decode_segment(path.segments[depth]));
    }
    return found->route;
}

bool is_safe_method(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE";
}

}  // namespace pawl::policy
