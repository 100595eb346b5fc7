// SPDX-License-Identifier: Apache-2.0
// The flows on the data port of one event loop: who calls, under which key, with which words; then the engine,
// or a reading of the store. What is no call of flows goes to whoever else serves the port.
//
//   head -> flow_call -> flow and event known -> tenant, caller -> key -> (body) -> words -> identity
//        -> result known? -> Committer::send -> answer
//
// Every write is one commit of the store; nothing is held here between two requests, so that each runs on the
// loop of its connection.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/callback/callback.hpp"
#include "engine/committer.hpp"
#include "gateway/keying.hpp"
#include "gateway/observer.hpp"
#include "gateway/reply.hpp"
#include "gateway/who.hpp"
#include "net/http/service.hpp"
#include "store/port/flows.hpp"
#include "store/port/records.hpp"
#include "surface/flow_api/flow_rules.hpp"
#include "surface/flow_api/request_body.hpp"

namespace pawl::flow_api {

// A provider's notification, whole. Errors: not_found for an account that is not configured.
using TakeNotification = std::function<Task<Result<callback::Acknowledgement>>(
    std::string provider, std::string account, callback::Notification notification)>;

// All of one loop; all outlive the service.
struct Parts {
    store::Records& records;
    store::Flows& flows;
    engine::Committer& committer;
    TakeNotification notify;
    record::Owner owner;
};

class FlowService final : public http::Service {
  public:
    FlowService(Loop& loop, Parts parts, std::shared_ptr<const FlowRules> rules,
                gateway::Observer& observer, http::Service& rest);

    http::Plan plan(const http::RequestHead& head, const http::Peer& peer) override;
    http::Serving serve(http::Request request, const http::Peer& peer) override;
    http::Response refuse(int status, std::string_view code, std::string_view detail) override {
        return rest_.refuse(status, code, detail);
    }
    void relayed(const http::RequestHead& head, int status) override {
        rest_.relayed(head, status);
    }

    // Takes over for requests whose head comes after it. On this loop.
    void reload(std::shared_ptr<const FlowRules> rules);
    const FlowRules& rules() const { return *rules_; }

  private:
    // A request with the rules that it began with; shared by what it waits for.
    struct Begun {
        std::shared_ptr<const FlowRules> rules;
        FlowCall call;
        const Operation* operation = nullptr;  // null: a notification, or the description
        http::Request request;
        MonotonicTime started{};
        gateway::Keyed keyed{};
        std::string trace_id{};
        std::string traceparent{};
    };
    struct Said {
        http::Response response;
        gateway::Seen seen = gateway::Seen::first;
        std::string code{};  // of a problem document
    };
    using BegunPtr = std::shared_ptr<Begun>;

    http::Plan plan_call(FlowCall call, const http::RequestHead& head, const http::Peer& peer);
    // Errors: caller_unknown, request_invalid.
    Result<gateway::Who> who_now(const Operation& operation, const http::RequestHead& head,
                                 const http::Peer& peer) const;
    http::Response refused(const Operation& operation, const http::RequestHead& head,
                           const Error& error);
    Task<http::Response> answer(BegunPtr begun);
    Task<Said> say(BegunPtr begun);

    // flow_writes.cpp
    Task<Said> create(BegunPtr begun);
    Task<Said> send_event(BegunPtr begun);
    Task<Said> renew(BegunPtr begun);
    Task<Said> change_stock(BegunPtr begun);
    Task<Said> notify(BegunPtr begun);
    Task<Said> send(BegunPtr begun, engine::Sent sent);
    Status name(Begun& begun, const http::Peer& peer) const;
    Task<std::optional<Said>> known_result(BegunPtr begun);
    static flow::OnRepeat on_repeat_of(const Begun& begun);
    record::Claim claim_of(const Begun& begun) const;
    static std::optional<Digest> fingerprint_under(const Begun& begun, const Digest& rule);
    std::vector<std::string> roles_of(const Begun& begun) const;
    flow::Event event_of(const Begun& begun, Given given) const;

    // From an id as the path has it to the id alone: a code is compared with that of the entity, before anything else
    // is done. nullopt: go on.
    Task<std::optional<Said>> settle_id(BegunPtr begun);

    // flow_reads.cpp
    Task<Said> read(BegunPtr begun);
    Task<Said> list(BegunPtr begun);
    Task<Said> timeline(BegunPtr begun);
    Task<Said> read_stock(BegunPtr begun);
    static Said machine(const Begun& begun);
    static Said describe(const Begun& begun);

    static Said said(const Error& error);
    static Said wrong(const BodyError& error);
    static Said wrong_code(const FlowCall& call);
    static Said said(engine::Outcome outcome, const Begun& begun);
    // Answers name paths below /v1; where those are somebody else's, below /_pawl/v1.
    static void place_links(const Begun& begun, http::Response& response);
    void note(const Begun& begun, const Said& said);

    Loop& loop_;
    Parts parts_;
    std::shared_ptr<const FlowRules> rules_;
    std::uint64_t rules_count_ = 0;  // changes with every reload
    gateway::Observer& observer_;
    http::Service& rest_;
};

}  // namespace pawl::flow_api
