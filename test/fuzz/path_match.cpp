// SPDX-License-Identifier: Apache-2.0
// Any target, in front of two protected routes and a default upstream. A reader of its own, as lenient as services
// are (escapes undone, `\` as `/`, `//host` as an authority, `;x` and blanks as nothing, dots resolved), never finds a
// protected route where the gateway would have relayed; and another spelling of the same segments finds the same route.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/path.hpp"
#include "gateway/gateway.hpp"
#include "runtime/result/assert.hpp"
#include "runtime/task/system_loop.hpp"

namespace {

using namespace pawl;
using Segments = std::vector<std::string>;

struct Unseen final : gateway::Observer {
    void answered(const gateway::RequestNote&) override {}
    void passed(const gateway::PassedNote&) override {}
};

policy::Route route_of(std::string path) {
    policy::Route route;
    route.method = "POST";
    route.path = std::move(path);
    route.name = "POST " + route.path;
    route.upstream = {"127.0.0.1", 3000, false, false};
    route.key.source = policy::KeyRule::Source::header;
    return route;
}

class Front {
  public:
    http::Plan plan(std::string_view target) {
        http::RequestHead head;
        head.method = "POST";
        head.target = target;
        head.headers = {{"Host", "h"}, {"Idempotency-Key", "k"}};
        return gateway_.plan(head, {});
    }
    const policy::CompiledRoute* find(std::string_view target) const {
        return routes_->table.find("POST", "h", target);
    }

  private:
    static std::shared_ptr<const gateway::Routes> routes() {
        auto table = policy::RouteTable::build({route_of("/orders"), route_of("/pay/{id}/now")});
        PAWL_ASSERT(table);
        return std::make_shared<const gateway::Routes>(
            *std::move(table), policy::Upstream{"127.0.0.1", 3000, false, false});
    }
    SystemLoop system_;
    Unseen unseen_;
    std::shared_ptr<const gateway::Routes> routes_ = routes();
    gateway::Gateway gateway_{system_.loop(), {}, routes_, unseen_};
};

int digit(char c) {
    const std::string_view digits = "0123456789abcdef";
    const auto at = digits.find(static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c));
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// What a service drops of a segment besides.
struct Drops {
    bool parameters = false;
    bool blanks = false;
    bool after_nul = false;
};

std::string kept_of(std::string segment, const Drops& drops) {
    if (drops.parameters) segment.resize(std::min(segment.find(';'), segment.size()));
    if (!drops.blanks) return segment;
    std::erase_if(segment, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    segment.resize(segment.find_last_not_of(' ') + 1);
    return segment.substr(std::min(segment.find_first_not_of(' '), segment.size()));
}

// The segments as the most lenient service takes them.
Segments lenient(std::string_view target, const Drops& drops) {
    std::string plain;
    for (std::size_t i = 0; i < target.size() && target[i] != '?' && target[i] != '#'; ++i) {
        const bool escape = target[i] == '%' && i + 2 < target.size() &&
                            digit(target[i + 1]) >= 0 && digit(target[i + 2]) >= 0;
        char c = escape ? static_cast<char>(digit(target[i + 1]) * 16 + digit(target[i + 2]))
                        : target[i];
        if (escape) i += 2;
        plain += c == '\\' ? '/' : c;
    }
    if (drops.after_nul) plain.resize(std::min(plain.find('\0'), plain.size()));
    Segments segments;
    for (std::size_t from = 0; from <= plain.size();) {
        const std::size_t to = std::min(plain.find('/', from), plain.size());
        const std::string segment = kept_of(plain.substr(from, to - from), drops);
        from = to + 1;
        if (segment.empty() || segment == ".") continue;
        if (segment == "..") {
            if (!segments.empty()) segments.pop_back();
        } else {
            segments.push_back(segment);
        }
    }
    return segments;
}

bool is_protected(const Segments& s) {
    return s == Segments{"orders"} || (s.size() == 3 && s[0] == "pay" && s[2] == "now");
}

bool may_be_protected(std::string_view target) {
    for (unsigned choice = 0; choice < 8; ++choice)
        if (is_protected(
                lenient(target, {(choice & 1U) != 0, (choice & 2U) != 0, (choice & 4U) != 0})))
            return true;
    return false;
}

// Every byte that may be is escaped, and empty and dot segments stand between.
std::string respelt(const policy::PathWalk& walk) {
    std::string target = "/.";
    for (std::size_t i = 0; i < walk.count; ++i) {
        target += "//x/%2E./";
        for (const char c : policy::decode_segment(walk.segments[i])) {
            constexpr std::string_view kDigits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            if (c == '%') {
                target += c;
                continue;
            }
            target += '%';
            target += kDigits[byte >> 4U];
            target += kDigits[byte & 15U];
        }
    }
    return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static Front front;
    const std::string_view target(reinterpret_cast<const char*>(bytes), size);
    if (!target.starts_with('/')) {
        (void)front.plan(target);
        return 0;
    }
    const http::Plan plan = front.plan(target);
    if (std::holds_alternative<http::Onward>(plan.step)) {
        PAWL_ASSERT(!may_be_protected(target));
        // An authority may be looked for before escapes are undone, and after.
        const std::string_view path = policy::path_of(target);
        const auto end = path.find('/', 2);
        if (path.starts_with("//") && end != std::string_view::npos)
            PAWL_ASSERT(!may_be_protected(path.substr(end)));
    }
    const policy::PathWalk walk = policy::walk_path(target);
    if (walk.count > walk.segments.size()) return 0;
    const auto found = front.find(target);
    PAWL_ASSERT(std::holds_alternative<http::Whole>(plan.step) <= (found != nullptr));
    PAWL_ASSERT(front.find(respelt(walk)) == found);
    return 0;
}
