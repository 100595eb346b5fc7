// SPDX-License-Identifier: Apache-2.0
// A scan for braces; everything outside of them is sent as written.
#include "core/policy/settle_request.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/path.hpp"

namespace pawl::policy {
namespace {

constexpr std::string_view kPlaceholders = "{operation_key}, {operation_ref} or {key}";

bool is_target_character(char c) { return c > 0x20 && c < 0x7f && c != '#' && c != '}'; }

}  // namespace

Result<SettleRequest> SettleRequest::parse(std::string_view text) {
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos || text.find(' ', blank + 1) != std::string_view::npos)
        return fail(
            Code::config_invalid,
            fmt::format(
                "`{}` is not `METHOD /path`, as in `GET /orders/by-operation/{{operation_key}}`",
                text));
    SettleRequest request;
    request.method_ = text.substr(0, blank);
    if (request.method_ != "GET" && request.method_ != "HEAD" && request.method_ != "POST" &&
        request.method_ != "PUT")
        return fail(Code::config_invalid,
                    fmt::format("`{}` is not GET, HEAD, POST or PUT", request.method_));
    std::string_view rest = text.substr(blank + 1);
    if (!rest.starts_with('/'))
        return fail(Code::config_invalid,
                    fmt::format("the path `{}` does not begin with `/`", rest));
    while (!rest.empty()) {
        const auto open = std::min(rest.find('{'), rest.size());
        const std::string_view plain = rest.substr(0, open);
        if (!std::ranges::all_of(plain, is_target_character))
            return fail(
                Code::config_invalid,
                fmt::format("`{}` holds a character that a request target cannot have", plain));
        if (!plain.empty()) request.pieces_.push_back({Kind::text, std::string(plain)});
        rest.remove_prefix(open);
        if (rest.empty()) break;
        const auto close = rest.find('}');
        const std::string_view name =
            rest.substr(0, close == std::string_view::npos ? close : close + 1);
        rest.remove_prefix(name.size());
        if (name == "{operation_key}")
            request.pieces_.push_back({Kind::operation_key, {}});
        else if (name == "{operation_ref}")
            request.pieces_.push_back({Kind::operation_ref, {}});
        else if (name == "{key}")
            request.pieces_.push_back({Kind::key, {}});
        else
            return fail(Code::config_invalid,
                        fmt::format("`{}` is not known here; write {}", name, kPlaceholders));
    }
    const auto is_name = [](const Piece& piece) { return piece.kind != Kind::text; };
    if (std::ranges::none_of(request.pieces_, is_name))
        return fail(Code::config_invalid,
                    fmt::format("it names no operation; write {} in it", kPlaceholders));
    return request;
}

std::string SettleRequest::target(const OperationNames& names) const {
    std::string target;
    for (const Piece& piece : pieces_) {
        switch (piece.kind) {
            case Kind::text:
                target += piece.text;
                break;
            case Kind::operation_key:
                target += percent_encoded(names.operation_key);
                break;
            case Kind::operation_ref:
                target += percent_encoded(names.operation_ref);
                break;
            case Kind::key:
                target += percent_encoded(names.key);
                break;
        }
    }
    return target;
}

}  // namespace pawl::policy
