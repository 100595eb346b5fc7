// SPDX-License-Identifier: Apache-2.0
// A client's connection and the one request on it that is being answered. Knows what an answer does to the
// connection: kept, or closed so that the answer still gets through although the request was not read out.
#pragma once

#include "net/http/reader.hpp"
#include "net/http/server.hpp"
#include "net/http/wire.hpp"
#include "net/http/writer.hpp"

namespace pawl::http {

class Tunnel;  // tunnel.hpp

// What the sessions of one server share.
struct ServerParts {
    ServerParts(Loop& loop_, Service& service_, Upstreams& upstreams_, ServerLimits limits_)
        : loop(loop_), service(service_), upstreams(upstreams_), limits(limits_) {}
    Loop& loop;
    Service& service;
    Upstreams& upstreams;
    const ServerLimits limits;
    DateLine date;
    std::vector<Tunnel*> tunnels;  // each takes itself out
    bool draining = false;

    const std::string& date_line() { return date.at(loop.clock().wall()); }
};

class ClientConnection {
  public:
    ClientConnection(std::shared_ptr<ServerParts> parts, Socket socket, Peer peer);

    // After the head was read.
    void begin_request();
    // After a head that cannot be read: where a next request begins is not known.
    void begin_broken_request();
    // After the last byte of the request's body was taken.
    void end_request() { rest_ = false; }
    bool has_rest() const { return rest_; }
    const AnswerForm& form() const { return form_; }

    // Writes the answer and skips the rest of a short request. False: the session is over.
    Task<bool> respond(Response response);
    Task<bool> refuse(int status, std::string code, std::string detail);
    // For an answer that needs no waiting: puts it into wire.out(), to be flushed. As above.
    bool is_immediate(const Response& response) const;
    bool compose(Response response);
    // Of whatever this request is answered with.
    void set_edit(AnswerEdit edit) { edit_ = std::move(edit); }
    const AnswerEdit& edit() const { return edit_; }
    // "100 Continue", unless the body is on its way already.
    Task<bool> invite_body();
    // What is still to come of the request is short: the next request may follow it.
    bool rest_is_skippable() const;
    // Reads it and drops it. False: the session is over.
    Task<bool> skip_rest();
    // The end of a session: takes what the client still sends, for a short time, so that a refusal is not
    // lost in a reset, and closes.
    Task<void> end();

    Task<std::size_t> receive(std::size_t waiting_max);

    ServerParts& parts() { return *parts_; }
    const ServerParts& parts() const { return *parts_; }

    Wire wire;
    MessageReader reader;
    const Peer& peer() const { return peer_; }
    Peer& peer() { return peer_; }

  private:
    bool may_keep(const Response& response) const;
    Task<bool> pass_on(Response response, AnswerForm form);

    std::shared_ptr<ServerParts>
        parts_;  // shared by the server and its sessions, which may outlive it
    Peer peer_;
    AnswerForm form_;
    AnswerEdit edit_;
    bool rest_ = false;  // bytes of the request's body are still to come
};

}  // namespace pawl::http
