// SPDX-License-Identifier: Apache-2.0
#include "net/http/client_connection.hpp"

#include "runtime/task/byte_source.hpp"

namespace pawl::http {
namespace {

using Event = MessageReader::Event;

constexpr std::size_t kJoinedBodyMax = 16U << 10;  // sent with the head in one write

bool ends_with_connection(const Response& response, const AnswerForm& form) {
    return response.rest && !response.rest->size() && form.minor_version == 0;
}

}  // namespace

ClientConnection::ClientConnection(std::shared_ptr<ServerParts> parts, Socket socket, Peer peer)
    : wire(parts->loop, std::move(socket), parts->limits.write_timeout),
      reader(MessageReader::Side::request, parts->limits.head_bytes_max),
      parts_(std::move(parts)),
      peer_(std::move(peer)) {}

void ClientConnection::begin_request() {
    const RequestHead& head = reader.request();
    form_.to_head = head.method == "HEAD";
    form_.minor_version = head.minor_version;
    form_.keep_alive = reader.framing().keep_alive;
    rest_ = reader.framing().body != Framing::Body::none;
    edit_ = {};
}

void ClientConnection::begin_broken_request() {
    form_ = {};
    form_.keep_alive = false;
    rest_ = true;
    edit_ = {};
}

bool ClientConnection::rest_is_skippable() const {
    const Framing& framing = reader.framing();
    return framing.body == Framing::Body::length && framing.length <= kDrainedBodyMax &&
           !framing.expects_continue;
}

bool ClientConnection::may_keep(const Response& response) const {
    return form_.keep_alive && !response.close && !parts_->draining &&
           !ends_with_connection(response, form_) && (!rest_ || rest_is_skippable());
}

bool ClientConnection::is_immediate(const Response& response) const {
    return !rest_ && !response.rest && response.body.size() <= kJoinedBodyMax;
}

bool ClientConnection::compose(Response response) {
    amend(edit_, response.headers);
    AnswerForm form = form_;
    form.keep_alive = may_keep(response);
    if (append_answer_head(wire.out(), response, form, parts_->date_line()))
        wire.out().append(response.body);
    return form.keep_alive;
}

Task<bool> ClientConnection::respond(Response response) {
    amend(edit_, response.headers);
    AnswerForm form = form_;
    form.keep_alive = may_keep(response);
    std::shared_ptr<const std::string> tail;
    if (append_answer_head(wire.out(), response, form, parts_->date_line())) {
        if (response.rest) co_return co_await pass_on(std::move(response), form);
        if (response.body.size() <= kJoinedBodyMax)
            wire.out().append(response.body);
        else
            tail = std::make_shared<const std::string>(std::move(response.body));
    }
    if ((tail || !wire.flush_now()) && !co_await wire.flush(kNever, std::move(tail)))
        co_return false;
    co_return form.keep_alive && (!rest_ || co_await skip_rest());
}

Task<bool> ClientConnection::pass_on(Response response, AnswerForm form) {
    ByteSource& rest = *response.rest;
    const bool chunked = !rest.size() && form.minor_version > 0;
    std::string portion = std::move(response.body);
    for (bool more = true; more;) {
        if (chunked && !portion.empty())
            append_chunk(wire.out(), portion);
        else
            wire.out().append(portion);
        if (!wire.flush_now() && !co_await wire.flush(kNever)) co_return false;
        Result<std::string> next = co_await rest.next(parts_->loop);
        if (!next) {
            // A reset, so that even an answer framed by the connection's end is seen to be cut.
            wire.abort();
            co_return false;
        }
        portion = *std::move(next);
        more = !portion.empty();
    }
    if (chunked) append_last_chunk(wire.out(), {});
    if (!wire.flush_now() && !co_await wire.flush(kNever)) co_return false;
    co_return form.keep_alive && (!rest_ || co_await skip_rest());
}

Task<bool> ClientConnection::refuse(int status, std::string code, std::string detail) {
    co_return co_await respond(parts_->service.refuse(status, code, detail));
}

Task<bool> ClientConnection::invite_body() {
    if (!rest_ || !reader.framing().expects_continue || !wire.in().empty()) co_return true;
    wire.out().append("HTTP/1.1 100 Continue\r\n\r\n");
    co_return wire.flush_now() || co_await wire.flush(kNever);
}

Task<bool> ClientConnection::skip_rest() {
    for (;;) {
        const auto step = reader.next(wire.in().bytes());
        wire.in().consume(step.taken);
        if (step.event == Event::broken) co_return false;
        if (step.event == Event::end) break;
        if (step.event == Event::more && co_await receive(kRelayBufferBytes) == 0) co_return false;
    }
    rest_ = false;
    co_return true;
}

Task<void> ClientConnection::end() {
    const MonotonicTime until = parts_->loop.now() + kLingerTimeout;
    if (rest_ || !wire.in().empty()) {
        if (!wire.is_tls()) wire.end_sending();
        for (std::size_t taken = 0, size = 1; size > 0 && taken < kLingerBytesMax; taken += size) {
            wire.in().consume(wire.in().bytes().size());
            size = co_await wire.receive(kRelayBufferBytes, until);
        }
    }
    co_await wire.end_tls(until);
    wire.close();
}

Task<std::size_t> ClientConnection::receive(std::size_t waiting_max) {
    co_return co_await wire.receive(waiting_max, parts_->loop.now() + parts_->limits.body_timeout);
}

}  // namespace pawl::http
