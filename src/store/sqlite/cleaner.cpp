// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/cleaner.hpp"

#include <algorithm>

#include <sqlite3.h>

#include "store/sqlite/row_frame.hpp"

namespace pawl::sqlite {

using record::Outcome;

namespace {

// A generation is emptied when at most one record in so many must move.
constexpr std::size_t kMovedShare = 4;
// For unresolved records nobody knows when they will be over.
constexpr std::int64_t kLookAgainMs = 24 * 3'600'000LL;

// The end of a range of ids that belong to one generation.
RecordId last_of(std::uint32_t generation) { return RecordId::of(generation, ~0U); }

}  // namespace

Coded<store::SweepReport> Cleaner::sweep(std::size_t limit, bool trusted) {
    store::SweepReport report;
    report.stopped = !trusted;
    if (const int result = end_leases(report, limit); result != SQLITE_OK)
        return std::unexpected(result);
    if (!trusted) return report;
    if (const int result = drop_answers(report, limit); result != SQLITE_OK)
        return std::unexpected(result);
    if (const int result = drop_forgotten(limit); result != SQLITE_OK)
        return std::unexpected(result);
    if (indexer_.pending()) {
        if (const auto stepped = indexer_.step(); !stepped) return std::unexpected(stepped.error());
        report.more = true;
        return report;
    }
    if (const int result = clean_generation(report, limit); result != SQLITE_OK)
        return std::unexpected(result);
    return report;
}

int Cleaner::end_leases(store::SweepReport& report, std::size_t limit) {
    const std::int64_t now_ms = tables_.time->now_ms();
    const std::vector<RecordId> lapsed = tables_.unresolved.lapsed(now_ms, limit + 1);
    if (lapsed.empty()) return SQLITE_OK;
    report.more = lapsed.size() > limit;
    Transaction transaction(tables_);
    int result = transaction.begin();
    std::uint64_t ended = 0;
    for (std::size_t i = 0; i < std::min(lapsed.size(), limit) && result == SQLITE_OK; ++i) {
        auto found = tables_.finder.load(lapsed[i]);
        if (!found) return found.error();
        if (!*found) continue;
        const record::Lapse lapse{(*found)->row.identity, (*found)->row.fence};
        const auto reply = transaction.apply_at(std::move(**found), lapse);
        if (!reply) return reply.error();
        ended += reply->outcome == Outcome::lapsed ? 1 : 0;
    }
    if (result == SQLITE_OK) result = transaction.commit();
    if (result == SQLITE_OK) report.lapsed += ended;
    return result;
}

int Cleaner::drop_answers(store::SweepReport& report, std::size_t limit) {
    Statement find =
        tables_.connection.prepare("SELECT id FROM answer WHERE id < ?1 ORDER BY id LIMIT ?2");
    find.bind(1, first_kept_answer_id(tables_.time->now_ms()))
        .bind(2, static_cast<std::int64_t>(limit));
    std::vector<std::int64_t> over;
    int result = find.step();
    for (; result == SQLITE_ROW; result = find.step()) over.push_back(find.integer(0));
    if (result != SQLITE_DONE) return result;
    if (over.empty()) return SQLITE_OK;
    report.more = report.more || over.size() == limit;
    Transaction transaction(tables_);
    if (result = transaction.begin(); result != SQLITE_OK) return result;
    for (const std::int64_t id : over)
        if (result = tables_.delete_answer.bind(1, id).run(); result != SQLITE_OK) return result;
    const std::int64_t first_kept = place_of_answer(first_kept_answer_id(tables_.time->now_ms()));
    for (const std::int64_t slot : tables_.stored.places(0, first_kept))
        if (result = transaction.drop_weights(slot); result != SQLITE_OK) return result;
    transaction.wrote();
    if (result = transaction.commit(); result == SQLITE_OK) report.buried += over.size();
    return result;
}

int Cleaner::drop_forgotten(std::size_t limit) {
    const std::int64_t until_ms = tables_.time->now_ms() - store::kForgottenKeepMs;
    Statement oldest =
        tables_.connection.prepare("SELECT at_ms FROM forgotten ORDER BY number LIMIT 1");
    int result = oldest.step();
    if (result == SQLITE_DONE) return SQLITE_OK;
    if (result != SQLITE_ROW) return result;
    const bool over = oldest.integer(0) <= until_ms;
    oldest.reset();
    if (!over) return SQLITE_OK;
    Transaction transaction(tables_);
    if (result = transaction.begin(); result != SQLITE_OK) return result;
    Statement cut = tables_.connection.prepare(
        "DELETE FROM forgotten WHERE number IN (SELECT number FROM forgotten WHERE at_ms <= ?1 "
        "ORDER BY number LIMIT ?2)");
    result = cut.bind(1, until_ms).bind(2, static_cast<std::int64_t>(limit)).run();
    if (result != SQLITE_OK) return result;
    transaction.wrote();
    return transaction.commit();
}

std::optional<std::uint32_t> Cleaner::due_generation() const {
    for (const Generation& generation : tables_.catalog.generations())
        if (generation.stage == Stage::ready && generation.due_ms <= tables_.time->now_ms())
            return generation.number;
    return std::nullopt;
}

int Cleaner::clean_generation(store::SweepReport& report, std::size_t limit) {
    if (!work_) {
        const auto due = due_generation();
        if (!due) return SQLITE_OK;
        work_.emplace();
        work_->generation = *due;
        work_->done = RecordId::of(*due, 0);
    }
    report.more = true;
    return work_->emptying ? empty(report, limit) : read_through(limit);
}

Coded<std::vector<RecordId>> Cleaner::ids_after(RecordId after, std::size_t limit) {
    Statement select = tables_.connection.prepare(
        "SELECT id FROM record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3");
    select.bind(1, after.value)
        .bind(2, last_of(after.generation()).value)
        .bind(3, static_cast<std::int64_t>(limit));
    std::vector<RecordId> ids;
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) ids.push_back({select.integer(0)});
    if (result != SQLITE_DONE) return std::unexpected(result);
    return ids;
}

