// SPDX-License-Identifier: Apache-2.0
// One decoder, a character at a time, serves comparing, decoding and the search for dot segments, so that
// the three cannot disagree about an escape.
#include "core/policy/path.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "runtime/codec/hex_digit.hpp"

namespace pawl::policy {
namespace {

// Takes one character off the front. "%2f" and "%25" come out as three characters, in upper case.
class Decoder {
  public:
    explicit Decoder(std::string_view raw) : rest_(raw) {}
    std::optional<char> next() {
        if (!pending_.empty()) {
            const char c = pending_.front();
            pending_.remove_prefix(1);
            return c;
        }
        if (rest_.empty()) return std::nullopt;
        const char c = rest_.front();
        if (c == '%' && rest_.size() >= 3 && hex_value(rest_[1]) >= 0 && hex_value(rest_[2]) >= 0) {
            const char decoded = static_cast<char>(hex_value(rest_[1]) * 16 + hex_value(rest_[2]));
            rest_.remove_prefix(3);
            if (decoded == '/') pending_ = "2F";
            if (decoded == '%') pending_ = "25";
            return pending_.empty() ? decoded : '%';
        }
        rest_.remove_prefix(1);
        return c;
    }

  private:
    std::string_view rest_;
    std::string_view pending_;
};

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Result<PatternSegment> parse_segment(std::string_view text, bool last) {
    if (text.empty())
        return fail(Code::config_invalid,
                    "the path has an empty segment; write it without `//` and without a `/` "
                    "at its end (`/orders/` is found under `/orders`)");
    if (text == "*") {
        if (!last)
            return fail(Code::config_invalid,
                        "`*` may only be the last segment; write `{name}` for one segment");
        return PatternSegment{PatternSegment::Kind::rest, {}};
    }
    if (text.front() == '{' && text.back() == '}') {
        const std::string_view name = text.substr(1, text.size() - 2);
        if (name.empty() || !std::ranges::all_of(name, is_name_character))
            return fail(
                Code::config_invalid,
                fmt::format("`{}` is not a parameter; write letters, digits and `_` in the braces",
                            text));
        return PatternSegment{PatternSegment::Kind::parameter, std::string(name)};
    }
    if (text.find_first_of("{}*") != std::string_view::npos)
        return fail(
            Code::config_invalid,
            fmt::format("`{}` mixes text with `{{}}` or `*`; a parameter takes a whole segment",
                        text));
    const auto is_bad = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; };
    if (std::ranges::any_of(text, is_bad) || text.find_first_of("?#") != std::string_view::npos)
        return fail(
            Code::config_invalid,
            fmt::format("`{}` holds a blank, a control character, `?` or `#`; write the path alone",
                        text));
    std::string literal = decode_segment(text);
    if (literal == "." || literal == "..")
        return fail(Code::config_invalid, "the path has a dot segment; write the path it leads to");
    return PatternSegment{PatternSegment::Kind::literal, std::move(literal)};
}

void push_segment(PathWalk& walk, std::string_view raw) {
    walk.trailing_slash = raw.empty();
    if (raw.empty()) return;
    if (raw.front() == '.' || raw.front() == '%') {
        if (segment_equals(raw, ".")) return;
        if (segment_equals(raw, "..")) {
            if (walk.count > 0) --walk.count;
            return;
        }
    }
    if (walk.count < walk.segments.size()) walk.segments[walk.count] = raw;
    ++walk.count;
}

}  // namespace

Result<std::vector<PatternSegment>> parse_pattern(std::string_view path) {
    if (path.empty() || path.front() != '/')
        return fail(Code::config_invalid,
                    fmt::format("the path `{}` does not begin with `/`", path));
    std::vector<PatternSegment> segments;
    std::string_view rest = path.substr(1);
    while (!rest.empty() || path.size() > 1) {
        const auto slash = rest.find('/');
        const bool last = slash == std::string_view::npos;
        auto segment = parse_segment(rest.substr(0, slash), last);
        if (!segment) return fail(segment.error());
        const auto same_name = [&](const PatternSegment& other) {
            return other.kind == PatternSegment::Kind::parameter && other.text == segment->text;
        };
        if (segment->kind == PatternSegment::Kind::parameter &&
            std::ranges::any_of(segments, same_name))
            return fail(Code::config_invalid,
                        fmt::format("the parameter `{{{}}}` stands twice", segment->text));
        segments.push_back(*std::move(segment));
        if (segments.size() > kSegmentsMax)
            return fail(Code::config_invalid,
                        fmt::format("the path has more than {} segments", kSegmentsMax));
        if (last) break;
        rest.remove_prefix(slash + 1);
    }
    return segments;
}

bool patterns_cross(const std::vector<PatternSegment>& a, const std::vector<PatternSegment>& b) {
    using Kind = PatternSegment::Kind;
    bool a_more = false;
    bool b_more = false;
    for (std::size_t i = 0;; ++i) {
        const bool a_ends = i == a.size();
        const bool b_ends = i == b.size();
        if (a_ends || b_ends) return a_ends && b_ends && a_more && b_more;
        const PatternSegment& x = a[i];
        const PatternSegment& y = b[i];
        if (x.kind == Kind::literal && y.kind == Kind::literal && x.text != y.text) return false;
        a_more = a_more || x.kind < y.kind;
        b_more = b_more || y.kind < x.kind;
        if (x.kind == Kind::rest || y.kind == Kind::rest) return a_more && b_more;
    }
}

PathWalk walk_path(std::string_view target) {
    PathWalk walk;
    if (!target.starts_with('/')) {
        const auto scheme = target.find("://");
        if (scheme == std::string_view::npos) return walk;
        target.remove_prefix(scheme + 3);
        const auto end = std::min(target.find_first_of("/?#"), target.size());
        walk.authority = target.substr(0, end);
        target.remove_prefix(end);
    }
    target = path_of(target);
    walk.valid = true;
    if (target.empty()) return walk;
    target.remove_prefix(1);
    while (true) {
        const auto slash = target.find('/');
        push_segment(walk, target.substr(0, slash));
        if (slash == std::string_view::npos) return walk;
        target.remove_prefix(slash + 1);
    }
}

std::string decode_segment(std::string_view raw) {
    std::string text;
    Decoder decoder(raw);
    while (const auto c = decoder.next()) text += *c;
    return text;
}

std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') ||
                           std::string_view("-._~").find(c) != std::string_view::npos;
        if (plain)
            encoded += c;
        else
            encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

std::string encode_segment(std::string_view decoded) {
    std::string encoded;
    while (!decoded.empty()) {
        const bool left = decoded.starts_with("%2F") || decoded.starts_with("%25");
        const std::string_view next = decoded.substr(0, left ? 3 : 1);
        encoded += left ? std::string(next) : percent_encoded(next);
        decoded.remove_prefix(next.size());
    }
    return encoded;
}

bool segment_equals(std::string_view raw, std::string_view literal) {
    Decoder decoder(raw);
    for (const char expected : literal)
        if (decoder.next() != expected) return false;
    return !decoder.next();
}

}  // namespace pawl::policy
