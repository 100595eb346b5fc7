// SPDX-License-Identifier: Apache-2.0
#include "app/serve.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iterator>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/signal_set.hpp>

#include "app/config_watch.hpp"
#include "app/demo_store.hpp"
#include "app/flow_tour.hpp"
#include "app/greeting.hpp"
#include "app/node.hpp"
#include "core/policy/rekey.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/entropy/entropy.hpp"
#include "surface/cli/effective_config.hpp"
#include "surface/cli/resolving.hpp"
#include "surface/config/address.hpp"
#include "surface/config/describe_lines.hpp"
#include "surface/flow_file/load.hpp"
#include "surface/yaml/section.hpp"

namespace pawl::app {
namespace {

using Signals = boost::asio::basic_signal_set<Executor>;

constexpr int kInterrupted = 130;
constexpr std::chrono::nanoseconds kLookEvery = std::chrono::seconds{1};

// What a change of is loaded by itself.
std::vector<std::string> files_of(const cli::Common& common, const config::Config& config) {
    if (common.config.empty()) return {};
    std::vector<std::string> files{common.config};
    std::ranges::copy_if(config.flows.use, std::back_inserter(files), flow_file::is_path);
    return files;
}

// A server has a descriptor per connection; the hard limit is what the system allows it.
void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// Errors: config_invalid.
Result<cli::Effective> configured(const cli::Serve& serve, const cli::Common& common,
                                  const config::Environment& environment) {
    auto effective = cli::effective_config(common, environment);
    if (!effective) return effective;
    config::Config& config = effective->config;
    if (serve.dev || config.dev) config::enter_dev(config);
    if (!serve.listen.empty()) {
        auto listen = config::parse_address(serve.listen);
        if (!listen) return fail(Code::config_invalid, "--listen: " + listen.error().text);
        config.listen = *listen;
    }
    if (!common.admin.empty()) {
        auto admin = config::parse_address(common.admin, config::Config{}.admin.port);
        if (!admin) return fail(Code::config_invalid, "--admin: " + admin.error().text);
        config.admin = *admin;
    }
    if (!config::is_loopback(config.admin) && config.admin_token.value.empty())
        return fail(Code::config_invalid,
                    fmt::format("everybody who reaches {} could settle operations: write "
                                "`admin_token: {{ file: PATH }}`, set "
                                "PAWL_ADMIN_TOKEN, or let `admin` listen on 127.0.0.1",
                                config::format_address(config.admin)));
    return effective;
}

// One process from begin to end.
class Life {
  public:
    Life(const cli::Serve& serve, const cli::Common& common, const config::Environment& environment,
         const Program& program, Node& node, Report& report, std::vector<std::string> told,
         bool store_is_demo, std::string flow_secret)
        : serve_(serve),
          common_(common),
          environment_(environment),
          program_(program),
          node_(node),
          report_(report),
          signals_(node.first_context().get_executor()),
          told_(std::move(told)),
          store_is_demo_(store_is_demo),
          flow_secret_(std::move(flow_secret)),
          watch_(files_of(common, node.config())) {
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) signals_.add(signal);
    }

    Task<void> live() {
        auto reached = co_await node_.begin();
        if (!reached) {
            exit_code_ = cli::show_error(reached.error(), false);
            clean_ = false;
            node_.end_loops();
            co_return;
        }
        greet(*reached);
        node_.spawn_chore(watch_file());
        while (co_await next_signal() == SIGHUP) co_await reload();
        report_.info(
            fmt::format("ending: what runs has {} s; a second signal ends at once",
                        std::chrono::ceil<std::chrono::seconds>(node_.config().drain).count()));
        signals_.async_wait([](const boost::system::error_code& error, int signal) {
            if (!error && signal != SIGHUP) std::_Exit(kInterrupted);
        });
        clean_ = co_await node_.end();
        if (!clean_)
            report_.warn(
                "some attempts still ran at the deadline: their operations are uncertain until "
                "there is evidence");
        signals_.cancel();
        node_.end_loops();
    }

    int exit_code() const { return exit_code_; }
    // Nothing runs any more that could be surprised by the end of what it uses.
    bool is_clean() const { return clean_; }

  private:
    Task<int> next_signal() {
        const auto [error, signal] = co_await signals_.async_wait(boost::asio::as_tuple(kAwait));
        co_return error ? SIGTERM : signal;
    }

    void greet(const Reached& reached) {
        Welcome welcome;
        welcome.version = program_.version;
        welcome.program = program_.called;
        welcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(
            node_.first_loop().now() - program_.started);
        welcome.reached = reached;
        welcome.store_path = node_.config().store.path;
        welcome.strength = node_.store_strength();
        welcome.config_path = common_.config;
        welcome.key = fmt::format("order-{:04x}", node_.first_loop().entropy().below(0x10000));
        welcome.flow_secret = flow_secret_;
        welcome.store_goes = store_is_demo_;
        welcome.dev = node_.config().dev;
        welcome.tls = node_.config().tls.given();
        fmt::print("{}", greeting(welcome, cli::Paint{cli::wants_colour(STDOUT_FILENO)}));
        std::fflush(stdout);
    }

    Task<void> watch_file() {
        while (!co_await node_.leaves_within(kLookEvery)) {
            const auto changed = watch_.look();
            if (!changed) continue;
            report_.info(fmt::format("{} has changed", *changed));
            co_await reload();
        }
    }

