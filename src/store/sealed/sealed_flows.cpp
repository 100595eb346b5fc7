// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/sealed_flows.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pawl::store {
namespace {

std::unexpected<Error> cannot_be_opened() {
    return fail(Code::store_corrupt,
                "What is stored of a flow was sealed under a key that is not configured, or was "
                "moved or changed since.",
                {}, "store.sealed");
}

constexpr std::string_view kCannotBeOpened = "what is stored of it cannot be opened";
// Times that a reading begins again after it has left rows to a person.
constexpr int kLooksMax = 16;

std::string whose(const FlowSubject& subject) {
    return fmt::format("{} {}", subject.flow,
                       subject.id.empty() ? subject.business_key : subject.id);
}

}  // namespace

template <class Row, class Read, class Open>
Task<Result<std::vector<Row>>> SealedFlows::pages(std::size_t limit, Read read, Open open) {
    std::vector<Row> opened;
    std::optional<Row> last;
    bool more = limit > 0;
    while (more) {
        Result<std::vector<Row>> page = co_await read(last);
        if (!page) co_return fail(std::move(page.error()));
        more = page->size() == limit;
        if (more) last = page->back();
        for (Row& row : *page)
            if (open(row)) opened.push_back(std::move(row));
        if (opened.size() >= limit) more = false;
    }
    if (opened.size() > limit)
        opened.erase(opened.begin() + static_cast<std::ptrdiff_t>(limit), opened.end());
    co_return opened;
}

Task<bool> SealedFlows::leave_to_person(SagaRow row) {
    damage_.met("flow_saga", fmt::format("number {}, `{}` of {}", row.number, row.start.name,
                                         whose(row.subject)));
    SagaMove move{.number = row.number, .tries = row.tries};
    move.to = SagaState::needs_attention;
    move.tries_after = row.tries;
    move.said = std::string(kCannotBeOpened);
    co_return (co_await flows_.move(std::move(move))).has_value();
}

Task<bool> SealedFlows::park(std::string sink, OutboxRow row) {
    damage_.met("flow_step", fmt::format("number {} of {}", row.number, whose(row.subject)));
    Delivery word{.number = row.number, .kind = Delivery::Kind::parked, .tries = row.tries + 1};
    word.said = std::string(kCannotBeOpened);
    std::vector<Delivery> words{std::move(word)};
    co_return (co_await flows_.delivered(std::move(sink), std::move(words))).has_value();
}

Task<Result<FlowReply>> SealedFlows::commit(FlowCommit commit) {
    std::optional<record::Claim> claim;
    if (commit.request) claim = commit.request->claim;
    seal_.seal(commit);
    auto reply = co_await flows_.commit(std::move(commit));
    if (!reply) co_return reply;
    // It is committed. What cannot be opened waits on, and is met again where all that waits is read.
    std::erase_if(reply->wakes, [&](flow::WaitingFact& fact) { return !seal_.open(fact); });
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
    const auto read = [&](std::optional<flow::Entity> last) {
        if (last) query.after = last->id;
        return flows_.page(query);
    };
    co_return co_await pages<flow::Entity>(query.limit, read, [&](flow::Entity& entity) {
        const bool opened = seal_.open(entity);
        if (!opened) damage_.met("flow_entity", whose(subject_of(entity)));
        return opened;
    });
}

// Steps are bound to the id, which whoever asks by business key need not know.
Task<Result<std::vector<FlowStep>>> SealedFlows::history(FlowSubject subject, std::uint64_t after,
                                                         std::size_t limit) {
    if (subject.id.empty()) {
        auto loaded = co_await flows_.load(subject);
        if (!loaded) co_return fail(std::move(loaded.error()));
        if (loaded->entity) subject.id = loaded->entity->id;
    }
    auto steps = co_await flows_.history(subject, after, limit);
    if (steps &&
        !std::ranges::all_of(*steps, [&](FlowStep& step) { return seal_.open(step, subject); }))
        co_return cannot_be_opened();
    co_return steps;
}

