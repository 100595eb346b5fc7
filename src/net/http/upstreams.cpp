// SPDX-License-Identifier: Apache-2.0
#include "net/http/upstreams.hpp"

#include <charconv>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ssl/context.hpp>

#include "net/http/certificates.hpp"
#include "net/http/list.hpp"
#include "net/http/upstream_connection.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/within.hpp"

namespace pawl::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Endpoints = std::vector<tcp::endpoint>;

constexpr auto kTuple = asio::as_tuple(asio::deferred);
constexpr auto kSweepEvery = std::chrono::seconds(1);

struct Resolved {
    Endpoints endpoints;
    error_code error;
};

// getaddrinfo runs on Asio's own thread and cannot be stopped: the caller waits as long as it likes.
Task<Resolved> resolve(Executor executor, Target target) {
    asio::ip::basic_resolver<tcp, Executor> resolver(executor);
    const auto [error, results] = co_await resolver.async_resolve(
        target.host, std::to_string(target.port), asio::ip::resolver_base::numeric_service, kTuple);
    Resolved resolved{{}, error};
    for (const auto& entry : results) resolved.endpoints.push_back(entry.endpoint());
    co_return resolved;
}

std::string named(const Target& target) { return fmt::format("{}:{}", target.host, target.port); }

}  // namespace

std::optional<std::chrono::seconds> keep_alive_timeout(const Headers& headers) {
    std::optional<std::chrono::seconds> found;
    for_each_member(first_of(headers, "keep-alive"), [&found](std::string_view member) {
        constexpr std::string_view kName = "timeout=";
        if (!equal_ignoring_case(member.substr(0, kName.size()), kName)) return;
        member.remove_prefix(kName.size());
        int seconds = 0;
        const auto [end, error] =
            std::from_chars(member.data(), member.data() + member.size(), seconds);
        if (error == std::errc{} && end == member.data() + member.size() && seconds >= 0)
            found = std::chrono::seconds(seconds);
    });
    return found;
}

void CloseConnection::operator()(UpstreamConnection* connection) const { delete connection; }

namespace {

// What failed, as an error's text; empty: nothing.
std::string_view use(asio::ssl::context& context, const policy::UpstreamTrust& trust,
                     error_code& error) {
    if (trust.ca.text.empty())
        context.set_default_verify_paths(error);
    else
        trust_authorities(context, trust.ca.text, error);
    if (error) return "The certificates to trust could not be loaded.";
    if (trust.certificate.text.empty()) return {};
    show_certificate(context, trust.certificate.text, error);
    if (error) return "The certificate to show to upstreams could not be loaded.";
    show_key(context, trust.key.text, error);
    if (error) return "The key of the certificate to show to upstreams could not be loaded.";
    return {};
}

}  // namespace

struct Upstreams::Tls {
    explicit Tls(std::shared_ptr<const policy::UpstreamTrust> trust_) : trust(std::move(trust_)) {
        error_code error;
        broken = use(context, trust ? *trust : policy::UpstreamTrust{}, error);
        cause = error.message();
    }
    std::shared_ptr<const policy::UpstreamTrust> trust;  // shared with the routes that name it
    asio::ssl::context context{asio::ssl::context::tls_client};
    std::string_view broken;  // empty: it can be used
    std::string cause;
};

Status check_trust(const policy::UpstreamTrust& trust) {
    asio::ssl::context context{asio::ssl::context::tls_client};
    error_code error;
    if (const auto broken = use(context, trust, error); !broken.empty())
        return fail(Code::config_invalid, std::string(broken), error.message(), "tls");
    return {};
}

Upstreams::Upstreams(Loop& loop, UpstreamLimits limits)
    : loop_(loop), limits_(limits), group_(loop) {}

Upstreams::~Upstreams() { loop_.alarms().cancel(sweep_); }

Task<Result<ConnectionPtr>> Upstreams::acquire(Target target, MonotonicTime deadline) {
    const MonotonicTime now = loop_.now();
    for (auto& idle = pool_of(target).idle; !idle.empty();) {
        ConnectionPtr connection = std::move(idle.back());
        idle.pop_back();
        if (now >= connection->idle_until || !connection->wire.is_quiet()) continue;
        connection->reused = true;
        co_return connection;
    }
    co_return co_await connect(std::move(target),
                               std::min(deadline, now + limits_.connect_timeout));
}

