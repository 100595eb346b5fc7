// SPDX-License-Identifier: Apache-2.0
// What is told when the unique values of an event took effect before: to the same request under another key the first
// result, as the record of that one keeps it; to one that says something else, a refusal. What was said first stands
// in the row of history that it made.
#include "core/flow/repeat.hpp"
#include "engine/deciding.hpp"
#include "engine/present.hpp"

namespace pawl::engine {

Task<Deciding::Decided> Deciding::repeat(flow::Repeat repeat) {
    if (!sight().is_request()) co_return co_await commit(draft(sight(), repeat, {}));
    Result<std::optional<store::FlowStep>> step = co_await step_of(repeat);
    // What a caller reports of the world is a fact, and never refused.
    if (!is_fact()) {
        if (!step) co_return Decided(fail(after_error(step.error())));
        const auto unlike = co_await unlike_first(repeat, *step);
        if (!unlike) co_return Decided(fail(after_error(unlike.error())));
        if (*unlike) co_return co_await commit(draft(sight(), **unlike));
    }
    record::Answer first =
        co_await answer_of_repeat(repeat, step ? *std::move(step) : std::nullopt);
    co_return co_await commit(draft(sight(), repeat, std::move(first)));
}

// nullopt: a person made it, or it went with its entity.
Task<Result<std::optional<store::FlowStep>>> Deciding::step_of(flow::Repeat repeat) {
    if (repeat.version == 0) co_return std::nullopt;
    auto steps = co_await setting_.flows.history(
        {sent_.subject.tenant, sent_.subject.flow, repeat.id, {}}, repeat.version - 1, 1);
    if (!steps) co_return fail(steps.error());
    if (steps->empty()) co_return std::nullopt;
    co_return std::move(steps->front());
}

Task<Result<std::optional<flow::Refusal>>> Deciding::unlike_first(
    flow::Repeat repeat, std::optional<store::FlowStep> step) {
    std::optional<flow::First> first;
    if (step) first = flow::First{std::move(step->history), std::move(step->moves)};
    if (first && sent_.creates) {
        Result<store::Loaded> made =
            co_await setting_.flows.load({sent_.subject.tenant, sent_.subject.flow, repeat.id, {}});
        if (!made) co_return fail(made.error());
        if (!made->entity) first.reset();
        if (first) first->business_key = std::move(made->entity->business_key);
        if (first) first->items = std::move(made->entity->items);
    }
    const flow::Entity* entity = !sent_.creates && entity_ ? &*entity_ : nullptr;
    const flow::Again again{*machine_, sent_.event, entity, sent_.subject.business_key};
    co_return flow::refuse_unlike(again, repeat, first ? &*first : nullptr);
}

Task<std::optional<flow::Entity>> Deciding::entity_of(std::string id) {
    if (entity_ && entity_->id == id) co_return entity_;
    Result<store::Loaded> loaded =
        co_await setting_.flows.load({sent_.subject.tenant, sent_.subject.flow, std::move(id), {}});
    if (!loaded) co_return std::nullopt;
    co_return std::move(loaded->entity);
}

Task<record::Answer> Deciding::answer_of_repeat(flow::Repeat repeat,
                                                std::optional<store::FlowStep> step) {
    if (on_repeat() == flow::OnRepeat::replay)
        if (auto first = co_await first_result(std::move(step))) co_return *std::move(first);
    const std::optional<flow::Entity> entity = co_await entity_of(repeat.id);
    if (entity && on_repeat() != flow::OnRepeat::refuse)
        co_return answer_of_event(*entity, machine_);
    flow::Refusal refusal{.reason = flow::Reason::duplicate_request,
                          .text = "it took effect before"};
    refusal.winner = flow::Holder{repeat.id, repeat.version, {}, 0};
    co_return answer_of(refusal, sight().subject());
}

// As the record of the request keeps it that made this version.
Task<std::optional<record::Answer>> Deciding::first_result(std::optional<store::FlowStep> step) {
    if (setting_.records == nullptr || !step || !step->request) co_return std::nullopt;
    Result<std::optional<store::Stored>> stored = co_await setting_.records->read(*step->request);
    if (!stored || !*stored) co_return std::nullopt;
    co_return std::move((*stored)->answer);
}

}  // namespace pawl::engine
