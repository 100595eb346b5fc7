// SPDX-License-Identifier: Apache-2.0
#include "net/http/upload.hpp"

namespace pawl::http {

using Event = MessageReader::Event;

void Upload::take_waiting(std::string& out) {
    if (!client_.has_rest()) {
        fate_ = Fate::whole;
        return;
    }
    Incoming& in = client_.wire.in();
    const bool chunked = client_.reader.framing().body == Framing::Body::chunked;
    for (;;) {
        const std::string_view bytes = in.bytes();
        const auto step = client_.reader.next(bytes);
        if (step.event == Event::piece) {
            const std::string_view piece = bytes.substr(step.piece_offset, step.piece_size);
            if (watcher_ != nullptr) watcher_->body(piece);
            if (chunked)
                append_chunk(out, piece);
            else
                out.append(piece);
        }
        in.consume(step.taken);
        if (step.event == Event::more) return;
        if (step.event == Event::broken) {
            fate_ = Fate::malformed;
            return;
        }
        if (step.event != Event::end) continue;
        if (chunked) append_last_chunk(out, client_.reader.trailers(), head_only_);
        client_.end_request();
        fate_ = Fate::whole;
        return;
    }
}

void Upload::start(UpstreamConnection& upstream, Upstreams& upstreams) {
    upstream_ = &upstream;
    done_.emplace(upstreams.loop());
    upstreams.group().spawn(run(*done_));
}

Task<void> Upload::run(Promise<bool> done) {
    Wire& up = upstream_->wire;
    for (;;) {
        ServerParts& parts = client_.parts();
        if (!co_await up.flush(parts.loop.now() + parts.limits.write_timeout)) {
            fate_ = stopping_ ? Fate::stopped : Fate::upstream_gone;
            break;
        }
        if (fate_ != Fate::under_way) break;
        if (co_await client_.receive(kRelayBufferBytes) == 0) {
            fate_ = stopping_ ? Fate::stopped : Fate::client_gone;
            break;
        }
        take_waiting(up.out());
        if (fate_ == Fate::malformed) break;
    }
    if (fate_ != Fate::whole && fate_ != Fate::upstream_gone) up.close();
    done.set(true);
}

Task<void> Upload::stop() {
    if (!is_running()) co_return;
    stopping_ = true;
    upstream_->wire.close();
    client_.wire.stop_receiving();
    co_await done_->wait();
}

}  // namespace pawl::http
