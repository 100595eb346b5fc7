// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/engine.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/rescue.hpp"

namespace pawl::sqlite {

using store::Reply;

namespace {

// Every write would meet the same.
bool is_of_disk(int result) {
    const int primary = result & 0xFF;
    return primary == SQLITE_FULL || primary == SQLITE_IOERR || primary == SQLITE_READONLY;
}

bool is_damage(int result) { return (result & 0xFF) == SQLITE_CORRUPT; }

// An owner's last word about an effect.
bool ends_an_attempt(const record::Call& call) {
    return std::holds_alternative<record::Complete>(call) ||
           std::holds_alternative<record::Release>(call) ||
           std::holds_alternative<record::Suspect>(call);
}

}  // namespace

Engine::Engine(StoreFile file, const Clock& clock, Entropy& entropy, EngineOptions options)
    : clock_(clock),
      options_(std::move(options)),
      tables_(std::move(file)),
      indexer_(tables_, options_.generation, entropy.number()) {
    tables_.limits = options_.unresolved;
}

store::Capabilities Engine::capabilities() const {
    const bool on_disk = tables_.file.path != kInMemory;
    return {.durable_ack = on_disk,
            .survives_failover = false,
            .linearizable_claim = true,
            .transactional_effects = false,
            .clock = "process",
            .strength =
                on_disk
                    ? "SQLite, write-ahead log, flushed at every commit: exactly once on one node"
                    : "SQLite in memory: gone with the process"};
}

StoreFile Engine::release() && {
    stopped_ = true;
    sqlite3_wal_hook(tables_.connection.handle(), nullptr, nullptr);
    return std::move(tables_.file);
}

std::unexpected<Error> Engine::refused() const {
    return fail(Code::unavailable,
                "The store has stopped after a disk error; the process must be started anew.", {},
                "store.sqlite");
}

// What a failure means for the calls, after it was seen to that a store in doubt takes no more of them.
Error Engine::met(int result, Phase phase) {
    Failure failure = failure_of(result, phase, tables_.connection);
    if (phase != Phase::checkpoint && is_of_disk(result)) writes_fail_ = true;
    if (failure.fatal) {
        Error told = failure.error;
        // A new start would meet the damage again.
        if (is_damage(result)) told.code = Code::store_corrupt;
        stop(told);
    }
    return std::move(failure.error);
}

// Nobody waits for it, so that it is counted.
Error Engine::met_in_upkeep(int result) {
    meters_.upkeep_failures.add();
    return met(result, tables_.phase);
}

// Whoever asks for a damaged record is told so, and the others are served. But an effect whose result cannot be
// written would be followed by the next one.
Error Engine::met_damage(int result) {
    Error error = failure_of(result, Phase::statement, tables_.connection).error;
    error.text += " What takes effect could not be recorded: nothing is served any more.";
    stop(error);
    return error;
}

// The mark has the next start read all of the file before it serves.
void Engine::stop(const Error& error, std::string_view mark) {
    if (stopped_) return;
    stopped_ = true;
    // Closing must not move a log into the file that may not be on the disk itself.
    (void)sqlite3_db_config(tables_.connection.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                            nullptr);
    if (tables_.file.on_system_disk) mark_suspect(tables_.file.path, mark);
    if (options_.on_fatal) options_.on_fatal(error);
}

std::optional<Error> Engine::lost_place() {
    if (!place_) return std::nullopt;
    const auto lost = place_->lost(tables_.file.path);
    if (!lost) return std::nullopt;
    Error error{Code::store_corrupt,
                fmt::format("{} {}", *lost, put_back_words(tables_.file.path)),
                {},
                "store.sqlite"};
    stop(error, place_->text());
    return error;
}

void Engine::Results::fill(const Error& error) {
    for (auto& result : calls)
        if (!result) result = fail(error);
    for (auto& result : flows)
        if (!result) result = fail(error);
    for (auto& result : errands)
        if (!result) result = fail(error);
}

Engine::Attempt Engine::fail_all(Results& results, const Error& error) {
    results.fill(error);
    return Attempt::settled;
}

BatchReplies Engine::commit_batch(Batch batch) {
    Results results(batch);
    const auto too_large = [] {
        return fail(Code::limited, "The answer is larger than the store takes.", {},
                    "store.sqlite");
    };
    for (std::size_t i = 0; i < batch.calls.size(); ++i) {
        const auto* complete = std::get_if<record::Complete>(&batch.calls[i]);
        if (complete != nullptr && complete->answer.body.size() > kAnswerBytesMax)
            results.calls[i] = too_large();
    }
    for (std::size_t i = 0; i < batch.flows.size(); ++i) {
        const auto& request = batch.flows[i].request;
        if (request && request->answer.body.size() > kAnswerBytesMax)
            results.flows[i] = too_large();
    }
    Answers read = Answers::along;
    while (!commit_once(batch, results, read)) {
    }
    BatchReplies replies;
    replies.calls.reserve(batch.calls.size());
    for (auto& result : results.calls) replies.calls.push_back(std::move(*result));
    replies.flows.reserve(batch.flows.size());
    for (auto& result : results.flows) replies.flows.push_back(std::move(*result));
    for (auto& result : results.errands) replies.errands.push_back(std::move(*result));
    return replies;
}

Engine::Attempt Engine::apply_calls(Transaction& transaction, std::span<const record::Call> calls,
                                    Results& results, Results& replies, Answers& answers) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (results.calls[i]) continue;
        auto reply = transaction.apply(calls[i]);
        if (reply) {
            replies.calls[i] = std::move(*reply);
            continue;
        }
        if (transaction.answer_failed()) {
            answers = Answers::afterwards;
            return Attempt::again;
        }
        const Failure failure = failure_of(reply.error(), Phase::statement, tables_.connection);
        if (!failure.of_call) return fail_all(results, met(reply.error(), Phase::statement));
        if (is_damage(reply.error()) &&
            (transaction.answers_are_damaged() || ends_an_attempt(calls[i])))
            return fail_all(results, met_damage(reply.error()));
        results.calls[i] = fail(failure.error);
        return Attempt::again;
    }
    return Attempt::carried_out;
}