int Cleaner::read_through(std::size_t limit) {
    Statement select = tables_.connection.prepare(
        "SELECT id, row FROM record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3");
    select.bind(1, work_->done.value)
        .bind(2, last_of(work_->generation).value)
        .bind(3, static_cast<std::int64_t>(limit));
    const std::int64_t now_ms = tables_.time->now_ms();
    std::size_t seen = 0;
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step(), ++seen) {
        work_->done = RecordId{select.integer(0)};
        const std::int64_t until_ms = head_of(select.bytes(1)).value_or(FrameHead{}).keep_until_ms;
        if (until_ms <= now_ms)
            ++work_->over;
        else
            work_->kept_until_ms.push_back(until_ms);
    }
    if (result != SQLITE_DONE) return result;
    return seen < limit ? judge_generation() : SQLITE_OK;
}

int Cleaner::judge_generation() {
    std::vector<std::int64_t>& kept = work_->kept_until_ms;
    const std::size_t may_move = (work_->over + kept.size()) / kMovedShare;
    if (kept.size() <= may_move) {
        work_->emptying = true;
        work_->done = RecordId::of(work_->generation, 0);
        return SQLITE_OK;
    }
    // When all but a quarter are over, if nothing changes.
    const auto until = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() - may_move - 1);
    std::ranges::nth_element(kept, until);
    return look_again(*until == kStays ? tables_.time->now_ms() + kLookAgainMs : *until);
}

int Cleaner::look_again(std::int64_t due_ms) {
    Transaction transaction(tables_);
    int result = transaction.begin();
    if (result != SQLITE_OK) return result;
    Statement update =
        tables_.connection.prepare("UPDATE generation SET due_ms = ?2 WHERE number = ?1");
    result = update.bind(1, work_->generation).bind(2, due_ms).run();
    if (result != SQLITE_OK) return result;
    transaction.wrote();
    if (result = transaction.commit(); result != SQLITE_OK) return result;
    tables_.catalog.set_due(work_->generation, due_ms);
    work_.reset();
    return SQLITE_OK;
}

