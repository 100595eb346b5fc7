// SPDX-License-Identifier: Apache-2.0
// Finds the route of a request: `METHOD /path/{name}/*` and an optional host. A tree over path segments; a
// search allocates nothing unless the path is percent-encoded. The most specific route wins: its own host
// before any host, then segment by segment a literal before `{name}` before `*`, then its own method
// before `*`.
//
// Paths are compared as an upstream that normalises would read them: percent-encoding undone (%2F stays),
// "." and ".." resolved, empty segments skipped. Otherwise a second spelling of a protected path would
// reach the upstream unprotected. Sent upstream is the target as received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/policy/path.hpp"
#include "runtime/result/result.hpp"

namespace pawl::policy {

// Name and value (percent-decoded except %2F) of each `{name}`, in order.
using PathParameters = std::vector<std::pair<std::string, std::string>>;

class Matcher {
  public:
    // What a route answers to. Shape: `method` "POST" or "*"; `path` begins with "/"; `host` in lower case,
    // without port, empty for any.
    struct Pattern {
        std::string method;
        std::string path;
        std::string host;
    };

    // Two patterns that answer to exactly the same requests.
    struct Twins {
        std::size_t first = 0;
        std::size_t second = 0;
    };

    // Errors: config_invalid for a path outside of the grammar; the text says what to write.
    Status add(const Pattern& pattern, std::size_t route);

    // Set by `add` when it found the second of two equal patterns; the first one keeps the requests.
    const std::vector<Twins>& twins() const { return twins_; }

    // Shape: `target` as received: origin form or absolute form, with query; `host` the Host header's value.
    // Returns the number given to `add`.
    std::optional<std::size_t> find(std::string_view method, std::string_view host,
                                    std::string_view target,
                                    PathParameters* parameters = nullptr) const;

  private:
    struct Entry {
        std::string method;
        std::size_t route = 0;
        std::vector<std::pair<std::size_t, std::string>> names;  // depth and name of each parameter
    };
    struct Node {
        std::vector<std::pair<std::string, std::uint32_t>> literals;  // ordered
        std::uint32_t parameter = 0;  // 0: none; node 0 is never a child
        std::vector<Entry> here;      // the path ends here
        std::vector<Entry> below;     // "/*"
    };

    std::uint32_t root_of(const std::string& host);
    std::uint32_t literal_child(std::uint32_t node, const std::string& literal);
    std::uint32_t parameter_child(std::uint32_t node);
    void put(std::vector<Entry>& entries, Entry entry);
    const Entry* descend(const PathWalk& path, std::string_view method, std::uint32_t number,
                         std::size_t depth) const;
    static std::uint32_t literal_at(const Node& node, std::string_view raw);
    static const Entry* entry_for(const std::vector<Entry>& entries, std::string_view method);

    std::vector<Node> nodes_ = std::vector<Node>(1);            // node 0 is unused
    std::vector<std::pair<std::string, std::uint32_t>> hosts_;  // host -> root; "" is any
    std::vector<Twins> twins_;
};

// Methods that are defined not to change anything: GET, HEAD, OPTIONS, TRACE. They never take a record.
bool is_safe_method(std::string_view method);

}  // namespace pawl::policy
