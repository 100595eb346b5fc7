// SPDX-License-Identifier: Apache-2.0
// The body of a relayed request on its way up, in a task of its own, because the answer may come before the
// body is through. It reads the client and writes the upstream; its owner meanwhile does the reverse, and
// waits for it before it leaves.
#pragma once

#include <string>
#include <vector>

#include "net/http/client_connection.hpp"
#include "net/http/upstream_connection.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::http {

class Upload {
  public:
    enum class Fate : std::uint8_t {
        under_way,
        whole,          // the upstream's connection has taken all of it
        client_gone,    // the upstream was cut, so that it does not take a part for the whole
        malformed,      // likewise
        upstream_gone,  // it takes no more; it may have answered
        stopped,
    };

    // `watcher` outlives it; nullptr: nobody looks on. No trailer may have a name of `head_only`.
    Upload(ClientConnection& client, RelayWatcher* watcher, std::vector<std::string> head_only)
        : client_(client), watcher_(watcher), head_only_(std::move(head_only)) {}

    // Moves what has come of the body to `out`, framed as the client framed it.
    void take_waiting(std::string& out);
    // The rest, after what `upstream` has to send already.
    void start(UpstreamConnection& upstream, Upstreams& upstreams);
    bool is_running() const { return done_ && !done_->is_set(); }
    // Ends the task, wherever it is; the client's connection stays open, the upstream's does not.
    Task<void> stop();
    Fate fate() const { return fate_; }

  private:
    Task<void> run(Promise<bool> done);

    ClientConnection& client_;
    RelayWatcher* watcher_;
    const std::vector<std::string> head_only_;
    UpstreamConnection* upstream_ = nullptr;
    std::optional<Promise<bool>> done_;
    Fate fate_ = Fate::under_way;
    bool stopping_ = false;
};

}  // namespace pawl::http