    // One after the other; what is asked for meanwhile is one more.
    Task<void> reload() {
        load_again_ = true;
        if (std::exchange(loading_, true)) co_return;
        while (std::exchange(load_again_, false)) co_await load_once();
        loading_ = false;
    }

    Task<void> load_once() {
        if (common_.config.empty()) {
            report_.info("nothing to load anew: there is no configuration file");
            co_return;
        }
        watch_.loaded();
        auto effective = configured(serve_, common_, environment_);
        if (!effective) {
            fmt::print(stderr, "{}\n", effective.error().text);
            report_.error(
                fmt::format("{} is not taken, routes and flows stay as they are", common_.config));
            refused(fmt::format("`pawl check {}` says why", common_.config));
            co_return;
        }
        tell(effective->warnings);
        if (const std::string fixed = needs_restart(effective->config); !fixed.empty())
            report_.warn(fixed + " changed in the file and takes effect at the next start");
        std::vector<std::string> notes;
        for (const policy::Finding& finding :
             policy::rekeyed(node_.config().routes, effective->config.routes))
            notes.push_back(config::shown(common_.config, finding));
        const auto loaded = co_await node_.reload(std::move(effective->config));
        if (!loaded) {
            report_.error("routes and flows stay as they are: " + loaded.error().text);
            refused(loaded.error().text);
            co_return;
        }
        watch_.follow(files_of(common_, node_.config()));
        const std::string flows = loaded->flows == 0 ? ""
                                                     : fmt::format(" and {} flow{}", loaded->flows,
                                                                   loaded->flows == 1 ? "" : "s");
        report_.info(fmt::format("{} route{}{} loaded from {}", loaded->routes,
                                 loaded->routes == 1 ? "" : "s", flows, common_.config));
        for (const std::string& note : notes) report_.warn(note);
        notes_ = std::move(notes);
        node_.show_at_readiness(notes_);
    }

    // Ready all the same, as what was loaded before goes on; a start with the file as it is would fail.
    void refused(const std::string& why) {
        std::vector<std::string> notes = notes_;
        notes.push_back(
            fmt::format("{} or a file that it names has changed and was not taken, "
                        "routes and flows stay as they were loaded before: {}",
                        common_.config, why));
        node_.show_at_readiness(std::move(notes));
    }

    // Each once, however often the file is loaded.
    void tell(const std::vector<std::string>& warnings) {
        for (const std::string& warning : warnings) {
            if (std::ranges::find(told_, warning) != told_.end()) continue;
            told_.push_back(warning);
            fmt::print(stderr, "{}\n", warning);
        }
    }

    std::string needs_restart(const config::Config& wanted) const {
        const config::Config& present = node_.config();
        std::string names;
        const auto add = [&names](bool differs, std::string_view name) {
            if (differs) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
        };
        add(wanted.listen != present.listen, "listen");
        add(wanted.admin != present.admin, "admin");
        add(wanted.store.path != present.store.path, "store");
        add(wanted.store.encryption.key.value != present.store.encryption.key.value,
            "store.encryption");
        add(wanted.body_folder != present.body_folder, "body_folder");
        add(wanted.loops != present.loops, "loops");
        add(wanted.tenant != present.tenant, "tenant");
        add(wanted.tls != present.tls, "tls");
        const auto sinks_of = [](const config::Config& config) {
            config::Lines lines;
            config::describe_sinks(lines, config);
            return lines.take();
        };
        add(sinks_of(wanted) != sinks_of(present), "sinks");
        return names;
    }

    const cli::Serve& serve_;
    const cli::Common& common_;
    const config::Environment& environment_;
    const Program& program_;
    Node& node_;
    Report& report_;
    Signals signals_;
    std::vector<std::string> told_;
    bool store_is_demo_;
    std::string flow_secret_;  // of the demonstration's callback account
    ConfigWatch watch_;
    std::vector<std::string> notes_;  // of what is loaded
    bool loading_ = false;
    bool load_again_ = false;
    int exit_code_ = 0;
    bool clean_ = true;
};

}  // namespace

int run_serve(const cli::Serve& serve, const cli::Common& common,
              const config::Environment& environment, const Program& program) {
    auto effective = configured(serve, common, environment);
    if (!effective) return cli::show_error(effective.error(), common.json);
    DemoStore demo_store;  // goes after the node that uses it
    const bool is_demo = common.config.empty() && common.store.empty() &&
                         !environment.contains(yaml::variable_name("store.path"));
    if (is_demo) {
        auto path = demo_store.begin();
        if (!path) return cli::show_error(path.error(), common.json);
        effective->config.store.path = *path;
    }
    std::string flow_secret;
    if (common.config.empty()) {
        std::array<std::byte, 16> bytes{};
        SystemEntropy().fill(bytes);
        flow_secret = to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        add_demo_account(effective->config, flow_secret);
    }
    umask(0077);  // what is stored is its owner's alone, whatever the shell says
    raise_descriptor_limit();
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
    Report report(effective->config.log_level);
    std::vector<std::string> warnings = std::move(effective->warnings);
    for (const std::string& warning : warnings) fmt::print(stderr, "{}\n", warning);
    Node node(std::move(effective->config), program.version, report);
    if (auto built = node.build(); !built) return cli::show_error(built.error(), common.json);
    Life life(serve, common, environment, program, node, report, std::move(warnings), is_demo,
              std::move(flow_secret));
    boost::asio::co_spawn(node.first_loop().executor(), life.live(), [](std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
    });
    node.run();
    if (!life.is_clean()) node.leave_at_once(life.exit_code());
    return life.exit_code();
}

}  // namespace pawl::app
