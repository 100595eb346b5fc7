// SPDX-License-Identifier: Apache-2.0
#include "net/http/relay.hpp"

#include "net/http/forwarding.hpp"
#include "net/http/list.hpp"
#include "net/http/tunnel.hpp"
#include "net/http/upload.hpp"
#include "net/http/upstream_connection.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::http {
namespace {

using Event = MessageReader::Event;

constexpr std::string_view kWebSocket = "websocket";

bool lists(const Headers& headers, std::string_view name, std::string_view wanted) {
    bool found = false;
    for (const std::string_view value : values_of(headers, name))
        for_each_member(
            value, [&](std::string_view member) { found |= equal_ignoring_case(member, wanted); });
    return found;
}

// No other protocol is switched to: in one that carries requests, as h2c does, a client could ask for what the
// routes here protect.
bool wants_websocket(const RequestHead& head, const Framing& framing) {
    return head.method == "GET" && head.minor_version > 0 && framing.body == Framing::Body::none &&
           lists(head.headers, "connection", "upgrade") &&
           lists(head.headers, "upgrade", kWebSocket);
}

void add_upgrade(Headers& headers) {
    headers.emplace_back("Connection", "Upgrade");
    headers.emplace_back("Upgrade", kWebSocket);
}

// The head as it goes up. The body is framed as the client framed it.
RequestHead upstream_form(RequestHead head, const Framing& framing, const Target& target,
                          const std::string& host, const Peer& peer) {
    bool says_length = false;
    remove_hop_by_hop(head.headers);
    std::erase_if(head.headers, [&says_length](const auto& line) {
        const bool is_length = equal_ignoring_case(line.first, "content-length");
        says_length |= is_length && !line.second.empty();
        return is_length || equal_ignoring_case(line.first, "expect");
    });
    if (first_of(head.headers, "host").empty()) {
        remove_all(head.headers, "host");
        head.headers.emplace(head.headers.begin(), "Host", authority_of(target));
    }
    add_forwarded(head.headers, peer);
    if (!host.empty()) set_host(head.headers, host);
    if (framing.body == Framing::Body::chunked)
        head.headers.emplace_back("Transfer-Encoding", "chunked");
    else if (says_length)
        head.headers.emplace_back("Content-Length", std::to_string(framing.length));
    return head;
}

// How the body reaches the client.
enum class Down : std::uint8_t { none, as_is, chunked, until_close };

Down down_for(const Framing& answer, int minor_version) {
    if (answer.body == Framing::Body::none) return Down::none;
    if (answer.body == Framing::Body::length) return Down::as_is;
    return minor_version == 0 ? Down::until_close : Down::chunked;
}

class Relay {
  public:
    Relay(ClientConnection& client, RequestHead head, Onward onward)
        : client_(client),
          parts_(client.parts()),
          target_(std::move(onward.target)),
          head_(std::move(head)),
          host_(std::move(onward.host)),
          watcher_(std::move(onward.watcher)),
          upload_(client_, watcher_.get(), std::move(onward.head_only)) {}

    Task<bool> run();

  private:
    // The upstream has switched, and the client hears of it.
    Task<bool> switch_protocols();

    enum class Reading : std::uint8_t { under_way, whole, cut };

    // False: there is no connection that took any of it.
    Task<bool> send_request();
    Task<bool> read_head();
    Task<bool> answer_instead();
    Task<bool> refuse(int status, Code code, std::string detail);
    void tell_watcher(int status, const Headers& answer);
    void compose_head();
    void take_pieces();
    Task<bool> pass_body();

