// SPDX-License-Identifier: Apache-2.0
#include "net/http/tunnel.hpp"

namespace pawl::http {

Tunnel::Tunnel(ClientConnection& client, UpstreamConnection& upstream, Upstreams& upstreams)
    : client_(client),
      upstream_(upstream),
      upstreams_(upstreams),
      silence_(client.parts().loop.alarms(), [this] {
          client_.wire.close(Wire::End::expired);
          upstream_.wire.close(Wire::End::expired);
      }) {
    client_.parts().tunnels.push_back(this);
}

Tunnel::~Tunnel() { std::erase(client_.parts().tunnels, this); }

Task<void> Tunnel::run() {
    ServerParts& parts = client_.parts();
    silence_.move_to(parts.loop.now() + parts.limits.tunnel_idle);
    if (parts.draining) leave();
    Promise<bool> up(parts.loop);
    upstreams_.group().spawn(carry_up(up));
    co_await carry(upstream_.wire, client_.wire);
    co_await up.wait();
    silence_.move_to(kNever);
    const MonotonicTime until = parts.loop.now() + kLingerTimeout;
    co_await client_.wire.end_tls(until);
    co_await upstream_.wire.end_tls(until);
    client_.wire.close();
    upstream_.wire.close();
}

Task<void> Tunnel::carry_up(Promise<bool> done) {
    co_await carry(client_.wire, upstream_.wire);
    done.set(true);
}

Task<void> Tunnel::carry(Wire& from, Wire& to) {
    ServerParts& parts = client_.parts();
    for (;;) {
        to.out().append(from.in().bytes());
        from.in().consume(from.in().bytes().size());
        if (!to.out().empty() && !to.flush_now() &&
            !co_await to.flush(parts.loop.now() + parts.limits.write_timeout))
            break;
        if (leaving_ || co_await from.receive(kRelayBufferBytes, kNever) == 0) break;
        if (!one_ended_) silence_.move_to(parts.loop.now() + parts.limits.tunnel_idle);
    }
    // The other direction has a moment for what is on its way. TLS has no half that ends.
    if (from.end() != Wire::End::closed && !leaving_)
        to.close();
    else if (to.is_tls())
        to.stop_receiving();
    else
        to.end_sending();
    end_soon();
}

void Tunnel::end_soon() {
    if (std::exchange(one_ended_, true)) return;
    silence_.move_to(client_.parts().loop.now() + kLingerTimeout);
}

void Tunnel::leave() {
    if (std::exchange(leaving_, true)) return;
    client_.wire.stop_receiving();
    upstream_.wire.stop_receiving();
}

}  // namespace pawl::http