int Cleaner::empty(store::SweepReport& report, std::size_t limit) {
    const auto next = ids_after(work_->done, limit);
    if (!next) return next.error();
    const std::vector<RecordId>& ids = *next;
    if (ids.empty())
        return work_->stays ? look_again(tables_.time->now_ms() + kLookAgainMs)
                            : drop_index(report, limit);
    store::SweepReport removed;
    Transaction transaction(tables_);
    int result = transaction.begin();
    if (result != SQLITE_OK) return result;
    for (const RecordId record : ids) {
        auto found = tables_.finder.load(record);
        if (!found) return found.error();
        if (!*found) continue;
        if (!(*found)->readable) {
            work_->stays = true;
            continue;
        }
        if (result = empty_row(transaction, std::move(**found), removed); result != SQLITE_OK)
            return result;
    }
    if (result = transaction.commit(); result != SQLITE_OK) return result;
    work_->done = ids.back();
    report.removed += removed.removed;
    return SQLITE_OK;
}

int Cleaner::empty_row(Transaction& transaction, RowFinder::Found found,
                       store::SweepReport& report) {
    const RecordId record = found.record;
    const record::Expire expire{found.row.identity};
    const auto reply = transaction.apply_at(std::move(found), expire);
    if (!reply) return reply.error();
    if (reply->outcome == Outcome::removed || reply->outcome == Outcome::shrunk) ++report.removed;
    if (reply->outcome == Outcome::removed) return SQLITE_OK;
    return transaction.move(record, reply->row);
}

int Cleaner::drop_index(store::SweepReport& report, std::size_t limit) {
    const std::uint32_t generation = work_->generation;
    const auto bounded = static_cast<std::int64_t>(limit);
    Transaction transaction(tables_);
    int result = transaction.begin();
    if (result != SQLITE_OK) return result;
    const auto cut = [&](const char* sql, std::int64_t from, std::int64_t to) {
        Statement statement = tables_.connection.prepare(sql);
        result = statement.bind(1, from).bind(2, to).bind(3, bounded).run();
        return sqlite3_changes(tables_.connection.handle()) > 0;
    };
    bool left =
        cut("DELETE FROM identity WHERE generation = ?1 AND identity IN (SELECT identity FROM "
            "identity WHERE "
            "generation BETWEEN ?1 AND ?2 ORDER BY identity LIMIT ?3)",
            generation, generation);
    if (result == SQLITE_OK && !left)
        left =
            cut("DELETE FROM name WHERE (generation, hash, position) IN (SELECT generation, hash, "
                "position FROM name "
                "WHERE generation BETWEEN ?1 AND ?2 ORDER BY generation, hash, position LIMIT ?3)",
                generation, generation);
    if (result == SQLITE_OK && !left)
        left =
            cut("DELETE FROM timeline WHERE (record, number) IN (SELECT record, number FROM "
                "timeline WHERE record "
                "BETWEEN ?1 AND ?2 ORDER BY record, number LIMIT ?3)",
                RecordId::of(generation, 0).value, last_of(generation).value);
    if (result == SQLITE_OK && !left)
        result = transaction.drop_weights(place_of(RecordId::of(generation, 0)));
    if (result == SQLITE_OK && !left)
        (void)cut("DELETE FROM generation WHERE number BETWEEN ?1 AND ?2 AND ?3 > 0", generation,
                  generation);
    if (result != SQLITE_OK) return result;
    transaction.wrote();
    if (result = transaction.commit(); result != SQLITE_OK) return result;
    if (left) return SQLITE_OK;
    tables_.catalog.drop(generation);
    work_.reset();
    report.more = due_generation().has_value();
    return SQLITE_OK;
}

}  // namespace pawl::sqlite