    ClientConnection& client_;
    ServerParts& parts_;
    const Target target_;
    RequestHead head_;
    const std::string host_;
    std::unique_ptr<RelayWatcher> watcher_;
    ConnectionPtr upstream_;
    Upload upload_;
    Error no_connection_;
    AnswerForm form_;
    Down down_ = Down::none;
    Reading reading_ = Reading::under_way;
    bool upgrading_ = false;
};

Task<bool> Relay::run() {
    upgrading_ = wants_websocket(head_, client_.reader.framing());
    head_ =
        upstream_form(std::move(head_), client_.reader.framing(), target_, host_, client_.peer());
    if (upgrading_) add_upgrade(head_.headers);
    if (!co_await send_request() || !co_await read_head()) {
        co_await upload_.stop();
        co_return co_await answer_instead();
    }
    if (upstream_->reader.response().status == 101) co_return co_await switch_protocols();
    compose_head();
    const bool passed = co_await pass_body();
    const bool all_up = !upload_.is_running();
    co_await upload_.stop();
    const ResponseHead& answer = upstream_->reader.response();
    parts_.service.relayed(head_, answer.status);
    tell_watcher(reading_ == Reading::cut ? 0 : answer.status, answer.headers);
    if (!passed) {
        // A reset, so that even an answer framed by the connection's end is seen to be cut.
        client_.wire.abort();
        co_return false;
    }
    if (all_up && upload_.fate() == Upload::Fate::whole && upstream_->reader.framing().keep_alive) {
        upstream_->reusable = true;
        parts_.upstreams.give_back(std::move(upstream_));
    }
    co_return form_.keep_alive && (!client_.has_rest() || co_await client_.skip_rest());
}

Task<bool> Relay::send_request() {
    std::string first;
    append_request_head(first, head_);
    for (bool taken = false;;) {
        auto connection = co_await parts_.upstreams.acquire(target_, kNever);
        if (!connection) {
            no_connection_ = std::move(connection.error());
            co_return false;
        }
        upstream_ = *std::move(connection);
        upstream_->reusable = false;
        Wire& wire = upstream_->wire;
        wire.count_anew();
        wire.out() = std::move(first);
        if (!std::exchange(taken, true)) {
            if (!co_await client_.invite_body()) co_return false;
            upload_.take_waiting(wire.out());
            if (upload_.fate() == Upload::Fate::malformed) co_return false;
        }
        const bool sent = wire.flush_now();
        const bool lost = wire.sending_failed() && wire.nothing_sent();
        if (lost && !upstream_->reused) co_return false;
        if (lost) {
            first = std::move(wire.out());
            continue;
        }
        if (!sent || client_.has_rest()) upload_.start(*upstream_, parts_.upstreams);
        co_return true;
    }
}

// To the head of the final answer.
Task<bool> Relay::read_head() {
    Wire& wire = upstream_->wire;
    MessageReader& reader = upstream_->reader;
    reader.restart(client_.form().to_head);
    for (;;) {
        const auto step = reader.next(wire.in().bytes());
        wire.in().consume(step.taken);
        if (step.event == Event::broken) co_return false;
        if (step.event == Event::head && reader.response().status == 101)
            co_return upgrading_&& lists(reader.response().headers, "upgrade", kWebSocket);
        if (step.event == Event::head && reader.response().status >= 200) co_return true;
        if (step.event == Event::end) reader.restart(client_.form().to_head);  // 1xx
        if (step.event == Event::more &&
            co_await wire.receive(kRelayBufferBytes,
                                  parts_.loop.now() + parts_.limits.relay_timeout) == 0)
            co_return false;
    }
}

Task<bool> Relay::switch_protocols() {
    ResponseHead& head = upstream_->reader.response();
    remove_hop_by_hop(head.headers);
    add_upgrade(head.headers);
    std::string& out = client_.wire.out();
    append_status_line(out, head.status, head.reason);
    for (const auto& [name, value] : head.headers) append_line(out, name, value);
    out.append("\r\n");
    parts_.service.relayed(head_, head.status);
    tell_watcher(head.status, head.headers);
    Tunnel tunnel(client_, *upstream_, parts_.upstreams);
    co_await tunnel.run();
    co_return false;
}

Task<bool> Relay::answer_instead() {
    if (upload_.fate() == Upload::Fate::client_gone || !client_.wire.is_open()) co_return false;
    if (upload_.fate() == Upload::Fate::malformed) {
        const Flaw flaw = client_.reader.flaw();
        co_return co_await refuse(flaw.status, Code::request_invalid, flaw.text);
    }
    if (!upstream_) co_return co_await refuse(503, Code::unavailable, no_connection_.text);
    if (upstream_->wire.nothing_sent())
        co_return co_await refuse(503, Code::unavailable,
                                  "The upstream's connection was lost before the request left.");
    if (upstream_->wire.end() == Wire::End::expired)
        co_return co_await refuse(504, Code::unknown, "The upstream gave no answer in time.");
    co_return co_await refuse(502, Code::unknown, "The upstream gave no readable answer.");
}

Task<bool> Relay::refuse(int status, Code code, std::string detail) {
    parts_.service.relayed(head_, status);
    tell_watcher(0, {});
    co_return co_await client_.refuse(status, std::string(name_of(code)), std::move(detail));
}

void Relay::tell_watcher(int status, const Headers& answer) {
    if (watcher_) watcher_->ended(upload_.fate() == Upload::Fate::whole, status, answer);
}

void Relay::compose_head() {
    ResponseHead& head = upstream_->reader.response();
    const Framing& framing = upstream_->reader.framing();
    upstream_->idle_max = keep_alive_timeout(head.headers);
    form_ = client_.form();
    down_ = down_for(framing, form_.minor_version);
    // An answer that overtakes its request: the next request can be read when the rest of this one is short.
    const bool in_step = !client_.has_rest() || client_.rest_is_skippable();
    if (down_ == Down::until_close || parts_.draining || !in_step) form_.keep_alive = false;
    remove_hop_by_hop(head.headers);
    if (has_no_body(head.status) && head.status != 304) remove_all(head.headers, "content-length");
    amend(client_.edit(), head.headers);
    std::string& out = client_.wire.out();
    append_status_line(out, head.status, head.reason);
    for (const auto& [name, value] : head.headers) append_line(out, name, value);
    if (first_of(head.headers, "date").empty()) out.append(parts_.date_line());
    if (down_ == Down::chunked) append_line(out, "Transfer-Encoding", "chunked");
    append_connection(out, form_);
    out.append("\r\n");
}

// Moves what has come of the answer to the client's output.
void Relay::take_pieces() {
    Incoming& in = upstream_->wire.in();
    MessageReader& reader = upstream_->reader;
    std::string& out = client_.wire.out();
    for (;;) {
        const std::string_view bytes = in.bytes();
        const auto step = reader.next(bytes);
        if (step.event == Event::piece) {
            const std::string_view piece = bytes.substr(step.piece_offset, step.piece_size);
            if (down_ == Down::chunked)
                append_chunk(out, piece);
            else
                out.append(piece);
        }
        in.consume(step.taken);
        if (step.event == Event::broken) reading_ = Reading::cut;
        if (step.event == Event::end) reading_ = Reading::whole;
        if (step.event != Event::piece) return;
    }
}

Task<bool> Relay::pass_body() {
    Wire& up = upstream_->wire;
    Wire& down = client_.wire;
    for (;;) {
        if (reading_ == Reading::under_way) take_pieces();
        if (reading_ == Reading::whole && down_ == Down::chunked)
            append_last_chunk(down.out(), upstream_->reader.trailers());
        if (!down.flush_now() && !co_await down.flush(kNever)) co_return false;
        if (reading_ != Reading::under_way) co_return reading_ == Reading::whole;
        if (co_await up.receive(kRelayBufferBytes,
                                parts_.loop.now() + parts_.limits.relay_timeout) > 0)
            continue;
        const bool whole =
            up.end() == Wire::End::closed && upstream_->reader.finish() == Event::end;
        reading_ = whole ? Reading::whole : Reading::cut;
    }
}

}  // namespace

Task<bool> relay(ClientConnection& client, RequestHead head, Onward onward) {
    Relay relayed(client, std::move(head), std::move(onward));
    co_return co_await relayed.run();
}

}  // namespace pawl::http
