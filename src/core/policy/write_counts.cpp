// SPDX-License-Identifier: Apache-2.0
#include "core/policy/write_counts.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/policy/path.hpp"

namespace pawl::policy {
namespace {

constexpr std::size_t kDigitsOfAnId = 4;   // "v1" and "oauth2" are words, "2024-0017" is none
constexpr std::size_t kLengthOfAnId = 16;  // with a digit in it: hashes, tokens
constexpr std::size_t kMethodLengthMax = 20;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool names_one_thing(std::string_view segment) {
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(segment, is_digit));
    return digits == segment.size() || digits >= kDigitsOfAnId ||
           (digits > 0 && segment.size() >= kLengthOfAnId);
}

bool is_writable(std::string_view segment) {
    return !segment.empty() && std::ranges::all_of(segment, [](char c) {
        return c > ' ' && c < 0x7f &&
               std::string_view("{}*\"\\%?#").find(c) == std::string_view::npos;
    });
}

}  // namespace

std::optional<std::string> path_template(std::string_view target) {
    const PathWalk walk = walk_path(target);
    if (!walk.valid || walk.count > kSegmentsMax) return std::nullopt;
    std::string path;
    int ids = 0;
    for (std::size_t i = 0; i < walk.count; ++i) {
        const std::string segment = decode_segment(walk.segments[i]);
        const bool id = names_one_thing(segment);
        if (!id && !is_writable(segment)) return std::nullopt;
        if (!id)
            path += "/" + segment;
        else if (++ids == 1)
            path += "/{id}";
        else
            path += fmt::format("/{{id{}}}", ids);
    }
    if (path.empty()) path = "/";
    return path.size() <= kWriteTemplateLengthMax ? std::optional(std::move(path)) : std::nullopt;
}

WriteCount* WriteCounts::place(const std::string& method, const std::string& path,
                               std::string_view route) {
    std::string name = method + ' ' + path;
    const auto found = counts_.find(name);
    if (found != counts_.end()) return &found->second;
    if (counts_.size() == kWriteTemplatesMax) return nullptr;
    return &counts_.emplace(std::move(name), WriteCount{method, path, std::string(route), 0, 0})
                .first->second;
}

void WriteCounts::add(std::string_view method, std::string_view target, bool with_key,
                      std::string_view route) {
    const auto path = path_template(target);
    WriteCount* counted = path && method.size() <= kMethodLengthMax
                              ? place(std::string(method), *path, route)
                              : nullptr;
    if (counted == nullptr) {
        ++not_listed_;
        return;
    }
    ++counted->count;
    counted->with_key += with_key ? 1 : 0;
}

void WriteCounts::add(const WriteCounts& others) {
    not_listed_ += others.not_listed_;
    for (const auto& [name, one] : others.counts_) {
        WriteCount* counted = place(one.method, one.path, one.route);
        if (counted == nullptr) {
            not_listed_ += one.count;
            continue;
        }
        counted->count += one.count;
        counted->with_key += one.with_key;
    }
}

std::vector<WriteCount> WriteCounts::list() const {
    std::vector<WriteCount> list;
    for (const auto& [name, one] : counts_) list.push_back(one);
    std::ranges::sort(list, [](const WriteCount& a, const WriteCount& b) {
        return std::tie(b.count, a.path, a.method) < std::tie(a.count, b.path, b.method);
    });
    return list;
}

std::uint64_t WriteCounts::total() const {
    std::uint64_t total = not_listed_;
    for (const auto& [name, one] : counts_) total += one.count;
    return total;
}

}  // namespace pawl::policy