bool Engine::commit_once(Batch batch, Results& results, Answers& answers) {
    if (stopped_) return fail_all(results, refused().error()) == Attempt::settled;
    Transaction transaction(tables_, answers);
    if (const int begun = transaction.begin(); begun != SQLITE_OK)
        return fail_all(results, met(begun, Phase::statement)) == Attempt::settled;
    Results replies(batch);
    Attempt attempt = apply_calls(transaction, batch.calls, results, replies, answers);
    if (attempt == Attempt::carried_out)
        attempt = apply_flows(transaction, batch.flows, results, replies);
    if (attempt == Attempt::carried_out)
        attempt = apply_errands(transaction, batch.errands, results, replies);
    if (attempt != Attempt::carried_out) return attempt == Attempt::settled;
    const MonotonicTime before = clock_.monotonic();
    if (const int committed = transaction.commit(); committed != SQLITE_OK)
        return fail_all(results, met(committed, tables_.phase)) == Attempt::settled;
    if (const auto lost = lost_place()) return fail_all(results, *lost) == Attempt::settled;
    meters_.commit_seconds.add(clock_.monotonic() - before);
    meters_.commits.add();
    meters_.calls.add(batch.calls.size() + batch.flows.size() + batch.errands.size());
    meters_.stored_bytes.set(static_cast<std::int64_t>(tables_.stored.most()));
    for (std::size_t i = 0; i < batch.calls.size(); ++i)
        if (replies.calls[i])
            results.calls[i] = answers == Answers::along
                                   ? std::move(*replies.calls[i])
                                   : with_answer(std::move(**replies.calls[i]));
    for (std::size_t i = 0; i < batch.flows.size(); ++i)
        if (replies.flows[i]) results.flows[i] = std::move(*replies.flows[i]);
    for (std::size_t i = 0; i < batch.errands.size(); ++i)
        if (replies.errands[i]) results.errands[i] = std::move(*replies.errands[i]);
    return true;
}

// Outside of a transaction a damaged page costs nobody else anything.
Result<Reply> Engine::with_answer(Reply reply) {
    const bool is_replay = reply.outcome == record::Outcome::replay;
    const int read = take_answer_along(tables_, reply, now_ms());
    if (read == SQLITE_OK || is_damage(read) || !is_replay) return reply;
    return fail(met(read, Phase::statement));
}

