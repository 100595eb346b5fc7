// SPDX-License-Identifier: Apache-2.0
#include "net/http/session.hpp"

#include "net/http/body_file.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/relay.hpp"

namespace pawl::http {
namespace {

using Event = MessageReader::Event;

// The client's own head is taken out of the reader: a relayed request is not looked at again.
RequestHead to_pass_on(Onward& onward, RequestHead& own) {
    if (onward.head) return *std::move(onward.head);
    remove_pawl_headers(own.headers);
    return std::move(own);
}

}  // namespace

Task<void> Session::run(std::shared_ptr<boost::asio::ssl::context> tls) {
    Wire& wire = client_.wire;
    ServerParts& parts = client_.parts();
    if (tls) {
        const auto secured =
            co_await wire.begin_tls_as_server(*tls, parts.loop.now() + parts.limits.head_timeout);
        if (!secured) co_return;
        client_.peer().tls = true;
        client_.peer().certificate_subject = wire.peer_subject();
    }
    for (bool open = true; open;) {
        const auto step = client_.reader.next(wire.in().bytes());
        wire.in().consume(step.taken);
        if (step.event == Event::more) {
            open = co_await hear_more();
            continue;
        }
        head_by_ = kNever;
        if (step.event == Event::broken) {
            const Flaw flaw = client_.reader.flaw();
            client_.begin_broken_request();
            co_await client_.refuse(flaw.status, "request_invalid", flaw.text);
            break;
        }
        client_.begin_request();
        Plan plan = parts.service.plan(client_.reader.request(), client_.peer());
        client_.set_edit(std::move(plan.edit));
        if (auto* later = std::get_if<Task<Plan>>(&plan.step)) {
            Task<Plan> judging = std::move(*later);
            plan = co_await std::move(judging);
        }
        if (auto* response = std::get_if<Response>(&plan.step)) {
            if (!client_.is_immediate(*response)) {
                open = co_await client_.respond(std::move(*response));
            } else {
                open = client_.compose(std::move(*response));
                if (!wire.flush_now() && !co_await wire.flush(kNever)) break;
            }
        } else if (auto* whole = std::get_if<Whole>(&plan.step)) {
            open = co_await take_whole(std::move(*whole));
        } else {
            auto& onward = std::get<Onward>(plan.step);
            RequestHead head = to_pass_on(onward, client_.reader.request());
            open = co_await relay(client_, std::move(head), std::move(onward));
        }
        client_.reader.restart();
    }
    co_await client_.end();
}

Task<bool> Session::hear_more() {
    ServerParts& parts = client_.parts();
    const MonotonicTime now = parts.loop.now();
    idle_ = !client_.reader.begun();
    if (idle_ && parts.draining) co_return false;
    if (idle_) client_.wire.slim();
    if (!idle_ && head_by_ == kNever) head_by_ = now + parts.limits.head_timeout;
    const std::size_t size = co_await client_.wire.receive(
        parts.limits.head_bytes_max, idle_ ? now + parts.limits.idle_timeout : head_by_);
    idle_ = false;
    co_return size > 0;
}

Task<bool> Session::take_whole(Whole whole) {
    const Framing framing = client_.reader.framing();
    const std::shared_ptr<BodyRoom>& room = client_.parts().limits.body_room;
    // More than there is room for at all comes in vain, however often.
    if (room)
        whole.body_bytes_max = std::min<std::uint64_t>(whole.body_bytes_max, room->bytes_max());
    if (framing.body == Framing::Body::length && framing.length > whole.body_bytes_max)
        co_return co_await too_large(whole.body_bytes_max);
    if (!co_await client_.invite_body()) co_return false;
    Wire& wire = client_.wire;
    const MonotonicTime began = client_.parts().loop.now();
    IncomingBody body(whole.body_in_memory_max, client_.parts().limits.body_folder, room);
    while (client_.has_rest()) {
        const std::string_view bytes = wire.in().bytes();
        const auto step = client_.reader.next(bytes);
        if (step.event == Event::piece) {
            if (step.piece_size > whole.body_bytes_max - body.size())
                co_return co_await too_large(whole.body_bytes_max);
            const Status kept = body.add(bytes.substr(step.piece_offset, step.piece_size));
            if (!kept) co_return co_await client_.refuse(503, "unavailable", kept.error().text);
        }
        wire.in().consume(step.taken);
        if (step.event == Event::end) client_.end_request();
        if (step.event == Event::broken) {
            const Flaw flaw = client_.reader.flaw();
            co_return co_await client_.refuse(flaw.status, "request_invalid", flaw.text);
        }
        if (step.event == Event::more &&
            co_await wire.receive(kRelayBufferBytes, body_by(began, body.size())) == 0)
            co_return false;
    }
    Request request = body.request_with(std::move(client_.reader.request()));
    request.admission = std::move(whole.admission);
    Serving serving = client_.parts().service.serve(std::move(request), client_.peer());
    if (serving.is_there()) {
        Response response = serving.take();
        if (!client_.is_immediate(response))
            co_return co_await client_.respond(std::move(response));
        const bool kept = client_.compose(std::move(response));
        co_return (wire.flush_now() || co_await wire.flush(kNever)) && kept;
    }
    // The client may leave meanwhile: nothing here reads from it, so nothing here notices.
    Response response = co_await std::move(serving).wait();
    co_return co_await client_.respond(std::move(response));
}

// A body that stops is cut, and one that comes in drips.
MonotonicTime Session::body_by(MonotonicTime began, std::size_t taken) const {
    const auto& parts = client_.parts();
    const auto timeout = parts.limits.body_timeout;
    const auto earned = std::chrono::milliseconds(taken * 1000 / kBodyBytesPerSecondMin);
    return std::min(parts.loop.now() + timeout, began + timeout + earned);
}

Task<bool> Session::too_large(std::size_t body_bytes_max) {
    co_return co_await client_.refuse(
        413, "body_too_large", fmt::format("The body may have at most {} bytes.", body_bytes_max));
}

}  // namespace pawl::http
