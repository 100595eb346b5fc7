// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/sqlite_flows.hpp"

#include "store/sqlite/asking.hpp"

namespace pawl::sqlite {

SqliteFlows::SqliteFlows(Writer& writer, Loop& loop)
    : writer_(writer), loop_(loop), inbox_(std::make_shared<LoopInbox>(loop.executor())) {}

SqliteFlows::~SqliteFlows() { inbox_->close(); }

template <class T, class Look>
Task<Result<T>> SqliteFlows::read(Look look) {
    return ask<T>(loop_, inbox_, &writer_.reader(), std::move(look));
}

Task<Result<store::FlowReply>> SqliteFlows::commit(store::FlowCommit commit) {
    using Slot = store::ReplySlot<Result<store::FlowReply>>;
    const auto slot = std::make_shared<Slot>(loop_);
    if (!writer_.submit(std::move(commit), {inbox_, slot})) co_return queue_full();
    co_return co_await Slot::take(slot);
}

Task<Result<store::Loaded>> SqliteFlows::load(store::FlowSubject subject) {
    return read<store::Loaded>(
        [subject = std::move(subject)](LookUps& there) { return there.flow(subject); });
}

Task<Result<std::vector<flow::Entity>>> SqliteFlows::page(store::PageQuery query) {
    return read<std::vector<flow::Entity>>([query = std::move(query)](LookUps& there) {
        return there.told(there.flows().page(query));
    });
}

Task<Result<std::vector<store::FlowStep>>> SqliteFlows::history(store::FlowSubject subject,
                                                                std::uint64_t after,
                                                                std::size_t limit) {
    return read<std::vector<store::FlowStep>>(
        [subject = std::move(subject), after, limit](LookUps& there) {
            return there.told(there.flows().history(subject, after, limit));
        });
}

Task<Result<store::StatesSlice>> SqliteFlows::states(std::string from, std::size_t limit) {
    return read<store::StatesSlice>([from = std::move(from), limit](LookUps& there) {
        return there.told(there.flows().states(from, limit));
    });
}

Task<Result<std::optional<stock::Level>>> SqliteFlows::level(std::string tenant, stock::Sku sku) {
    return read<std::optional<stock::Level>>(
        [tenant = std::move(tenant), sku = std::move(sku)](LookUps& there) {
            return there.told(there.flows().level(tenant, sku));
        });
}

Task<Result<std::vector<store::WaitingEntry>>> SqliteFlows::waiting(std::uint64_t after,
                                                                    std::size_t limit) {
    return read<std::vector<store::WaitingEntry>>(
        [after, limit](LookUps& there) { return there.told(there.flows().waiting(after, limit)); });
}

Task<Result<std::vector<store::AttentionEntry>>> SqliteFlows::attention(std::uint64_t after,
                                                                        std::size_t limit) {
    return read<std::vector<store::AttentionEntry>>([after, limit](LookUps& there) {
        return there.told(there.flows().attention(after, limit));
    });
}

Task<Result<std::vector<store::AttentionEntry>>> SqliteFlows::entries(store::EntriesQuery query) {
    return read<std::vector<store::AttentionEntry>>([query = std::move(query)](LookUps& there) {
        return there.told(there.flows().entries(query));
    });
}

Task<Result<store::DueRows>> SqliteFlows::due(std::int64_t until_ms, std::size_t limit) {
    return read<store::DueRows>(
        [until_ms, limit](LookUps& there) { return there.due(until_ms, limit); });
}

Task<Result<std::int64_t>> SqliteFlows::next_due_ms() {
    return read<std::int64_t>(
        [](LookUps& there) { return there.told(there.flows().next_due_ms()); });
}

Task<Result<store::SagaRows>> SqliteFlows::due_sagas(std::int64_t until_ms, std::size_t limit) {
    return read<store::SagaRows>(
        [until_ms, limit](LookUps& there) { return there.due_sagas(until_ms, limit); });
}

Task<Result<std::vector<store::SagaRow>>> SqliteFlows::sagas(std::optional<store::SagaState> state,
                                                             std::uint64_t after,
                                                             std::size_t limit) {
    return read<std::vector<store::SagaRow>>([state, after, limit](LookUps& there) {
        return there.told(there.flows().sagas(state, after, limit));
    });
}

Task<Result<std::vector<store::SagaRow>>> SqliteFlows::look_at_sagas(store::SagasQuery query) {
    return read<std::vector<store::SagaRow>>([query = std::move(query)](LookUps& there) {
        return there.told(there.flows().look_at_sagas(query));
    });
}

Task<Result<std::vector<store::ParkedRow>>> SqliteFlows::parked(std::string sink,
                                                                std::size_t limit) {
    return read<std::vector<store::ParkedRow>>(
        [sink = std::move(sink), limit](LookUps& there) { return there.parked(sink, limit); });
}

Task<Result<store::OutboxFigures>> SqliteFlows::outbox_figures(std::string sink) {
    return read<store::OutboxFigures>(
        [sink = std::move(sink)](LookUps& there) { return there.outbox_figures(sink); });
}

Task<Result<std::vector<std::string>>> SqliteFlows::sinks() {
    return read<std::vector<std::string>>([](LookUps& there) { return there.sinks(); });
}

Task<store::ErrandReply> SqliteFlows::send(store::Errand errand) {
    using Slot = store::ReplySlot<store::ErrandReply>;
    const auto slot = std::make_shared<Slot>(loop_);
    if (!writer_.submit(std::move(errand), {inbox_, slot})) co_return queue_full();
    co_return co_await Slot::take(slot);
}

Task<Result<store::OutboxLook>> SqliteFlows::look(std::string sink, std::size_t limit) {
    return read<store::OutboxLook>(
        [sink = std::move(sink), limit](LookUps& there) { return there.unsent(sink, limit); });
}

}  // namespace pawl::sqlite