Task<Result<std::vector<WaitingEntry>>> SealedFlows::waiting(std::uint64_t after,
                                                             std::size_t limit) {
    const auto read = [&](std::optional<WaitingEntry> last) {
        return flows_.waiting(last ? last->number : after, limit);
    };
    co_return co_await pages<WaitingEntry>(limit, read, [&](WaitingEntry& entry) {
        const bool opened = seal_.open(entry.fact);
        if (!opened)
            damage_.met("flow_waiting",
                        fmt::format("number {} of {}", entry.number, whose(entry.subject)));
        return opened;
    });
}

// A person may close one without having seen what it says.
Task<Result<std::vector<AttentionEntry>>> SealedFlows::attention(std::uint64_t after,
                                                                 std::size_t limit) {
    auto entries = co_await flows_.attention(after, limit);
    if (entries) open(*entries);
    co_return entries;
}

Task<Result<std::vector<AttentionEntry>>> SealedFlows::entries(EntriesQuery query) {
    auto entries = co_await flows_.entries(std::move(query));
    if (entries) open(*entries);
    co_return entries;
}

void SealedFlows::open(std::vector<AttentionEntry>& entries) {
    for (AttentionEntry& entry : entries) {
        if (seal_.open(entry)) continue;
        damage_.met("flow_attention",
                    fmt::format("number {} of {}", entry.number, whose(entry.subject)));
        entry.reason = kCannotBeOpened;
        entry.event.reset();
        entry.about.clear();
    }
}

Task<Result<SagaRows>> SealedFlows::due_sagas(std::int64_t until_ms, std::size_t limit) {
    Result<SagaRows> due;
    for (int look = 0; look < kLooksMax; ++look) {
        due = co_await flows_.due_sagas(until_ms, limit);
        if (!due) break;
        std::vector<SagaRow> closed;
        std::erase_if(due->rows, [&](SagaRow& row) {
            if (seal_.open(row.start)) return false;
            closed.push_back(row);
            return true;
        });
        bool moved = false;
        for (const SagaRow& row : closed) moved |= co_await leave_to_person(row);
        if (!moved) break;
    }
    co_return due;
}

// One that is done stays longer than its key need be kept; nobody needs its values.
Task<Result<std::vector<SagaRow>>> SealedFlows::sagas(std::optional<SagaState> state,
                                                      std::uint64_t after, std::size_t limit) {
    auto rows = co_await flows_.sagas(state, after, limit);
    if (!rows) co_return rows;
    for (SagaRow& row : *rows)
        if (!seal_.open(row.start)) row.start.values.clear();
    co_return rows;
}

Task<Result<std::vector<SagaRow>>> SealedFlows::look_at_sagas(SagasQuery query) {
    auto rows = co_await flows_.look_at_sagas(std::move(query));
    if (!rows) co_return rows;
    for (SagaRow& row : *rows)
        if (!seal_.open(row.start)) row.start.values.clear();
    co_return rows;
}

Task<Result<std::vector<ParkedRow>>> SealedFlows::parked(std::string sink, std::size_t limit) {
    auto rows = co_await flows_.parked(std::move(sink), limit);
    if (!rows) co_return rows;
    for (ParkedRow& one : *rows)
        if (!seal_.open(one.row.history, one.row.subject)) one.row.history.values.clear();
    co_return rows;
}

Task<Result<OutboxLook>> SealedFlows::look(std::string sink, std::size_t limit) {
    Result<OutboxLook> seen;
    for (int look = 0; look < kLooksMax; ++look) {
        seen = co_await flows_.look(sink, limit);
        if (!seen) break;
        std::vector<OutboxRow> closed;
        std::erase_if(seen->rows, [&](OutboxRow& row) {
            if (seal_.open(row.history, row.subject)) return false;
            closed.push_back(row);
            return true;
        });
        bool parked = false;
        for (const OutboxRow& row : closed) parked |= co_await park(sink, row);
        if (!parked) break;
    }
    co_return seen;
}

}  // namespace pawl::store
