// SPDX-License-Identifier: Apache-2.0
// The admin port: health, metrics, look-ups, and a person's word about operations. It lives on one loop,
// reads through the store's readers and never keeps the writer waiting.
//
//   GET  /healthz /readyz /metrics
//   GET  /admin/v1/explain?q= | key= | ref= | trace_id= | business_id=  &caller=
//   GET  /admin/v1/uncertain?limit=&route=&older_ms=&open=true
//   GET  /admin/v1/totals
//   GET  /admin/v1/shadow?route=
//   GET  /admin/v1/unprotected
//   GET  /admin/v1/flows?flow=&tenant=&after=&limit=
//   GET  /admin/v1/flows/waiting?flow=&tenant=&after=&limit=
//   GET  /admin/v1/flows/timeline?flow=&tenant=&id= | business_key=
//   GET  /admin/v1/flows/find?q=&tenant=
//   GET  /admin/v1/attention?after=&limit=&closed=true
//   GET  /admin/v1/outbox?sink=&limit=  /admin/v1/sagas?state=&after=&limit=
//   POST /admin/v1/resolve  /admin/v1/forget  /admin/v1/attention/close
//   POST /admin/v1/outbox/redrive  /admin/v1/outbox/drop  /admin/v1/sagas/move
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/callback_accounts.hpp"
#include "engine/desk.hpp"
#include "engine/fact_figures.hpp"
#include "engine/machines.hpp"
#include "gateway/gateway.hpp"
#include "gateway/shadow_book.hpp"
#include "net/http/service.hpp"
#include "store/port/flows.hpp"
#include "surface/api/by_hand.hpp"
#include "surface/api/errands.hpp"
#include "surface/api/hit_rate.hpp"
#include "surface/api/metrics_text.hpp"
#include "surface/api/query.hpp"
#include "surface/api/readiness.hpp"

namespace pawl::api {

struct AdminSetup {
    std::string token;                // empty: none is needed, the port is on loopback
    bool takes_word_at_once = false;  // --dev
    std::chrono::milliseconds note_patience{1'000};  // as of Desk
    std::string version;
    std::vector<gateway::Home*> homes;  // in the order of their seats
    std::vector<const gateway::HomeFigures*> figures;
    std::vector<gateway::Gateway*> gateways;
    const gateway::CallbackFigures* callbacks = nullptr;
    const gateway::ShadowBook* shadows = nullptr;  // of this loop
    store::Flows* flows = nullptr;                 // of this loop
    // As of this loop; nullptr before there are any.
    std::function<const engine::SweepFigures*()> deadlines;
    std::function<const engine::ParkingFigures*()> parking;
    const engine::FactFigures* facts = nullptr;
    std::vector<const engine::Desk*> desks;  // of all loops
    ErrandDesk* errands = nullptr;           // none: no flows are served
    StoreFigures store;
};

// What is served of flows; a reload makes another.
struct ServedFlows {
    std::shared_ptr<const engine::Machines> machines = std::make_shared<engine::Machines>();
    std::shared_ptr<const engine::CallbackAccounts> accounts =
        std::make_shared<engine::CallbackAccounts>();
    // By the name of the operation.
    std::vector<std::pair<std::string, std::shared_ptr<const gateway::RouteFigures>>> figures{};
};

class AdminService final : public http::Service {
  public:
    // `records` is this loop's. Everything given outlives the service; `group` is drained before it goes.
    AdminService(Loop& loop, TaskGroup& group, store::Records& records, AdminSetup setup,
                 std::shared_ptr<const gateway::Routes> routes);

    http::Plan plan(const http::RequestHead& head, const http::Peer& peer) override;
    http::Serving serve(http::Request request, const http::Peer& peer) override;
    http::Response refuse(int status, std::string_view code, std::string_view detail) override;
    void relayed(const http::RequestHead&, int) override {}

    void reload(std::shared_ptr<const gateway::Routes> routes) {
        desk_.routes = routes;
        routes_ = std::move(routes);
    }
    void reload(ServedFlows flows) { served_ = std::move(flows); }
    // Lines that readiness shows, whatever it says itself.
    void show(std::vector<std::string> notes) { notes_ = std::move(notes); }
    // The same of the store's upkeep; empty: it works.
    void show_upkeep(std::string fault) { upkeep_fault_ = std::move(fault); }
    // From now on not ready.
    void leave() { leaving_ = true; }
    // Feeds the hit rate; called by the owner's timer.
    void sample() { hit_rate_.sample(*routes_, loop_.now()); }

  private:
    Task<http::Response> get(Query query);
    Task<http::Response> post(Query query, std::string body, std::string from);
    Task<http::Response> look_at_errands(Query query);
    Task<http::Response> speak_of_errands(Query query, std::string body, std::string from);
    Task<http::Response> ready();
    Task<http::Response> metrics();
    Task<engine::DeskFigures> decided();
    Task<http::Response> totals();
    Task<http::Response> explain(Query query);
    Task<http::Response> uncertain(Query query);
    http::Response shadow(const Query& query) const;
    Task<http::Response> unprotected();
    Task<http::Response> flows(Query query);
    Task<http::Response> attention(Query query);
    Task<http::Response> close_attention(std::string body);
    std::string no_such_route(const std::string& route) const;

    Loop& loop_;
    store::Records& records_;
    AdminSetup setup_;
    ServedFlows served_;
    std::shared_ptr<const gateway::Routes>
        routes_;  // shared with the gateways, replaced by a reload
    ReadinessParts readiness_;
    Desk desk_;
    HitRate hit_rate_;
    WallTime started_;
    std::vector<std::string> notes_;
    std::string upkeep_fault_;
    bool leaving_ = false;
};

}  // namespace pawl::api
