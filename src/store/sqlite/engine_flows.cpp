// SPDX-License-Identifier: Apache-2.0
// Flows and errands on the writer's connection: carried out in the transaction of their batch, and read where
// there is one thread only.
#include <sqlite3.h>

#include "store/sqlite/engine.hpp"

namespace pawl::sqlite {

// Its rows are judged before any is written, but one that cannot be written leaves a half: the transaction is
// undone, and the others are carried out again without it.
Engine::Attempt Engine::apply_flows(Transaction& transaction,
                                    std::span<const store::FlowCommit> flows, Results& results,
                                    Results& replies) {
    for (std::size_t i = 0; i < flows.size(); ++i) {
        if (results.flows[i]) continue;
        FlowsInTransaction rows(flow_tables_, tables_, transaction);
        auto reply = store::carry_out(rows, flows[i], transaction.now_ms(),
                                      record::Fence{tables_.last_fence + 1});
        if (!rows.failed()) {
            replies.flows[i] = std::move(reply);
            continue;
        }
        std::optional<std::unexpected<Error>> told;
        const Attempt attempt = set_aside(transaction, rows.result(), results, told);
        if (told) results.flows[i] = *std::move(told);
        return attempt;
    }
    return Attempt::carried_out;
}

Engine::Attempt Engine::apply_errands(Transaction& transaction,
                                      std::span<const store::Errand> errands, Results& results,
                                      Results& replies) {
    for (std::size_t i = 0; i < errands.size(); ++i) {
        if (results.errands[i]) continue;
        FlowsInTransaction flows(flow_tables_, tables_, transaction);
        ErrandsInFile rows(errand_tables_, flow_tables_.looks, &transaction, &flows,
                           &retention_looked_to_);
        auto reply = store::carry_out(rows, errands[i], transaction.now_ms());
        if (!rows.failed()) {
            replies.errands[i] = std::move(reply);
            continue;
        }
        std::optional<std::unexpected<Error>> told;
        const Attempt attempt = set_aside(transaction, rows.result(), results, told);
        if (told) results.errands[i] = *std::move(told);
        return attempt;
    }
    return Attempt::carried_out;
}

Engine::Attempt Engine::set_aside(const Transaction& transaction, int result, Results& results,
                                  std::optional<std::unexpected<Error>>& told) {
    const Failure failure = failure_of(result, Phase::statement, tables_.connection);
    if (!failure.of_call) return fail_all(results, met(result, Phase::statement));
    if (transaction.answers_are_damaged()) return fail_all(results, met_damage(result));
    told = fail(failure.error);
    return Attempt::again;
}

Result<store::Loaded> Engine::load(const store::FlowSubject& subject) {
    return look_ups_->flow(subject);
}

Result<std::vector<flow::Entity>> Engine::page(const store::PageQuery& query) {
    return look_ups_->told(flow_tables_.looks.page(query));
}

Result<std::vector<store::FlowStep>> Engine::history(const store::FlowSubject& subject,
                                                     std::uint64_t after, std::size_t limit) {
    return look_ups_->told(flow_tables_.looks.history(subject, after, limit));
}

Result<store::StatesSlice> Engine::states(const std::string& from, std::size_t limit) {
    return look_ups_->told(flow_tables_.looks.states(from, limit));
}

Result<std::optional<stock::Level>> Engine::level(const std::string& tenant,
                                                  const stock::Sku& sku) {
    return look_ups_->told(flow_tables_.looks.level(tenant, sku));
}

Result<std::vector<store::WaitingEntry>> Engine::waiting(std::uint64_t after, std::size_t limit) {
    return look_ups_->told(flow_tables_.looks.waiting(after, limit));
}

Result<std::vector<store::AttentionEntry>> Engine::attention(std::uint64_t after,
                                                             std::size_t limit) {
    return look_ups_->told(flow_tables_.looks.attention(after, limit));
}

Result<std::vector<store::AttentionEntry>> Engine::entries(const store::EntriesQuery& query) {
    return look_ups_->told(flow_tables_.looks.entries(query));
}

Result<store::DueRows> Engine::due(std::int64_t until_ms, std::size_t limit) {
    return look_ups_->due(until_ms, limit);
}

Result<std::int64_t> Engine::next_due_ms() {
    return look_ups_->told(flow_tables_.looks.next_due_ms());
}

Result<store::SagaRows> Engine::due_sagas(std::int64_t until_ms, std::size_t limit) {
    return look_ups_->due_sagas(until_ms, limit);
}

Result<std::vector<store::SagaRow>> Engine::sagas(std::optional<store::SagaState> state,
                                                  std::uint64_t after, std::size_t limit) {
    return look_ups_->told(flow_tables_.looks.sagas(state, after, limit));
}

Result<std::vector<store::SagaRow>> Engine::look_at_sagas(const store::SagasQuery& query) {
    return look_ups_->told(flow_tables_.looks.look_at_sagas(query));
}

Result<store::OutboxLook> Engine::unsent(const std::string& sink, std::size_t limit) {
    return look_ups_->unsent(sink, limit);
}

Result<std::vector<store::ParkedRow>> Engine::parked(const std::string& sink, std::size_t limit) {
    return look_ups_->parked(sink, limit);
}

Result<store::OutboxFigures> Engine::outbox_figures(const std::string& sink) {
    return look_ups_->outbox_figures(sink);
}

Result<std::vector<std::string>> Engine::sinks() { return look_ups_->sinks(); }

}  // namespace pawl::sqlite
