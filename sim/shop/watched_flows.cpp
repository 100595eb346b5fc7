// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/watched_flows.hpp"

#include <algorithm>

#include "runtime/result/assert.hpp"

namespace pawl::sim {
namespace {

constexpr std::size_t kAll = 1'000'000;

std::string_view name_of(const store::FlowCommit& commit) {
    constexpr std::array<std::string_view, 7> kNames{"bundle",  "refusal",  "arbitration", "later",
                                                     "renewal", "answered", "stock"};
    return kNames[commit.decision.index()];
}

std::string event_in(const store::FlowCommit& commit) {
    const auto* told = std::get_if<flow::Arbitration>(&commit.decision);
    return told != nullptr && told->event ? told->event->name : std::string();
}

}  // namespace

std::vector<Result<store::FlowReply>> WatchedFlows::commit_flows(
    std::span<const store::FlowCommit> commits) {
    std::vector<Result<store::FlowReply>> replies;
    for (const store::FlowCommit& commit : commits) replies.push_back(commit_one(commit));
    return replies;
}

Result<store::FlowReply> WatchedFlows::commit_one(const store::FlowCommit& commit) {
    auto reply = std::move(shelf_->commit_flows({&commit, 1}).front());
    if (reply) tell(commit, *reply);
    if (on_commit) on_commit(name_of(commit));
    return reply;
}

std::vector<store::ErrandReply> WatchedFlows::commit_errands(
    std::span<const store::Errand> errands) {
    std::vector<store::ErrandReply> replies;
    for (const store::Errand& errand : errands) replies.push_back(carry_out(errand));
    return replies;
}

std::vector<Story> WatchedFlows::over() {
    std::vector<Story> all;
    for (const auto& [key, seen] : seen_)
        if (seen && seen->ended_ms != 0) {
            auto steps = shelf_->history({seen->tenant, seen->flow, seen->id, {}}, 0, kAll);
            all.push_back({*seen, std::move(*steps)});
        }
    return all;
}

store::ErrandReply WatchedFlows::carry_out(const store::Errand& errand) {
    const bool retires = std::holds_alternative<store::Retire>(errand);
    const std::vector<Story> before = retires ? over() : std::vector<Story>();
    auto reply = std::move(shelf_->commit_errands({&errand, 1}).front());
    if (!retires || !reply || *reply == 0) return reply;
    const auto sagas = shelf_->sagas(std::nullopt, 0, kAll).value();
    for (const Story& story : before) {
        const flow::Entity& entity = story.entity;
        if (shelf_->load({entity.tenant, entity.flow, entity.id, {}})->entity) continue;
        trace_.tell("retired", 0, entity.version, "{} {} {}", entity.flow, entity.id,
                    entity.business_key);
        rarities_.count(ShopRare::retired);
        audit_.retired({story, sagas, store_now()});
        seen_.erase({entity.flow, entity.id});
        retired_.push_back(story);
    }
    return reply;
}

void WatchedFlows::tell(const store::FlowCommit& commit, const store::FlowReply& reply) {
    const auto* bundle = std::get_if<flow::Bundle>(&commit.decision);
    store::FlowSubject subject = commit.subject;
    if (bundle != nullptr)
        subject = {bundle->created.tenant, bundle->created.flow, bundle->created.id, {}};
    if (!reply.id.empty()) subject.id = reply.id;
    std::optional<flow::Entity>& before = seen_[{subject.flow, subject.id}];
    std::optional<flow::Entity> after = before;
    if (!subject.id.empty()) {
        auto loaded = shelf_->load(subject);
        PAWL_ASSERT(loaded.has_value());
        after = std::move(loaded->entity);
    }
    std::map<stock::Sku, stock::Level> levels;
    const auto look = [&](const stock::Sku& sku) {
        levels[sku] = shelf_->level(std::string(kShopTenant), sku)->value_or(stock::Level{});
    };
    if (bundle != nullptr)
        for (const flow::StockMove& move : bundle->moves) look(move.sku);
    if (const auto* change = std::get_if<store::StockChange>(&commit.decision)) look(change->sku);
    trace_.tell("commit", static_cast<std::uint64_t>(reply.outcome), reply.version,
                "{} {} {} {}: {}{}{}, {} version {}", name_of(commit), subject.flow, subject.id,
                bundle != nullptr ? bundle->history.event : event_in(commit),
                store::name_of(reply.outcome), reply.lost ? " " : "",
                reply.lost ? flow::name_of(reply.lost->why) : std::string_view(),
                after ? after->state : std::string("-"), reply.version);
    count(commit, reply, before);
    audit_.committed({commit, reply, before, after, levels});
    before = std::move(after);
}

void WatchedFlows::count(const store::FlowCommit& commit, const store::FlowReply& reply,
                         const std::optional<flow::Entity>& before) {
    using enum ShopRare;
    if (reply.outcome == store::FlowOutcome::applied_before) rarities_.count(found_its_own);
    if (reply.outcome == store::FlowOutcome::settled_before) rarities_.count(settled_before);
    if (reply.lost && reply.lost->why == flow::Lost::Why::version) rarities_.count(version_lost);
    if (reply.lost && reply.lost->why == flow::Lost::Why::settled)
        rarities_.count(settled_without_a_name);
    if (reply.lost && reply.lost->why == flow::Lost::Why::not_due)
        rarities_.count(not_due_any_more);
    const auto* bundle = std::get_if<flow::Bundle>(&commit.decision);
    if (bundle != nullptr && reply.lost && reply.lost->why == flow::Lost::Why::version &&
        bundle->history.sender == flow::Sender::timer && before && before->state == "paid")
        rarities_.count(fired_while_paid);
    if (reply.outcome != store::FlowOutcome::applied) return;
    if (std::holds_alternative<flow::Renewal>(commit.decision)) rarities_.count(renewed);
    if (std::holds_alternative<flow::Later>(commit.decision)) rarities_.count(asked_again_later);
    if (bundle != nullptr) {
        if (commit.settles) rarities_.count(woken);
        count_bundle(*bundle, before);
    }
    const auto* arbitration = std::get_if<flow::Arbitration>(&commit.decision);
    if (arbitration != nullptr && arbitration->kind == flow::Arbitration::Kind::parked &&
        std::ranges::any_of(retired_, [&](const Story& story) {
            return story.entity.business_key == commit.subject.business_key;
        }))
        rarities_.count(paid_after_it_was_retired);
    if (arbitration == nullptr || arbitration->kind != flow::Arbitration::Kind::attention) return;
    if (arbitration->put_off) rarities_.count(deadline_put_off);
    if (arbitration->reason.ends_with("gave up")) rarities_.count(gave_up_asking);
    if (arbitration->reason.starts_with("amount_mismatch")) rarities_.count(amount_differs);
    if (commit.settles && !before) rarities_.count(attention_after_horizon);
}

void WatchedFlows::count_bundle(const flow::Bundle& bundle,
                                const std::optional<flow::Entity>& before) {
    using enum ShopRare;
    const flow::History& row = bundle.history;
    if (row.event == "expire" && row.sender == flow::Sender::timer) rarities_.count(expired);
    if (row.event == "expire" && before && before->state == "reserved")
        rarities_.count(expired_from_reserved);
    if (is_payment(row.event) && row.sender == flow::Sender::probe)
        rarities_.count(bundle.told ? found_paid_instead : expiry_found_paid);
    if (row.event == "escalate") rarities_.count(escalated);
    if (row.event == "close") rarities_.count(closed_unsigned);
    if (row.event == "refund") rarities_.count(refunded_by_support);
    if (row.course == flow::Course::branched)
        rarities_.count(row.type.ends_with("slot_taken") ? slot_gone : short_of_stock);
    if (row.course != flow::Course::compensated) return;
    rarities_.count(row.type == "duplicate_payment" ? second_payment : late_payment);
    if (++late_payments_[bundle.created.id] == 2) rarities_.count(two_late_payments);
}

bool WatchedFlows::is_at_rest(std::string_view sink) {
    const auto outgoing = shelf_->outbox_figures(std::string(sink));
    const auto sagas = shelf_->due_sagas(timer::kNever, 1);
    return shelf_->next_due_ms().value_or(0) == timer::kNever && sagas && sagas->rows.empty() &&
           outgoing && outgoing->unsent == 0;
}

ShopEnding WatchedFlows::everything(const std::set<std::string>& flows,
                                    const std::vector<stock::Sku>& skus) {
    const std::string tenant(kShopTenant);
    ShopEnding ending;
    for (const std::string& flow : flows) {
        auto entities = shelf_->page({.tenant = tenant, .flow = flow, .limit = kAll});
        for (flow::Entity& entity : *entities) {
            auto steps = shelf_->history({tenant, flow, entity.id, {}}, 0, kAll);
            ending.stories.push_back({std::move(entity), std::move(*steps)});
        }
    }
    ending.stories.insert(ending.stories.end(), retired_.begin(), retired_.end());
    for (const stock::Sku& sku : skus)
        ending.levels[sku] = shelf_->level(tenant, sku)->value_or(stock::Level{});
    ending.waiting = shelf_->waiting(0, kAll).value();
    ending.attention = shelf_->attention(0, kAll).value();
    ending.sagas = shelf_->sagas(std::nullopt, 0, kAll).value();
    ending.next_due_ms = shelf_->next_due_ms().value();
    return ending;
}

}  // namespace pawl::sim
