// SPDX-License-Identifier: Apache-2.0
// How a store comes up: what no restart may forget, the generations, and the end of every earlier boot's
// claims, before the first call is taken.
#include <bit>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/engine.hpp"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kEndedPerCommit = 1'000;
constexpr std::uint64_t kEpoch = std::uint64_t{1} << 48;

std::string nobodys_record(RecordId record) {
    return fmt::format(
        "Record {} of the store cannot be read, and nobody can tell whose it is: its key would be "
        "taken for a new one and run again. Put back a copy of the store, or delete the record "
        "with sqlite3 once you know what became of the operations of that time.",
        record.value);
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::start(StoreFile file, const Clock& clock, Entropy& entropy,
                                              EngineOptions options) {
    std::unique_ptr<Engine> engine(new Engine(std::move(file), clock, entropy, std::move(options)));
    std::vector<RecordId> unended;
    if (Status loaded = engine->load(entropy, unended); !loaded) return fail(loaded.error());
    if (Status ended = engine->end_earlier_boots(unended); !ended) return fail(ended.error());
    if (engine->tables_.file.on_system_disk) {
        engine->place_ = FilePlace::of(engine->tables_.file.path);
        if (!engine->place_)
            return fail(Code::store_corrupt,
                        fmt::format("The store's file {} was taken away while it was opened.",
                                    engine->tables_.file.path),
                        {}, "store.sqlite");
    }
    return engine;
}

Status Engine::load(Entropy& entropy, std::vector<RecordId>& unended) {
    Statement mark =
        tables_.connection.prepare("SELECT fence, time_ms, boot FROM mark WHERE id = 1");
    const int read = mark.step();
    if (read == SQLITE_DONE)
        return fail(Code::store_corrupt, "The store has lost its mark.", {}, "store.sqlite");
    if (read != SQLITE_ROW) return fail(met(read, Phase::open));
    tables_.last_fence = std::bit_cast<std::uint64_t>(mark.integer(0));
    const std::int64_t high_water_ms = mark.integer(1);
    const auto earlier_boot = std::bit_cast<std::uint64_t>(mark.integer(2));
    mark.reset();

    // The lower bits go on: stored answers are found by them.
    if (options_.restored) tables_.last_fence += kEpoch;
    do tables_.boot = entropy.number();
    while (tables_.boot == 0 || tables_.boot == earlier_boot);
    tables_.time.emplace(clock_, high_water_ms);
    watch_.emplace(clock_, tables_.time->behind_ms());
    look_ups_.emplace(tables_.connection, tables_.catalog, tables_.unresolved, *tables_.time,
                      *damage_, false);
    if (const int loaded = indexer_.load(unended); loaded != SQLITE_OK) {
        Error error = met(loaded, Phase::open);
        if (const auto record = indexer_.nobodys()) error.text = nobodys_record(*record);
        return fail(std::move(error));
    }
    // A mark below what was given out is damaged, and would give fences out again.
    if (indexer_.highest_fence() > tables_.last_fence)
        return fail(met(SQLITE_CORRUPT, Phase::open));

    if (const int weighed = load_stored(); weighed != SQLITE_OK)
        return fail(met(weighed, Phase::open));

    Transaction transaction(tables_);
    int result = transaction.begin();
    transaction.wrote();
    if (result == SQLITE_OK) result = try_answers();
    if (result == SQLITE_OK) result = transaction.commit();
    if (result != SQLITE_OK) return fail(met(result, tables_.phase));
    return {};
}

// Damage where answers are written, or to the pages that are free for them, is found before the first effect.
int Engine::try_answers() {
    const std::string filling(kStartProbeBytes, '\0');
    int result = tables_.put_answer.bind(1, kProbeAnswer).bind(2, filling).run();
    if (result == SQLITE_OK) result = tables_.delete_answer.bind(1, kProbeAnswer).run();
    if (result == SQLITE_OK)
        result = tables_.connection.prepare("SELECT MAX(id) FROM answer").run();
    return result;
}

int Engine::load_stored() {
    Statement select = tables_.connection.prepare("SELECT place, tenant, bytes FROM stored");
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step())
        tables_.stored.apply({select.integer(0), std::bit_cast<std::uint64_t>(select.integer(1)),
                              select.integer(2)});
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

Status Engine::end_earlier_boots(const std::vector<RecordId>& unended) {
    for (std::size_t from = 0; from < unended.size(); from += kEndedPerCommit) {
        Transaction transaction(tables_);
        if (const int begun = transaction.begin(); begun != SQLITE_OK)
            return fail(met(begun, tables_.phase));
        for (std::size_t i = from; i < std::min(from + kEndedPerCommit, unended.size()); ++i) {
            auto found = tables_.finder.load(unended[i]);
            if (!found) return fail(met(found.error(), Phase::statement));
            if (!*found) continue;
            const record::BootEnded ended{(*found)->row.identity, tables_.boot};
            const auto reply = transaction.apply_at(std::move(**found), ended);
            if (!reply) return fail(met(reply.error(), Phase::statement));
        }
        if (const int committed = transaction.commit(); committed != SQLITE_OK)
            return fail(met(committed, tables_.phase));
    }
    return {};
}

}  // namespace pawl::sqlite
