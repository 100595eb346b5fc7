// SPDX-License-Identifier: Apache-2.0
// For the tests of the shop's auditors: one order of which whatever is needed is told, and the invariants that were
// found broken, in their order: "L1 R4 ".
#pragma once

#include <gtest/gtest.h>

#include "sim/shop/shop_auditor.hpp"
#include "sim/shop/shop_scenario.hpp"

namespace pawl::sim {

using flow::Course;

class ShopAuditTest : public testing::Test {
  protected:
    ShopAuditTest() {
        Purchase& purchase = book.add_purchase("order", "ann", "12.50");
        purchase.id = "1";
        Wish wish;
        wish.purchase = purchase.number;
        wish.sent.subject = {"shop", "order", "1", purchase.key};
        wish.sent.event = {.name = "reserve", .caller = "ann"};
        wish.sent.claim = claim_of("ann", "order.reserve", "k1", "body");
        book.add_wish(wish);
    }
    static flow::Entity order(std::string state, std::uint64_t version) {
        flow::Entity entity;
        entity.id = "1";
        entity.tenant = "shop";
        entity.flow = "order";
        entity.state = std::move(state);
        entity.version = version;
        entity.business_key = "B1";
        return entity;
    }
    static flow::History row(std::uint64_t version, std::string event, std::string from,
                             std::string to, Course course = Course::applied) {
        flow::History row;
        row.version = version;
        row.course = course;
        row.event = std::move(event);
        row.from = std::move(from);
        row.to = std::move(to);
        row.caller = "ann";
        return row;
    }
    static flow::History paid(std::uint64_t version, std::string from, std::string transaction,
                              Course course = Course::applied) {
        flow::History one =
            row(version, "pay", from, course == Course::applied ? "paid" : from, course);
        one.values = {{"transaction_id", std::move(transaction)}};
        return one;
    }
    // A history of rows, of an entity as the last one left it.
    Story story(std::vector<flow::History> rows) {
        Story told;
        told.entity = order(rows.back().to, rows.size());
        for (flow::History& one : rows) told.steps.push_back({std::move(one), {}, {}, {}});
        return told;
    }
    static flow::History made() { return row(1, "create", "", "created", Course::created); }
    void end(Story told) { end(std::vector<Story>{std::move(told)}); }
    void end(std::vector<Story> told) {
        ending.stories = std::move(told);
        audit.ended(ending);
    }
    void commit(const flow::History& history, const flow::Entity& before, const flow::Entity& after,
                std::int64_t now_ms = 0) {
        flow::Bundle bundle;
        bundle.course = history.course;
        bundle.history = history;
        reply.now_ms = now_ms;
        decide(std::move(bundle), before.version == 0 ? std::nullopt : std::optional(before),
               after);
    }
    void decide(decltype(store::FlowCommit::decision) decision, std::optional<flow::Entity> before,
                std::optional<flow::Entity> after) {
        const store::FlowCommit sent{.subject = {"shop", "order", "1", {}},
                                     .decision = std::move(decision),
                                     .request = request};
        audit.committed({sent, reply, before, after, levels});
    }
    engine::Outcome outcome(engine::Told told, std::string body = "done") {
        engine::Outcome made{
            .told = told, .id = "1", .version = 2, .from = "created", .to = "paying"};
        made.answer = record::Answer{.status = 200, .body = std::move(body)};
        return made;
    }
    std::string found() const {
        std::string all;
        for (const Finding& finding : audit.findings()) all += finding.invariant + " ";
        return all;
    }

    ShopBook book;
    ShopAudit audit{book, shop_flows()};
    ShopEnding ending;
    store::FlowReply reply;
    std::optional<flow::Request> request;
    std::map<stock::Sku, stock::Level> levels;
    stock::Sku sku{stock::Kind::goods, "A"};
};

}  // namespace pawl::sim
