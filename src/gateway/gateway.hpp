// SPDX-License-Identifier: Apache-2.0
// The gateway of one event loop: what a server serves. A protected request is taken whole, named, carried to
// the home of its identity, and answered from what the record says; everything else is relayed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/policy/write_counts.hpp"
#include "effect/effect.hpp"
#include "gateway/asker.hpp"
#include "gateway/home.hpp"
#include "gateway/observer.hpp"
#include "gateway/permission.hpp"
#include "gateway/reply.hpp"
#include "gateway/routes.hpp"
#include "gateway/shadow.hpp"
#include "gateway/trace.hpp"
#include "net/http/service.hpp"

namespace pawl::gateway {

// Makes the effect of one request, on the loop of its home.
class EffectSource {
  public:
    virtual ~EffectSource() = default;
    // Shared: the request is read by the effect and, under another fingerprint rule, by the claim.
    virtual std::unique_ptr<effect::Effect> make(const policy::Route& route,
                                                 std::shared_ptr<const http::Request> request,
                                                 http::Peer peer) = 0;
};

// One home and what its loop owns. All seats are known to every gateway, in the same order.
struct Seat {
    Home& home;
    EffectSource& effects;
};

struct GatewaySetup {
    std::string tenant;
    std::vector<Seat> seats;
    const ShadowDesk* shadows = nullptr;  // none: routes in shadow are passed on and that is all
    Asker* asker = nullptr;               // of this loop, for routes that ask or read
};

class Gateway final : public http::Service {
  public:
    Gateway(Loop& loop, GatewaySetup setup, std::shared_ptr<const Routes> routes,
            Observer& observer);

    http::Plan plan(const http::RequestHead& head, const http::Peer& peer) override;
    // A result that this loop's home has at hand is answered at once; everything else takes a task.
    http::Serving serve(http::Request request, const http::Peer& peer) override;
    http::Response refuse(int status, std::string_view code, std::string_view detail) override;
    void relayed(const http::RequestHead& head, int status) override;

    Loop& loop() { return loop_; }
    // Writes that were passed on, as counted since the start. Called on this loop.
    const policy::WriteCounts& unprotected_writes() const { return unprotected_; }

    // Takes over for requests whose head comes after it.
    void reload(std::shared_ptr<const Routes> routes);

  private:
    struct Begun;
    struct Named;
    // plan(), apart from what other origins may see of it.
    http::Plan plan_here(const policy::CompiledRoute* found, const http::RequestHead& head,
                         const http::Peer& peer);
    // plan(), from where it is known whether the request is permitted.
    Task<http::Plan> ask_and_plan(Begun begun, http::RequestHead head, http::Peer peer);
    http::Plan plan_judged(Begun begun, const http::RequestHead& head, const http::Peer& peer,
                           const Permit& permit);
    http::Plan plan_permitted(Begun begun, const http::RequestHead& head, const http::Peer& peer);
    http::Plan refused(const Begun& begun, const http::RequestHead& head, Reply reply);
    // serve(), for a request that is permitted.
    http::Serving take(Named&& named, const http::Peer& peer);
    Task<http::Response> permit_and_take(Named named, http::Peer peer);
    static Question question_again(const Named& named, const http::Peer& peer);
    http::Response not_permitted(const Named& named, const Permit& permit);
    // Errors: those of key_of.
    Status name(Named& named, const http::Peer& peer) const;
    // As far as the head says it. Errors: caller_unknown, request_invalid.
    Result<Who> who_now(const policy::Route& route, const http::RequestHead& head,
                        const http::Peer& peer, bool and_caller) const;
    Task<http::Response> carry(Named asked_for, http::Peer peer);
    // nullopt: this repeat is answered from the record.
    Task<std::optional<Reply>> read_present(std::shared_ptr<const Named> named,
                                            std::shared_ptr<const Ended> ended, http::Peer peer);
    Operation operation_of(const std::shared_ptr<const Named>& named, const Trace& trace) const;
    static Asked asked_of(const Named& named);
    http::Plan pass_on(const Begun& begun, const http::RequestHead& head,
                       const http::Peer& peer) const;
    http::Response no_route(const http::RequestHead& head);
    // Counts and tells what came out.
    http::Response answered(const Named& named, Reply reply, record::Fence fence);

    Loop& loop_;
    GatewaySetup setup_;
    std::shared_ptr<const Routes> routes_;
    std::uint64_t rules_ = 0;  // changes with every reload
    Observer& observer_;
    policy::WriteCounts unprotected_;
    Permissions permissions_;
};

// The seat that is home to an identity.
std::size_t seat_of(const Digest& identity, std::size_t seats);

}  // namespace pawl::gateway
