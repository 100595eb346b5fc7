// SPDX-License-Identifier: Apache-2.0
// The request that reads what an operation made, for routes that answer repeats with its present
// representation: `GET /orders/{id}` with the parameters of the route's own path and the client's `{key}`, or
// `GET {location}`, where the first answer said it lies. Written in the route, taken apart once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/matcher.hpp"
#include "runtime/result/result.hpp"

namespace pawl::policy {

// What the placeholders stand for.
struct ReadNames {
    PathParameters parameters;
    std::string key;       // the client's
    std::string location;  // of the first answer: the header's value; empty: it gave none
    // Who may be named by a location that is a whole URL, as "host" or "host:port".
    std::vector<std::string> authorities;
};

class ReadRequest {
  public:
    // Shape: GET and a target. `pattern` is the path of the route. Errors: config_invalid; the text says what
    // to write.
    static Result<ReadRequest> parse(std::string_view text, std::string_view pattern);

    bool needs_key() const { return has(Kind::key); }
    bool needs_location() const { return has(Kind::location); }
    // nullopt: the location is missing, or leads elsewhere than to the service itself.
    std::optional<std::string> target(const ReadNames& names) const;

  private:
    enum class Kind : std::uint8_t { text, parameter, key, location };
    struct Piece {
        Kind kind = Kind::text;
        std::string text;  // text: itself; parameter: its name
    };
    bool has(Kind kind) const;
    Status add_placeholder(std::string_view name, std::string_view pattern);

    std::vector<Piece> pieces_;
};

}  // namespace pawl::policy
