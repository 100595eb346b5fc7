// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_flows.hpp"

namespace pawl::store {

Task<Result<FlowReply>> SimulatedFlows::commit(FlowCommit commit) {
    using Slot = ReplySlot<Result<FlowReply>>;
    const auto slot = std::make_shared<Slot>(loop_);
    server_.carry<FlowReply>(
        [&shelf = shelf_, sent = std::move(commit)] {
            return std::move(shelf.commit_flows({&sent, 1}).front());
        },
        slot);
    co_return co_await Slot::take(slot);
}

Task<Result<Loaded>> SimulatedFlows::load(FlowSubject subject) {
    co_return co_await server_.ask<Loaded>(loop_, [this, subject] { return shelf_.load(subject); });
}

Task<Result<std::vector<flow::Entity>>> SimulatedFlows::page(PageQuery query) {
    co_return co_await server_.ask<std::vector<flow::Entity>>(
        loop_, [this, query] { return shelf_.page(query); });
}

Task<Result<std::vector<FlowStep>>> SimulatedFlows::history(FlowSubject subject,
                                                            std::uint64_t after,
                                                            std::size_t limit) {
    co_return co_await server_.ask<std::vector<FlowStep>>(
        loop_, [this, subject, after, limit] { return shelf_.history(subject, after, limit); });
}

Task<Result<StatesSlice>> SimulatedFlows::states(std::string from, std::size_t limit) {
    co_return co_await server_.ask<StatesSlice>(
        loop_, [this, from, limit] { return shelf_.states(from, limit); });
}

Task<Result<std::optional<stock::Level>>> SimulatedFlows::level(std::string tenant,
                                                                stock::Sku sku) {
    co_return co_await server_.ask<std::optional<stock::Level>>(
        loop_, [this, tenant, sku] { return shelf_.level(tenant, sku); });
}

Task<Result<std::vector<WaitingEntry>>> SimulatedFlows::waiting(std::uint64_t after,
                                                                std::size_t limit) {
    co_return co_await server_.ask<std::vector<WaitingEntry>>(
        loop_, [this, after, limit] { return shelf_.waiting(after, limit); });
}

Task<Result<std::vector<AttentionEntry>>> SimulatedFlows::attention(std::uint64_t after,
                                                                    std::size_t limit) {
    co_return co_await server_.ask<std::vector<AttentionEntry>>(
        loop_, [this, after, limit] { return shelf_.attention(after, limit); });
}

Task<Result<std::vector<AttentionEntry>>> SimulatedFlows::entries(EntriesQuery query) {
    co_return co_await server_.ask<std::vector<AttentionEntry>>(
        loop_, [this, query] { return shelf_.entries(query); });
}

Task<Result<DueRows>> SimulatedFlows::due(std::int64_t until_ms, std::size_t limit) {
    co_return co_await server_.ask<DueRows>(
        loop_, [this, until_ms, limit] { return shelf_.due(until_ms, limit); });
}

Task<Result<std::int64_t>> SimulatedFlows::next_due_ms() {
    co_return co_await server_.ask<std::int64_t>(loop_, [this] { return shelf_.next_due_ms(); });
}

Task<Result<SagaRows>> SimulatedFlows::due_sagas(std::int64_t until_ms, std::size_t limit) {
    co_return co_await server_.ask<SagaRows>(
        loop_, [this, until_ms, limit] { return shelf_.due_sagas(until_ms, limit); });
}

Task<Result<std::vector<SagaRow>>> SimulatedFlows::sagas(std::optional<SagaState> state,
                                                         std::uint64_t after, std::size_t limit) {
    co_return co_await server_.ask<std::vector<SagaRow>>(
        loop_, [this, state, after, limit] { return shelf_.sagas(state, after, limit); });
}

Task<Result<std::vector<SagaRow>>> SimulatedFlows::look_at_sagas(SagasQuery query) {
    co_return co_await server_.ask<std::vector<SagaRow>>(
        loop_, [this, query] { return shelf_.look_at_sagas(query); });
}

Task<Result<std::vector<ParkedRow>>> SimulatedFlows::parked(std::string sink, std::size_t limit) {
    co_return co_await server_.ask<std::vector<ParkedRow>>(
        loop_, [this, sink, limit] { return shelf_.parked(sink, limit); });
}

Task<Result<OutboxFigures>> SimulatedFlows::outbox_figures(std::string sink) {
    co_return co_await server_.ask<OutboxFigures>(
        loop_, [this, sink] { return shelf_.outbox_figures(sink); });
}

Task<Result<std::vector<std::string>>> SimulatedFlows::sinks() {
    co_return co_await server_.ask<std::vector<std::string>>(loop_,
                                                             [this] { return shelf_.sinks(); });
}

Task<ErrandReply> SimulatedFlows::send(Errand errand) {
    using Slot = ReplySlot<ErrandReply>;
    const auto slot = std::make_shared<Slot>(loop_);
    server_.carry<std::int64_t>(
        [&shelf = shelf_, sent = std::move(errand)] {
            return std::move(shelf.commit_errands({&sent, 1}).front());
        },
        slot);
    co_return co_await Slot::take(slot);
}

Task<Result<OutboxLook>> SimulatedFlows::look(std::string sink, std::size_t limit) {
    co_return co_await server_.ask<OutboxLook>(
        loop_, [this, sink, limit] { return shelf_.unsent(sink, limit); });
}

}  // namespace pawl::store
