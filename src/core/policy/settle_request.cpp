// SPDX-License-Identifier: Apache-2.0
#include "core/policy/settle_request.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/path.hpp"
#include "core/policy/target_template.hpp"

namespace pawl::policy {
namespace {

constexpr std::string_view kPlaceholders = "{operation_key}, {operation_ref} or {key}";

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
    const std::string_view written = text.substr(blank + 1);
    if (!written.starts_with('/'))
        return fail(Code::config_invalid,
                    fmt::format("the path `{}` does not begin with `/`", written));
    const auto pieces = cut_target(written);
    if (!pieces) return fail(pieces.error());
    for (const auto& [is_placeholder, piece] : *pieces) {
        if (!is_placeholder)
            request.pieces_.push_back({Kind::text, piece});
        else if (piece == "{operation_key}")
            request.pieces_.push_back({Kind::operation_key, {}});
        else if (piece == "{operation_ref}")
            request.pieces_.push_back({Kind::operation_ref, {}});
        else if (piece == "{key}")
            request.pieces_.push_back({Kind::key, {}});
        else
            return fail(Code::config_invalid,
                        fmt::format("`{}` is not known here; write {}", piece, kPlaceholders));
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
