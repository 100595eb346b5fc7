// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/sealed_flows.hpp"

#include <algorithm>

namespace pawl::store {
namespace {

std::unexpected<Error> cannot_be_opened() {
    return fail(Code::store_corrupt,
                "What is stored of a flow was sealed under a key that is not configured, or was "
                "moved or changed since.",
                {}, "store.sealed");
}

}  // namespace

template <class List, class Open>
Result<List> SealedFlows::opened(Result<List> list, Open open) const {
    if (list && !std::ranges::all_of(*list, open)) return cannot_be_opened();
    return list;
}

Task<Result<FlowReply>> SealedFlows::commit(FlowCommit commit) {
    std::optional<record::Claim> claim;
    if (commit.request) claim = commit.request->claim;
    seal_.seal(commit);
    auto reply = co_await flows_.commit(std::move(commit));
    if (!reply) co_return reply;
    for (flow::WaitingFact& fact : reply->wakes)
        if (!seal_.open(fact)) co_return cannot_be_opened();
    if (!reply->answer || !claim) co_return reply;
    record::Row* row = reply->lost && reply->lost->verdict ? &reply->lost->verdict->row : nullptr;
    const record::ClaimId by = row == nullptr ? claim->claim : row->claim;
    if (seal_.open(*reply->answer, claim->identity, by)) {
        if (row != nullptr && row->settled)
            row->settled->answer_digest = record::digest_of(*reply->answer);
        co_return reply;
    }
    // As with an answer that cannot be read.
    reply->answer.reset();
    if (row != nullptr && reply->lost->verdict->outcome == record::Outcome::replay)
        reply->lost->verdict->outcome = record::Outcome::expired;
    co_return reply;
}

Task<Result<Loaded>> SealedFlows::load(FlowSubject subject) {
    auto loaded = co_await flows_.load(std::move(subject));
    if (loaded && loaded->entity && !seal_.open(*loaded->entity)) co_return cannot_be_opened();
    co_return loaded;
}

Task<Result<std::vector<flow::Entity>>> SealedFlows::page(PageQuery query) {
    co_return opened(co_await flows_.page(std::move(query)),
                     [&](flow::Entity& entity) { return seal_.open(entity); });
}

// Steps are bound to the id, which whoever asks by business key need not know.
Task<Result<std::vector<FlowStep>>> SealedFlows::history(FlowSubject subject, std::uint64_t after,
                                                         std::size_t limit) {
    if (subject.id.empty()) {
        auto loaded = co_await flows_.load(subject);
        if (!loaded) co_return fail(std::move(loaded.error()));
        if (loaded->entity) subject.id = loaded->entity->id;
    }
    co_return opened(co_await flows_.history(subject, after, limit),
                     [&](FlowStep& step) { return seal_.open(step, subject); });
}

Task<Result<std::vector<WaitingEntry>>> SealedFlows::waiting(std::uint64_t after,
                                                             std::size_t limit) {
    co_return opened(co_await flows_.waiting(after, limit),
                     [&](WaitingEntry& entry) { return seal_.open(entry.fact); });
}

Task<Result<std::vector<AttentionEntry>>> SealedFlows::attention(std::uint64_t after,
                                                                 std::size_t limit) {
    co_return opened(co_await flows_.attention(after, limit),
                     [&](AttentionEntry& entry) { return seal_.open(entry); });
}

Task<Result<SagaRows>> SealedFlows::due_sagas(std::int64_t until_ms, std::size_t limit) {
    auto due = co_await flows_.due_sagas(until_ms, limit);
    if (due && !std::ranges::all_of(due->rows, [&](SagaRow& row) { return seal_.open(row.start); }))
        co_return cannot_be_opened();
    co_return due;
}

Task<Result<std::vector<SagaRow>>> SealedFlows::sagas(std::optional<SagaState> state,
                                                      std::uint64_t after, std::size_t limit) {
    // One that is done stays longer than its key need be kept; nobody needs its values.
    co_return opened(co_await flows_.sagas(state, after, limit), [&](SagaRow& row) {
        const bool shown = seal_.open(row.start);
        if (!shown && row.state == SagaState::done) row.start.values.clear();
        return shown || row.state == SagaState::done;
    });
}

Task<Result<std::vector<ParkedRow>>> SealedFlows::parked(std::string sink, std::size_t limit) {
    co_return opened(co_await flows_.parked(std::move(sink), limit),
                     [&](ParkedRow& one) { return seal_.open(one.row.history, one.row.subject); });
}

Task<Result<OutboxLook>> SealedFlows::look(std::string sink, std::size_t limit) {
    auto look = co_await flows_.look(std::move(sink), limit);
    if (look && !std::ranges::all_of(look->rows, [&](OutboxRow& row) {
            return seal_.open(row.history, row.subject);
        }))
        co_return cannot_be_opened();
    co_return look;
}

}  // namespace pawl::store
