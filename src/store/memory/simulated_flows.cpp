// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_flows.hpp"

namespace pawl::store {

Task<void> SimulatedFlows::travel() {
    if (const auto delay = server_.delay(); delay.count() > 0) co_await loop_.sleep_for(delay);
}

template <class T, class Look>
Task<Result<T>> SimulatedFlows::ask(Look look) {
    co_await travel();
    if (!server_.reachable())
        co_return fail(Code::unavailable, "The store is not available.", "simulated", "store");
    Result<T> answer = look();
    co_await travel();
    co_return answer;
}

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
    co_return co_await ask<Loaded>([this, subject] { return shelf_.load(subject); });
}

Task<Result<std::vector<flow::Entity>>> SimulatedFlows::page(PageQuery query) {
    co_return co_await ask<std::vector<flow::Entity>>([this, query] { return shelf_.page(query); });
}

Task<Result<std::vector<FlowStep>>> SimulatedFlows::history(FlowSubject subject,
                                                            std::uint64_t after,
                                                            std::size_t limit) {
    co_return co_await ask<std::vector<FlowStep>>(
        [this, subject, after, limit] { return shelf_.history(subject, after, limit); });
}

Task<Result<std::optional<stock::Level>>> SimulatedFlows::level(std::string tenant,
                                                                stock::Sku sku) {
    co_return co_await ask<std::optional<stock::Level>>(
        [this, tenant, sku] { return shelf_.level(tenant, sku); });
}

Task<Result<std::vector<WaitingEntry>>> SimulatedFlows::waiting(std::uint64_t after,
                                                                std::size_t limit) {
    co_return co_await ask<std::vector<WaitingEntry>>(
        [this, after, limit] { return shelf_.waiting(after, limit); });
}

Task<Result<std::vector<AttentionEntry>>> SimulatedFlows::attention(std::uint64_t after,
                                                                    std::size_t limit) {
    co_return co_await ask<std::vector<AttentionEntry>>(
        [this, after, limit] { return shelf_.attention(after, limit); });
}

Task<Result<DueRows>> SimulatedFlows::due(std::int64_t until_ms, std::size_t limit) {
    co_return co_await ask<DueRows>(
        [this, until_ms, limit] { return shelf_.due(until_ms, limit); });
}

Task<Result<std::int64_t>> SimulatedFlows::next_due_ms() {
    co_return co_await ask<std::int64_t>([this] { return shelf_.next_due_ms(); });
}

}  // namespace pawl::store
