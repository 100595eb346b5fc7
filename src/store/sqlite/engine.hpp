// SPDX-License-Identifier: Apache-2.0
// The store on SQLite without threads: what the writer's thread runs, and what the simulator runs on a file
// in memory. One connection does every write and every checkpoint.
#pragma once

#include <functional>

#include "runtime/entropy/entropy.hpp"
#include "runtime/meter/meter.hpp"
#include "store/port/flow_shelf.hpp"
#include "store/port/shelf.hpp"
#include "store/sqlite/cleaner.hpp"
#include "store/sqlite/errand_tables.hpp"
#include "store/sqlite/file_place.hpp"
#include "store/sqlite/flow_tables.hpp"
#include "store/sqlite/look_ups.hpp"
#include "store/sqlite/timeline.hpp"

namespace pawl::sqlite {

struct EngineOptions {
    GenerationLimits generation;
    store::UnresolvedLimits unresolved{};
    // The file was put back from a copy: fences go on above all that were given out since the copy.
    bool restored = false;
    // Told once, when the disk left a commit in doubt, or when what took effect can no longer be recorded because
    // the file is damaged or taken away: no call is taken any more, the process must stop.
    std::function<void(const Error&)> on_fatal{};
};

// The log is moved into the file when it holds so many pages, and earlier when there is time.
inline constexpr int kCheckpointPages = 4'000;
inline constexpr int kIdleCheckpointPages = 500;
// Larger ones are refused, one by one; no route keeps larger ones (policy::kAnswerBytesLimit), and what sealing
// adds to one, its headers among it, stays below the rest.
inline constexpr std::size_t kAnswerBytesMax = (std::size_t{16} << 20) + (std::size_t{256} << 10);

// What a probe writes, and the answer as which it lies.
inline constexpr std::size_t kProbeBytes = 64U << 10;
inline constexpr std::int64_t kProbeAnswer = -1;
// What a start writes there: enough to need pages of its own.
inline constexpr std::size_t kStartProbeBytes = 8U << 10;

struct EngineMeters {
    Counter commits;
    Counter calls;
    Counter checkpoints;
    LatencyHistogram commit_seconds;
    LatencyHistogram checkpoint_seconds;
    Gauge log_pages;
    Gauge stored_bytes;       // of the tenant that has most
    Counter upkeep_failures;  // of sweeping, of indexing, and of writing timelines
};

// What is written with one flush. Records come before flows, and these before errands.
struct Batch {
    std::span<const record::Call> calls{};
    std::span<const store::FlowCommit> flows{};
    std::span<const store::Errand> errands{};
};
struct BatchReplies {
    std::vector<Result<store::Reply>> calls;
    std::vector<Result<store::FlowReply>> flows;
    std::vector<store::ErrandReply> errands;
};

class Engine final : public store::Shelf, public store::FlowShelf {
  public:
    // Claims of earlier boots have ended when it returns. `clock` outlives it.
    // Errors: unavailable, store_corrupt, store_full.
    static Result<std::unique_ptr<Engine>> start(StoreFile file, const Clock& clock,
                                                 Entropy& entropy, EngineOptions options = {});

    store::Capabilities capabilities() const override;
    std::int64_t now_ms() const override { return tables_.time->now_ms(); }
    // Shape: as Shelf::commit and FlowShelf::commit_flows. One that cannot be carried out costs the others another
    // attempt, and nothing else.
    BatchReplies commit_batch(Batch batch);
    std::vector<Result<store::Reply>> commit(std::span<const record::Call> calls) override {
        return commit_batch({.calls = calls}).calls;
    }
    Result<std::optional<store::Stored>> read(const Digest& identity) override;
    bool may_know(const Digest& identity) const override {
        return tables_.catalog.may_know(identity);
    }
    Result<store::SweepReport> sweep(std::size_t limit) override;
    Result<std::vector<record::Row>> unresolved(const store::UnresolvedQuery& query) override;
    Result<store::Totals> totals() override;
    Result<std::vector<store::TimelineEntry>> timeline(const Digest& identity) override;
    Result<std::vector<Digest>> find(store::LookUp kind, const std::string& value,
                                     std::size_t limit) override;

    std::vector<Result<store::FlowReply>> commit_flows(
        std::span<const store::FlowCommit> commits) override {
        return commit_batch({.flows = commits}).flows;
    }
    Result<store::Loaded> load(const store::FlowSubject& subject) override;
    Result<std::vector<flow::Entity>> page(const store::PageQuery& query) override;
    Result<std::vector<store::FlowStep>> history(const store::FlowSubject& subject,
                                                 std::uint64_t after, std::size_t limit) override;
    Result<store::StatesSlice> states(const std::string& from, std::size_t limit) override;
    Result<std::optional<stock::Level>> level(const std::string& tenant,
                                              const stock::Sku& sku) override;
    Result<std::vector<store::WaitingEntry>> waiting(std::uint64_t after,
                                                     std::size_t limit) override;
    Result<std::vector<store::AttentionEntry>> attention(std::uint64_t after,
                                                         std::size_t limit) override;
    Result<std::vector<store::AttentionEntry>> entries(const store::EntriesQuery& query) override;
    Result<store::DueRows> due(std::int64_t until_ms, std::size_t limit) override;
    Result<std::int64_t> next_due_ms() override;

