// SPDX-License-Identifier: Apache-2.0
#include "app/greeting.hpp"

#include <fmt/format.h>

#include "app/flow_tour.hpp"
#include "surface/config/address.hpp"

namespace pawl::app {
namespace {

std::string counted(std::size_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string url_of(const config::Address& address, bool tls = false) {
    return (tls ? "https://" : "http://") + config::format_address(address);
}

// The lines to paste; a shell takes each as it stands.
std::string tour(const Welcome& welcome, const cli::Paint& paint) {
    const std::string orders = url_of(welcome.reached.listen) + "/orders";
    const auto post = [&](std::string_view item) {
        return fmt::format("curl -i {} -H 'Idempotency-Key: {}' --json '{{\"item\":\"{}\"}}'",
                           orders, welcome.key, item);
    };
    const bool default_admin = welcome.reached.admin == config::Config{}.admin;
    const std::string admin =
        default_admin ? "" : " --admin " + config::format_address(welcome.reached.admin);
    const std::string explain = fmt::format("{} explain {}{}", welcome.program, welcome.key, admin);
    std::string out;
    const auto add = [&](std::string_view what, const std::string& line) {
        out += fmt::format("  {}\n    {}\n", paint.faint(what), line);
    };
    add("order a book; paste it twice: one order, the second answer is a replay", post("book"));
    add("the same key for something else: 422, and nothing is ordered", post("lamp"));
    add("what was ordered: one book", fmt::format("curl {}", orders));
    add("what became of the key", explain);
    if (welcome.flow_secret.empty()) return out;
    out += "\n";
    const std::string mark = welcome.key.substr(welcome.key.find('-') + 1);
    for (const auto& [what, line] : flow_tour(
             {url_of(welcome.reached.listen), welcome.program + admin, mark, welcome.flow_secret}))
        add(what, line);
    return out;
}

}  // namespace

std::string greeting(const Welcome& welcome, const cli::Paint& paint) {
    const Reached& at = welcome.reached;
    std::string out = fmt::format("{} ready in {} ms\n", paint.strong("pawl " + welcome.version),
                                  welcome.took.count());
    const auto add = [&](std::string_view name, const std::string& value) {
        out += fmt::format("  {}  {}\n", paint.faint(fmt::format("{:<9}", name)), value);
    };
    const std::string flows = at.flows == 0 ? "" : counted(at.flows, "flow") + ", ";
    add("requests", fmt::format("{}  {}, {}{}", url_of(at.listen, welcome.tls),
                                counted(at.routes, "route"), flows, counted(at.loops, "loop")));
    add("admin", fmt::format("{}  /readyz /metrics", url_of(at.admin)));
    add("store", fmt::format("{}  {}", welcome.store_path, welcome.strength));
    if (at.unresolved > 0)
        add("uncertain", fmt::format("{} of earlier; `pawl uncertain list` shows them",
                                     counted(at.unresolved, "operation")));
    if (at.demo.port != 0)
        add("upstream", fmt::format("{}  built in, for this demonstration", url_of(at.demo)));
    if (welcome.store_goes)
        add("end", "Ctrl-C; orders and records of this demonstration are forgotten together");
    else if (welcome.config_path.empty())
        add("end", "Ctrl-C; the orders are forgotten, the records stay in the store");
    if (welcome.dev) add("mode", "dev: a line per request, a person's word counts at once");
    if (welcome.config_path.empty()) out += "\n" + tour(welcome, paint) + "\n";
    return out;
}

}  // namespace pawl::app
