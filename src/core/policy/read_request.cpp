// SPDX-License-Identifier: Apache-2.0
// Names are percent-encoded, so that none can change the path. A location is the service's own word and is
// followed as it stands, but never to another service.
#include "core/policy/read_request.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/path.hpp"
#include "core/policy/target_template.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

constexpr std::string_view kForm = "`GET /orders/{id}` or `GET {location}`";

// Path and query of a Location value.
std::optional<std::string> target_in(std::string_view location,
                                     const std::vector<std::string>& authorities) {
    location = location.substr(0, location.find('#'));
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (location.size() < scheme.size() ||
            !equal_ignoring_case(location.substr(0, scheme.size()), scheme))
            continue;
        location.remove_prefix(scheme.size());
        const auto end = std::min(location.find_first_of("/?"), location.size());
        const std::string_view authority = location.substr(0, end);
        const bool known = std::ranges::any_of(authorities, [&](const std::string& own) {
            return equal_ignoring_case(own, authority);
        });
        if (!known) return std::nullopt;
        location.remove_prefix(end);
        break;
    }
    const bool is_path = location.starts_with('/') && !location.starts_with("//");
    if (!is_path || !std::ranges::all_of(location, is_target_character)) return std::nullopt;
    return std::string(location);
}

}  // namespace

Result<ReadRequest> ReadRequest::parse(std::string_view text, std::string_view pattern) {
    constexpr std::string_view kGet = "GET ";
    if (!text.starts_with(kGet) || text.find(' ', kGet.size()) != std::string_view::npos)
        return fail(Code::config_invalid, fmt::format("`{}` does not read; write {}", text, kForm));
    ReadRequest request;
    const std::string_view written = text.substr(kGet.size());
    if (written == "{location}") {
        request.pieces_.push_back({Kind::location, {}});
        return request;
    }
    if (!written.starts_with('/') || written.starts_with("//"))
        return fail(Code::config_invalid,
                    fmt::format("`{}` is not a path; write {}", written, kForm));
    const auto pieces = cut_target(written);
    if (!pieces) return fail(pieces.error());
    for (const auto& [is_placeholder, piece] : *pieces) {
        if (!is_placeholder)
            request.pieces_.push_back({Kind::text, piece});
        else if (auto known = request.add_placeholder(piece, pattern); !known)
            return fail(std::move(known.error()));
    }
    return request;
}

Status ReadRequest::add_placeholder(std::string_view name, std::string_view pattern) {
    if (name == "{key}") {
        pieces_.push_back({Kind::key, {}});
        return {};
    }
    if (name == "{location}")
        return fail(Code::config_invalid,
                    "`{location}` is a whole path; write `GET {location}` and nothing else");
    std::string known;
    if (const auto segments = parse_pattern(pattern))
        for (const PatternSegment& segment : *segments) {
            if (segment.kind != PatternSegment::Kind::parameter) continue;
            if (fmt::format("{{{}}}", segment.text) == name) {
                pieces_.push_back({Kind::parameter, segment.text});
                return {};
            }
            known += fmt::format("{{{}}}, ", segment.text);
        }
    return fail(
        Code::config_invalid,
        fmt::format("`{}` is not known here; write {}{{key}} or {{location}}", name, known));
}

bool ReadRequest::has(Kind kind) const {
    return std::ranges::find(pieces_, kind, &Piece::kind) != pieces_.end();
}

std::optional<std::string> ReadRequest::target(const ReadNames& names) const {
    std::string target;
    for (const Piece& piece : pieces_) {
        switch (piece.kind) {
            case Kind::text:
                target += piece.text;
                break;
            case Kind::parameter: {
                const auto found = std::ranges::find(names.parameters, piece.text,
                                                     &PathParameters::value_type::first);
                if (found == names.parameters.end()) return std::nullopt;
                target += encode_segment(found->second);
                break;
            }
            case Kind::key:
                target += percent_encoded(names.key);
                break;
            case Kind::location:
                return target_in(names.location, names.authorities);
        }
    }
    return target;
}

}  // namespace pawl::policy