    std::vector<store::ErrandReply> commit_errands(
        std::span<const store::Errand> errands) override {
        return commit_batch({.errands = errands}).errands;
    }
    Result<store::SagaRows> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Result<std::vector<store::SagaRow>> sagas(std::optional<store::SagaState> state,
                                              std::uint64_t after, std::size_t limit) override;
    Result<std::vector<store::SagaRow>> look_at_sagas(const store::SagasQuery& query) override;
    Result<store::OutboxLook> unsent(const std::string& sink, std::size_t limit) override;
    Result<std::vector<store::ParkedRow>> parked(const std::string& sink,
                                                 std::size_t limit) override;
    Result<store::OutboxFigures> outbox_figures(const std::string& sink) override;
    Result<std::vector<std::string>> sinks() override;

    // From any thread, as add_note(), which says whether no other note was waiting.
    void note(store::TimelineEntry entry) override { (void)add_note(std::move(entry)); }
    bool add_note(store::TimelineEntry entry);
    // As Records::probe.
    Status probe();
    bool tend() override;
    // The log is long: checkpoint() before the next batch.
    bool log_is_long() const { return tables_.log_pages >= next_checkpoint_pages_; }
    void checkpoint();
    // There is nothing else to do for now.
    void rest();

    std::uint64_t boot() const { return tables_.boot; }
    const Catalog& catalog() const { return tables_.catalog; }
    const UnresolvedSet& unresolved_set() const { return tables_.unresolved; }
    const store::StoreTime& time() const { return *tables_.time; }
    const EngineMeters& meters() const { return meters_; }
    const NoteQueue& notes() const { return notes_; }
    // Rows of flows that were gone past.
    store::DamageBook& damage() const { return *damage_; }
    // Gives the file up; the engine is not used afterwards.
    StoreFile release() &&;

  private:
    Engine(StoreFile file, const Clock& clock, Entropy& entropy, EngineOptions options);

    Status load(Entropy& entropy, std::vector<RecordId>& unended);
    int load_stored();
    Status end_earlier_boots(const std::vector<RecordId>& unended);
    struct Results {
        std::vector<std::optional<Result<store::Reply>>> calls;
        std::vector<std::optional<Result<store::FlowReply>>> flows;
        std::vector<std::optional<store::ErrandReply>> errands;
        explicit Results(const Batch& batch)
            : calls(batch.calls.size()), flows(batch.flows.size()), errands(batch.errands.size()) {}
        void fill(const Error& error);
    };
    enum class Attempt : std::uint8_t {
        carried_out,
        again,    // one was set aside: try the others again
        settled,  // all have their results
    };
    // One attempt at what has no result yet; false: try again.
    bool commit_once(Batch batch, Results& results, Answers& answers);
    Attempt apply_calls(Transaction& transaction, std::span<const record::Call> calls,
                        Results& results, Results& replies, Answers& answers);
    Attempt apply_flows(Transaction& transaction, std::span<const store::FlowCommit> flows,
                        Results& results, Results& replies);
    Attempt apply_errands(Transaction& transaction, std::span<const store::Errand> errands,
                          Results& results, Results& replies);
    // One of its rows could not be read or written; what that means for the others.
    Attempt set_aside(const Transaction& transaction, int result, Results& results,
                      std::optional<std::unexpected<Error>>& told);
    static Attempt fail_all(Results& results, const Error& error);
    Result<store::Reply> with_answer(store::Reply reply);
    Error met(int result, Phase phase);
    Error met_in_upkeep(int result);
    Error met_damage(int result);
    void stop(const Error& error, std::string_view mark = {});
    // What was committed is not where the next start looks for it: the store has stopped.
    std::optional<Error> lost_place();
    int try_answers();
    std::unexpected<Error> refused() const;
    bool write_some_notes();

    const Clock& clock_;
    EngineOptions options_;
    Tables tables_;
    std::unique_ptr<store::DamageBook> damage_ = std::make_unique<store::DamageBook>();
    FlowTables flow_tables_{tables_.connection, *damage_};
    ErrandTables errand_tables_{tables_.connection};
    std::uint64_t retention_looked_to_ = 0;
    Indexer indexer_;
    Cleaner cleaner_{tables_, indexer_};
    std::optional<store::ClockWatch> watch_;
    std::optional<LookUps> look_ups_;
    std::optional<FilePlace> place_;
    NoteQueue notes_;
    std::int64_t last_note_ = 0;
    int next_checkpoint_pages_ = kCheckpointPages;
    bool stopped_ = false;
    bool writes_fail_ = false;  // the disk refused a write, and no probe has succeeded since
    EngineMeters meters_;
};

}  // namespace pawl::sqlite
