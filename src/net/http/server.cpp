// SPDX-License-Identifier: Apache-2.0
#include "net/http/server.hpp"

#include <list>

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ssl/context.hpp>

#include "net/http/certificates.hpp"
#include "net/http/session.hpp"
#include "net/http/tunnel.hpp"
#include "runtime/file/named_file.hpp"
#include "runtime/task/group.hpp"

namespace pawl::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;
using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;
using TlsContext = std::shared_ptr<asio::ssl::context>;  // shared by the acceptor and its sessions

constexpr auto kTuple = asio::as_tuple(asio::deferred);
constexpr auto kAcceptPause = 100ms;  // out of descriptors: nothing helps but waiting
constexpr std::size_t kIdleCutAtOnce = 64;

// Empty: no file is named.
Result<std::string> pem_of(const std::string& path, std::string_view setting) {
    return path.empty() ? std::string() : read_named_file(path, setting, kPemBytesMax);
}

Result<TlsContext> context_of(const TlsFiles& files) {
    const auto chain = pem_of(files.certificate_chain_file, "tls.certificate");
    if (!chain) return fail(chain.error());
    const auto key = pem_of(files.private_key_file, "tls.key");
    if (!key) return fail(key.error());
    const auto client_ca = pem_of(files.client_ca_file, "tls.client_ca");
    if (!client_ca) return fail(client_ca.error());
    auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
    error_code error;
    context->set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, error);
    if (!error) show_certificate(*context, *chain, error);
    if (!error) show_key(*context, *key, error);
    if (!error && !client_ca->empty()) {
        trust_authorities(*context, *client_ca, error);
        if (!error)
            context->set_verify_mode(
                asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert, error);
    }
    // Without a name for its sessions, a server that asks for certificates cannot resume any.
    static constexpr std::string_view kSessions = "pawl";
    SSL_CTX_set_session_id_context(context->native_handle(),
                                   reinterpret_cast<const unsigned char*>(kSessions.data()),
                                   static_cast<unsigned>(kSessions.size()));
    if (error)
        return fail(Code::config_invalid, "The certificate files cannot be used.", error.message(),
                    "tls");
    return context;
}

// An IPv4 peer of an IPv6 socket is an IPv4 peer.
std::string text_of(const asio::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
    return address.to_string();
}

}  // namespace

Status check_files(const TlsFiles& files) {
    const auto context = context_of(files);
    return context ? Status{} : fail(context.error());
}

// Its coroutines keep it, and may end after the server.
struct Server::State {
    State(Loop& loop, Service& service, Upstreams& upstreams, ServerLimits limits)
        : parts(std::make_shared<ServerParts>(loop, service, upstreams, limits)), group(loop) {}

    static Task<void> serve(std::shared_ptr<State> state, Socket socket, TlsContext tls);
    static Task<void> accept(std::shared_ptr<State> state, Acceptor& acceptor, TlsContext tls);
    Result<std::uint16_t> listen(std::shared_ptr<State> state, const std::string& address,
                                 std::uint16_t port, TlsContext tls);
    // Makes room by cutting connections that nobody waits on.
    void cut_idle();

    std::shared_ptr<ServerParts> parts;
    std::list<Acceptor> acceptors;  // closed, never removed: their coroutines refer to them
    std::list<Session*> sessions;
    std::uint64_t refused_by_system = 0;
    TaskGroup group;
};

void Server::State::cut_idle() {
    std::size_t cut = 0;
    for (Session* session : sessions) {
        if (!session->is_idle()) continue;
        session->close();
        if (++cut == kIdleCutAtOnce) return;
    }
}

Task<void> Server::State::serve(std::shared_ptr<State> state, Socket socket, TlsContext tls) {
    error_code gone;
    const auto remote = socket.remote_endpoint(gone);
    if (gone) co_return;
    Session session(state->parts, std::move(socket), Peer{text_of(remote.address()), false, {}});
    const auto place = state->sessions.insert(state->sessions.end(), &session);
    co_await session.run(std::move(tls));
    state->sessions.erase(place);
}

Task<void> Server::State::accept(std::shared_ptr<State> state, Acceptor& acceptor, TlsContext tls) {
    Loop& loop = state->parts->loop;
    while (acceptor.is_open()) {
        auto [error, socket] = co_await acceptor.async_accept(loop.executor(), kTuple);
        if (!acceptor.is_open()) co_return;
        if (error == asio::error::connection_aborted) continue;
        if (error) {
            ++state->refused_by_system;
            state->cut_idle();
            co_await loop.sleep_for(kAcceptPause);
            continue;
        }
        while (state->sessions.size() >= state->parts->limits.connections_max &&
               acceptor.is_open()) {
            state->cut_idle();
            co_await loop.sleep_for(kAcceptPause);
        }
        state->group.spawn(serve(state, std::move(socket), tls));
    }
}

Server::Server(Loop& loop, Service& service, Upstreams& upstreams, ServerLimits limits)
    : state_(std::make_shared<State>(loop, service, upstreams, limits)) {}

Server::~Server() {
    stop_accepting();
    close();
}

Result<std::uint16_t> Server::listen(const std::string& address, std::uint16_t port) {
    return state_->listen(state_, address, port, nullptr);
}

Result<std::uint16_t> Server::listen(const std::string& address, std::uint16_t port,
                                     const TlsFiles& tls) {
    auto context = context_of(tls);
    if (!context) return fail(std::move(context.error()));
    return state_->listen(state_, address, port, *std::move(context));
}

Result<std::uint16_t> Server::State::listen(std::shared_ptr<State> state,
                                            const std::string& address, std::uint16_t port,
                                            TlsContext tls) {
    error_code error;
    const auto literal = asio::ip::make_address(address, error);
    if (error)
        return fail(Code::config_invalid, "\"" + address + "\" is no IP address.", error.message(),
                    "listen");
    const tcp::endpoint endpoint(literal, port);
    Acceptor acceptor(parts->loop.executor());
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
    if (!error) acceptor.set_option(ReusePort(true), error);
    if (!error) acceptor.bind(endpoint, error);
    // Otherwise Asio waits for the next one to come, also where others are waiting already.
    if (!error) acceptor.set_option(Acceptor::enable_connection_aborted(true), error);
    if (!error) acceptor.listen(Acceptor::max_listen_connections, error);
    if (error)
        return fail(Code::unavailable,
                    fmt::format("{} port {} cannot be listened on.", address, port),
                    error.message(), "listen");
    const std::uint16_t bound = acceptor.local_endpoint().port();
    acceptors.push_back(std::move(acceptor));
    group.spawn(accept(std::move(state), acceptors.back(), std::move(tls)));
    return bound;
}

void Server::stop_accepting() {
    state_->parts->draining = true;
    for (Acceptor& acceptor : state_->acceptors) {
        error_code ignored;
        acceptor.close(ignored);
    }
    for (Session* session : state_->sessions)
        if (session->is_idle()) session->close();
    // None of them would end by itself before the deadline.
    for (Tunnel* tunnel : state_->parts->tunnels) tunnel->leave();
}

Task<bool> Server::drain(MonotonicTime deadline) {
    const std::shared_ptr<State> state = state_;
    co_return co_await state->group.drain(deadline);
}

void Server::close() {
    for (Session* session : state_->sessions) session->close();
}

std::size_t Server::connections() const { return state_->sessions.size(); }

std::uint64_t Server::refused_by_system() const { return state_->refused_by_system; }

}  // namespace pawl::http
