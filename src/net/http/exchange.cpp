// SPDX-License-Identifier: Apache-2.0
#include "net/http/exchange.hpp"

#include "net/http/answer_rest.hpp"
#include "net/http/body_file.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/upstream_connection.hpp"
#include "net/http/writer.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::http {
namespace {

using Event = MessageReader::Event;

constexpr std::size_t kJoinedBodyMax = 16U << 10;  // sent with the head in one write

// The exchange that waits for `done` keeps the connection.
Task<void> send_rest(UpstreamConnection& connection, std::shared_ptr<const std::string> body,
                     std::shared_ptr<const BodyFile> file, MonotonicTime give_up,
                     Promise<bool> done) {
    Wire& wire = connection.wire;
    bool sent = co_await wire.flush(give_up, std::move(body));
    for (std::uint64_t at = 0; sent && file && at < file->size();) {
        Result<std::string> portion = file->read(at, kRelayBufferBytes);
        if (!portion || portion->empty()) {
            wire.close();  // the upstream must not take a part for the whole
            sent = false;
            break;
        }
        at += portion->size();
        wire.out().append(*portion);
        sent = co_await wire.flush(give_up);
    }
    done.set(sent);
}

bool is_event_stream(const Headers& headers) {
    constexpr std::string_view kType = "text/event-stream";
    return equal_ignoring_case(first_of(headers, "content-type").substr(0, kType.size()), kType);
}

Exchanged without_answer(std::string text, std::string cause) {
    return {Exchanged::Kind::no_answer,
            {},
            Error{Code::unknown, std::move(text), std::move(cause), "exchange"}};
}

Exchanged not_sent(Wire::End end) {
    const bool expired = end == Wire::End::expired;
    return {Exchanged::Kind::not_sent,
            {},
            Error{expired ? Code::deadline : Code::unavailable,
                  "The upstream's connection was lost before the request left.", "", "exchange"}};
}

// What the head of an answer already decides; nullopt: read on.
std::optional<Exchanged> refused_by_head(const ResponseHead& head) {
    if (head.status == 101)
        return without_answer("The upstream switched protocols on a protected request.", "101");
    if (head.status >= 200 && is_event_stream(head.headers))
        return without_answer("The upstream answered a protected request with an event stream.",
                              "text/event-stream");
    return std::nullopt;
}

Exchanged unreadable(const UpstreamConnection& connection) {
    switch (connection.wire.end()) {
        case Wire::End::expired:
            return without_answer("The upstream gave no whole answer in time.", "time-out");
        case Wire::End::failed:
            return without_answer("The upstream's connection broke before a whole answer.",
                                  "reset");
        default:
            return without_answer("The upstream gave no readable answer.",
                                  connection.reader.flaw().text);
    }
}

struct Reading {
    bool to_head = false;
    bool takes_rest = false;
    std::size_t body_bytes_max = 0;
    MonotonicTime give_up;
};

// Answered, and not read to the end.
struct Read {
    Exchanged exchanged;
    bool whole = true;
};

Exchanged answered(ResponseHead& head, std::string body) {
    Exchanged exchanged{Exchanged::Kind::answered, {}, {}};
    exchanged.response.status = head.status;
    exchanged.response.headers = std::move(head.headers);
    exchanged.response.body = std::move(body);
    return exchanged;
}

// Reads to the end of the final answer, or beyond the bound. `connection` is the caller's.
Task<Read> read_answer(UpstreamConnection& connection, Reading reading) {
    Wire& wire = connection.wire;
    MessageReader& reader = connection.reader;
    std::string body;
    reader.restart(reading.to_head);
    for (;;) {
        const std::string_view bytes = wire.in().bytes();
        const auto step = reader.next(bytes);
        Event event = step.event;
        if (event == Event::piece) {
            body.append(bytes.substr(step.piece_offset, step.piece_size));
        }
        wire.in().consume(step.taken);
        if (body.size() > reading.body_bytes_max) {
            if (!reading.takes_rest)
                co_return Read{
                    without_answer("The upstream's answer is larger than can be held.", "")};
            co_return Read{answered(reader.response(), std::move(body)), false};
        }
        if (event == Event::head) {
            if (auto refused = refused_by_head(reader.response()))
                co_return Read{*std::move(refused)};
            if (reader.framing().body == Framing::Body::length)
                body.reserve(std::min<std::uint64_t>(reader.framing().length, kRelayBufferBytes));
        }
        if (event == Event::more && co_await wire.receive(kRelayBufferBytes, reading.give_up) == 0)
            event = wire.end() == Wire::End::closed ? reader.finish() : Event::broken;
        if (event == Event::broken) co_return Read{unreadable(connection)};
        if (event != Event::end) continue;
        if (reader.response().status >= 200) break;
        reader.restart(reading.to_head);  // 1xx: the answer proper follows
    }
    co_return Read{answered(reader.response(), std::move(body))};
}

std::optional<std::uint64_t> left_of(const Framing& framing, std::size_t taken) {
    if (framing.body != Framing::Body::length) return std::nullopt;
    return framing.length - taken;
}

}  // namespace

Task<Exchanged> exchange(Upstreams& upstreams, ConnectionPtr connection, OutgoingRequest request,
                         std::size_t body_bytes_max, MonotonicTime give_up) {
    Wire& wire = connection->wire;
    connection->reusable = false;
    wire.count_anew();
    append_request_head(wire.out(), request.head);
    if (request.body && request.body->size() <= kJoinedBodyMax) {
        wire.out().append(*request.body);
        request.body = nullptr;
    }
    std::optional<Promise<bool>>
        sending;  // the rest of the request, sent while the answer may already come
    if (!wire.flush_now() || request.body || request.body_file) {
        if (wire.sending_failed() && wire.nothing_sent()) co_return not_sent(wire.end());
        sending.emplace(upstreams.loop());
        upstreams.group().spawn(send_rest(*connection, std::move(request.body),
                                          std::move(request.body_file), give_up, *sending));
    }
    Read read = co_await read_answer(
        *connection, {request.head.method == "HEAD", request.takes_rest, body_bytes_max, give_up});
    Exchanged result = std::move(read.exchanged);
    if (!read.whole) {
        const auto left = left_of(connection->reader.framing(), result.response.body.size());
        connection->idle_max = keep_alive_timeout(result.response.headers);
        remove_hop_by_hop(result.response.headers);
        result.response.rest = read_on(upstreams, std::move(connection), std::move(sending), left);
        co_return result;
    }
    bool all_sent = true;
    if (sending) {
        if (!sending->is_set()) wire.close();  // answered before it was asked in full
        all_sent = co_await sending->take();
    }
    if (result.kind != Exchanged::Kind::answered) {
        if (wire.nothing_sent()) co_return not_sent(wire.end());
        co_return result;
    }
    if (all_sent && connection->reader.framing().keep_alive) {
        connection->reusable = true;
        connection->idle_max = keep_alive_timeout(result.response.headers);
        upstreams.give_back(std::move(connection));
    }
    remove_hop_by_hop(result.response.headers);
    co_return result;
}

}  // namespace pawl::http