// What a full disk still takes in the file it has, a page or two, says nothing about the next claim: so much
// is written that it must grow. It lies among the answers whose time is over, and is deleted at once or by
// the next sweep.
Status Engine::probe() {
    if (stopped_) return refused();
    if (!writes_fail_) return {};
    const std::string filling(kProbeBytes, '\0');
    for (const bool put : {true, false}) {
        Transaction transaction(tables_);
        int result = transaction.begin();
        if (result == SQLITE_OK)
            result = put ? tables_.put_answer.bind(1, kProbeAnswer).bind(2, filling).run()
                         : tables_.delete_answer.bind(1, kProbeAnswer).run();
        transaction.wrote();
        if (result == SQLITE_OK) result = transaction.commit();
        if (result != SQLITE_OK) return fail(met(result, tables_.phase));
    }
    writes_fail_ = false;
    return {};
}

Result<store::SweepReport> Engine::sweep(std::size_t limit) {
    if (stopped_) return refused();
    // Also when nobody calls.
    if (auto lost = lost_place()) return fail(std::move(*lost));
    tables_.phase = Phase::statement;  // it also reads outside of transactions
    auto report = cleaner_.sweep(limit, watch_->agree());
    if (!report) return fail(met_in_upkeep(report.error()));
    return *report;
}

Result<store::Totals> Engine::totals() { return tables_.unresolved.totals(now_ms()); }

Result<std::optional<store::Stored>> Engine::read(const Digest& identity) {
    return look_ups_->read(identity);
}

Result<std::vector<record::Row>> Engine::unresolved(const store::UnresolvedQuery& query) {
    return look_ups_->unresolved(query);
}

Result<std::vector<store::TimelineEntry>> Engine::timeline(const Digest& identity) {
    return look_ups_->timeline(identity);
}

Result<std::vector<Digest>> Engine::find(store::LookUp kind, const std::string& value,
                                         std::size_t limit) {
    return look_ups_->find(kind, value, limit);
}

bool Engine::add_note(store::TimelineEntry entry) {
    if (entry.at_ms == 0) entry.at_ms = now_ms();
    return notes_.push(std::move(entry));
}

bool Engine::write_some_notes() {
    const auto notes = notes_.take(kNotesPerStep);
    if (notes.empty()) return false;
    Transaction transaction(tables_);
    int result = transaction.begin();
    if (result == SQLITE_OK) result = write_notes(tables_, transaction, notes, last_note_);
    if (result == SQLITE_OK) result = transaction.commit();
    // A timeline may lose lines; a store in doubt stops.
    if (result != SQLITE_OK) (void)met_in_upkeep(result);
    return result == SQLITE_OK && notes_.size() > 0;
}

bool Engine::tend() {
    if (stopped_) return false;
    const bool more = write_some_notes();
    tables_.phase = Phase::statement;
    const auto indexed = indexer_.step();
    if (!indexed) (void)met_in_upkeep(indexed.error());
    if (log_is_long()) checkpoint();
    return indexed.value_or(false) || more;
}

void Engine::rest() {
    // As many pages on top of those that a reader holds on to.
    if (tables_.log_pages >= kIdleCheckpointPages + next_checkpoint_pages_ - kCheckpointPages)
        checkpoint();
}

void Engine::checkpoint() {
    if (stopped_) return;
    const MonotonicTime before = clock_.monotonic();
    int in_log = 0;
    int moved = 0;
    const int result = sqlite3_wal_checkpoint_v2(tables_.connection.handle(), nullptr,
                                                 SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    meters_.checkpoint_seconds.add(clock_.monotonic() - before);
    meters_.checkpoints.add();
    meters_.log_pages.set(in_log);
    if (result != SQLITE_OK && result != SQLITE_BUSY) (void)met(result, Phase::checkpoint);
    // The next commit begins the log anew, unless a reader holds on to it: then it goes on growing, and is
    // moved again after as many pages.
    next_checkpoint_pages_ = (moved == in_log ? 0 : in_log) + kCheckpointPages;
    if (moved == in_log) tables_.log_pages = 0;
}

}  // namespace pawl::sqlite