Task<Result<ConnectionPtr>> Upstreams::connect(Target target, MonotonicTime deadline) {
    Endpoints endpoints;
    error_code error;
    const auto literal = asio::ip::make_address(target.host, error);
    if (!error) {
        endpoints.emplace_back(literal, target.port);
    } else {
        const auto resolved =
            co_await within(loop_, group_, deadline, resolve(loop_.executor(), target));
        if (!resolved)
            co_return fail(Code::unavailable, "The upstream's name could not be resolved in time.",
                           named(target), "resolve");
        if (resolved->error)
            co_return fail(Code::unavailable, "The upstream's name could not be resolved.",
                           named(target) + ": " + resolved->error.message(), "resolve");
        endpoints = resolved->endpoints;
    }
    bool expired = false;
    for (const auto& endpoint : endpoints) {
        Socket socket(loop_.executor());
        Deadline limit(loop_.alarms(), [&] {
            expired = true;
            error_code ignored;
            socket.close(ignored);
        });
        limit.move_to(deadline);
        const auto [refused] = co_await socket.async_connect(endpoint, kTuple);
        error = refused;
        if (expired) break;
        if (error) continue;
        limit.move_to(kNever);
        ++connected_;
        ConnectionPtr connection(new UpstreamConnection(loop_, std::move(socket), target));
        if (target.tls) {
            if (auto ready = co_await secure(*connection, deadline); !ready)
                co_return fail(ready.error());
        }
        co_return connection;
    }
    co_return fail(Code::unavailable,
                   expired ? "The upstream did not take the connection in time."
                           : "The upstream refused the connection.",
                   named(target) + ": " + (expired ? "timed out" : error.message()), "connect");
}

Task<Status> Upstreams::secure(UpstreamConnection& connection, MonotonicTime deadline) {
    Tls& tls = tls_of(connection.target);
    if (!tls.broken.empty())
        co_return fail(Code::unavailable, std::string(tls.broken), tls.cause, "tls");
    const bool named = tls.trust && !tls.trust->server_name.empty();
    co_return co_await connection.wire.begin_tls_as_client(
        tls.context, named ? tls.trust->server_name : connection.target.host, deadline);
}

Upstreams::Tls& Upstreams::tls_of(const Target& target) {
    for (const auto& tls : tls_)
        if (tls->trust == target.trust) return *tls;
    // Those of former configurations. A connection under way has its target, and keeps its own.
    std::erase_if(tls_, [](const auto& tls) { return tls->trust && tls->trust.use_count() == 1; });
    return *tls_.emplace_back(std::make_unique<Tls>(target.trust));
}

Upstreams::Pool& Upstreams::pool_of(const Target& target) {
    const auto found = std::ranges::find(pools_, target, &Pool::target);
    return found != pools_.end() ? *found : pools_.emplace_back(Pool{target, {}});
}

void Upstreams::give_back(ConnectionPtr connection) {
    if (!connection || !connection->reusable || !connection->wire.is_open() ||
        !connection->wire.in().empty())
        return;
    auto& idle = pool_of(connection->target).idle;
    if (idle.size() >= limits_.idle_per_target_max) return;
    const std::chrono::nanoseconds idle_max =
        connection->idle_max ? *connection->idle_max - limits_.keep_alive_margin : limits_.idle;
    if (idle_max <= std::chrono::nanoseconds{0}) return;
    connection->wire.slim();
    connection->idle_until = loop_.now() + idle_max;
    idle.push_back(std::move(connection));
    if (sweep_.number == 0)
        sweep_ = loop_.alarms().set(loop_.now() + kSweepEvery, [this] { sweep(); });
}

void Upstreams::sweep() {
    sweep_ = {};
    const MonotonicTime now = loop_.now();
    for (Pool& pool : pools_)
        std::erase_if(pool.idle, [now](const ConnectionPtr& connection) {
            return now >= connection->idle_until;
        });
    std::erase_if(pools_, [](const Pool& pool) { return pool.idle.empty(); });
    if (idle() > 0) sweep_ = loop_.alarms().set(now + kSweepEvery, [this] { sweep(); });
}

std::size_t Upstreams::idle() const {
    std::size_t count = 0;
    for (const Pool& pool : pools_) count += pool.idle.size();
    return count;
}

void Upstreams::close_idle() {
    for (Pool& pool : pools_) pool.idle.clear();
}

}  // namespace pawl::http
