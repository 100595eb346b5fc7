// SPDX-License-Identifier: Apache-2.0
// A route with everything parsed that a request needs, so that the request path parses nothing, and the
// table of all routes with its matcher. Immutable once made; every loop has its own copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/key/fingerprint.hpp"
#include "core/key/json.hpp"
#include "core/policy/key_format.hpp"
#include "core/policy/matcher.hpp"
#include "core/policy/outcome.hpp"
#include "core/policy/read_request.hpp"
#include "core/policy/route.hpp"
#include "core/policy/settle_request.hpp"
#include "runtime/codec/digest.hpp"

namespace pawl::policy {

// One part of a derived key.
struct KeyPart {
    enum class Kind : std::uint8_t { caller, body, method, path, json, header };
    Kind kind = Kind::caller;
    key::JsonPath json;
    std::string header;
};
// Shape: "caller", "body", "method", "path", "$.cart_id", "header:X-Cart". Errors: config_invalid.
Result<KeyPart> parse_key_part(std::string_view text);

struct CompiledRoute {
    Route route;
    std::optional<key::JsonPath> key_path;      // key: { json: ... }
    std::optional<key::JsonPath> version_path;  // version: { json: ... }
    std::vector<KeyPart> key_parts;             // of a derived or a natural key
    KeyFormat key_format;
    key::FingerprintRule fingerprint;
    Digest fingerprint_digest;                      // the rule's, stored with every record
    key::FingerprintRule fingerprint_without_host;  // what derived keys are made of
    std::optional<SettleRequest> probe;
    std::optional<SettleRequest> close;
    std::optional<ReadRequest> read;  // set: repeats get what it reads
    // The natural-key guard is on: requests without another key are one operation when their key_parts are
    // equal within route.key.window. A derived key without a window is an ordinary key.
    bool natural_key = false;
    // A request without the key's header is relayed as if the route were not protected.
    bool runs_without_key = false;

    // Whether a request of this method takes a record here. Safe methods never do.
    bool protects(std::string_view method) const {
        return route.protect && !is_safe_method(method);
    }
    // The rule with this digest, where repeats can still be compared by it: this route's own, with the host or
    // without it. Whether it takes part changed with a release, and changes with `host` and `host_rewrite`.
    std::optional<key::FingerprintRule> rule_named(const Digest& digest) const;
    OutcomeClass classify(const Ended& ended) const {
        return policy::classify(route.profile, route.transactional, ended);
    }
};
// Errors: config_invalid for the first mistake; `check` finds them all.
Result<CompiledRoute> compile(Route route);

class RouteTable {
  public:
    // Errors: config_invalid, also for two routes that answer to the same requests.
    static Result<RouteTable> build(std::vector<Route> routes);

    // nullptr when no route answers to it. The pointer lives as long as the table.
    const CompiledRoute* find(std::string_view method, std::string_view host,
                              std::string_view target, PathParameters* parameters = nullptr) const;
    const std::vector<CompiledRoute>& routes() const { return routes_; }

  private:
    std::vector<CompiledRoute> routes_;
    Matcher matcher_;
};

}  // namespace pawl::policy
