// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/transaction.hpp"

#include <bit>
#include <ranges>

#include <sqlite3.h>

#include "store/port/shelf.hpp"
#include "store/sqlite/row_frame.hpp"
#include "store/sqlite/timeline.hpp"

namespace pawl::sqlite {

using record::Outcome;
using record::Row;
using record::State;

namespace {

record::Fence next_fence(const Tables& tables) { return {tables.last_fence + 1}; }

// The result that an answer belongs to, as the row had it before.
const record::Settled* result_of(const Row& row, record::Fence fence) {
    if (row.settled && row.settled->fence == fence) return &*row.settled;
    if (row.beside && row.beside->fence == fence) return &*row.beside;
    return nullptr;
}

}  // namespace

int take_answer_along(Tables& tables, store::Reply& reply, std::int64_t now_ms) {
    if (!store::carries_answer(reply.outcome) || reply.row.state != State::completed)
        return SQLITE_OK;
    auto answer = stored_answer(tables.select_answer, reply.row, now_ms);
    if (answer) reply.answer = std::move(*answer);
    // It took effect, and what was answered cannot be read any more.
    if (!reply.answer && reply.outcome == Outcome::replay) reply.outcome = Outcome::expired;
    return answer ? SQLITE_OK : answer.error();
}

Transaction::Transaction(Tables& tables, Answers answers)
    : tables_(tables),
      answers_(answers),
      now_ms_(tables.time->now_ms()),
      open_size_(tables.catalog.open_size()) {
    tables_.unresolved.count_lapsed(now_ms_, tables_.counts);
}

Transaction::~Transaction() {
    if (done_) return;
    if (tables_.connection.in_transaction()) (void)tables_.rollback.run();
    tables_.catalog.cut_open(open_size_);
    for (const Counted& counted : counted_ | std::views::reverse)
        counted.added ? tables_.counts.remove(counted.who) : tables_.counts.add(counted.who);
}

int Transaction::begin() {
    tables_.phase = Phase::statement;
    return tables_.begin.run();
}

int Transaction::commit() {
    if (const int weighed = write_weights(); weighed != SQLITE_OK) return weighed;
    if (wrote_) {
        const int marked =
            tables_.write_mark.bind(1, std::bit_cast<std::int64_t>(tables_.last_fence))
                .bind(2, now_ms_)
                .bind(3, std::bit_cast<std::int64_t>(tables_.boot))
                .run();
        if (marked != SQLITE_OK) return marked;
    }
    tables_.phase = Phase::commit;
    const int result = tables_.commit.run();
    if (result != SQLITE_OK) return result;
    tables_.phase = Phase::statement;
    done_ = true;
    tables_.unresolved.apply(changes_);
    for (const store::StoredBytes::Change& weight : weights_) tables_.stored.apply(weight);
    for (const std::int64_t place : dropped_) tables_.stored.drop(place);
    return SQLITE_OK;
}

void Transaction::weigh(std::int64_t place, std::uint64_t tenant, std::int64_t bytes) {
    if (bytes == 0) return;
    for (store::StoredBytes::Change& one : weights_)
        if (one.place == place && one.tenant == tenant) {
            one.bytes += bytes;
            return;
        }
    weights_.push_back({place, tenant, bytes});
}

void Transaction::weigh_flow(const std::string& tenant, std::int64_t bytes) {
    if (flow_tenant_.second == 0 || flow_tenant_.first != tenant) {
        record::Claim whose;
        whose.tenant = tenant;
        flow_tenant_ = {tenant, store::burdened_by(whose).tenant};
    }
    weigh(kFlowsPlace, flow_tenant_.second, bytes);
}

int Transaction::write_weights() {
    for (const store::StoredBytes::Change& weight : weights_) {
        const int added = tables_.add_stored.bind(1, weight.place)
                              .bind(2, std::bit_cast<std::int64_t>(weight.tenant))
                              .bind(3, weight.bytes)
                              .run();
        if (added != SQLITE_OK) return added;
    }
    return SQLITE_OK;
}

int Transaction::drop_weights(std::int64_t place) {
    wrote_ = true;
    dropped_.push_back(place);
    return tables_.drop_stored.bind(1, place).run();
}

bool Transaction::has_room(const record::Claim& claim) const {
    if (tables_.limits.stored_bytes_per_tenant == store::kStoredBytesUnlimited) return true;
    const std::uint64_t tenant = store::burdened_by(claim).tenant;
    auto bytes = static_cast<std::int64_t>(tables_.stored.of(tenant));
    for (const store::StoredBytes::Change& weight : weights_)
        if (weight.tenant == tenant) bytes += weight.bytes;
    return bytes < 0 || static_cast<std::uint64_t>(bytes) < tables_.limits.stored_bytes_per_tenant;
}

Coded<std::optional<RowFinder::Found>> Transaction::find(const Digest& identity) {
    auto found = tables_.finder.find(identity);
    if (found && *found && !(*found)->readable)
        tables_.unresolved.add_unreadable((*found)->record, now_ms_);
    return found;
}

bool Transaction::is_over_limit(const record::Claim& claim) const {
    return tables_.counts.is_full(store::burdened_by(claim), tables_.limits) || !has_room(claim);
}

int Transaction::put_completed(const Row& before, const Row& after, const record::Answer& answer,
                               const std::optional<RowFinder::Found>& found) {
    record::Verdict verdict;
    verdict.row = after;
    verdict.store = &answer;
    // The result of an older stamp is not needed beside this one.
    if (before.settled && before.settled->fence != after.settled->fence)
        verdict.drop = before.settled->fence;
    wrote_ = true;
    tables_.last_fence = after.fence.number;
    if (const int looked = look_where_the_answer_goes(after); looked != SQLITE_OK) return looked;
    return write(before, verdict, found);
}

Coded<store::Reply> Transaction::apply(const record::Call& call) {
    auto found = find(record::identity_of(call));
    if (!found) return std::unexpected(found.error());
    return judge(std::move(*found), call);
}

Coded<store::Reply> Transaction::apply_at(RowFinder::Found found, const record::Call& call) {
    return judge(std::move(found), call);
}

Coded<store::Reply> Transaction::judge(std::optional<RowFinder::Found> found,
                                       const record::Call& call) {
    Row before;
    before.identity = record::identity_of(call);
    if (found) before = std::move(found->row);
    if (const auto* claim = std::get_if<record::Claim>(&call);
        !found && claim != nullptr && is_over_limit(*claim))
        return store::Reply{Outcome::limited, std::move(before), {}};
    record::Verdict verdict = record::judge(before, call, now_ms_, next_fence(tables_));
    if (verdict.fence_used) {
        tables_.last_fence = verdict.row.fence.number;
        if (const int looked = look_where_the_answer_goes(verdict.row); looked != SQLITE_OK)
            return std::unexpected(looked);
    }
    if (verdict.changed) {
        wrote_ = true;
        if (const int result = write(before, verdict, found); result != SQLITE_OK)
            return std::unexpected(result);
    }
    if (const auto* forget = std::get_if<record::Forget>(&call); forget && verdict.changed)
        if (const int result = write_forgotten(before, *forget); result != SQLITE_OK)
            return std::unexpected(result);
    store::Reply reply;
    reply.outcome = verdict.outcome;
    reply.row = std::move(verdict.row);
    if (answers_ == Answers::afterwards) return reply;
    if (const int read = take_answer_along(tables_, reply, now_ms_); read != SQLITE_OK) {
        answer_failed_ = true;
        return std::unexpected(read);
    }
    return reply;
}

int Transaction::write(const Row& before, const record::Verdict& verdict,
                       const std::optional<RowFinder::Found>& found) {
    if (const int result = write_answer(before, verdict); result != SQLITE_OK) return result;
    if (!found) return insert(verdict.row);
    if (verdict.row.state == State::absent) return remove(found->record, before);
    const std::string frame = frame_of(verdict.row, found->frame_size);
    const int updated = tables_.update_record.bind(1, found->record.value).bind(2, frame).run();
    if (updated != SQLITE_OK) return updated;
    weigh(place_of(found->record), verdict.row,
          static_cast<std::int64_t>(frame.size()) - static_cast<std::int64_t>(found->frame_size));
    if (const int named = name(found->record, before, verdict.row); named != SQLITE_OK)
        return named;
    return track(found->record, before, verdict.row);
}

int Transaction::write_forgotten(const Row& before, const record::Forget& forget) {
    const store::TimelineEntry entry = store::forgotten_entry(before, forget, now_ms_);
    return tables_.insert_forgotten.bind(1, before.identity.view())
        .bind(2, before.key_label.empty() ? 0 : key_hash(before.key_label))
        .bind(3, now_ms_)
        .bind(4, encode_entry(entry))
        .run();
}

int Transaction::write_answer(const Row& before, const record::Verdict& verdict) {
    if (verdict.drop) {
        const record::Settled* old = result_of(before, *verdict.drop);
        if (old != nullptr && old->result_until_ms != 0) {
            const std::int64_t id = answer_id(old->result_until_ms, old->fence);
            if (const int measured = tables_.measure_answer.bind(1, id).step();
                measured == SQLITE_ROW) {
                weigh(place_of_answer(id), before, -tables_.measure_answer.integer(0));
                tables_.measure_answer.reset();
            } else if (measured != SQLITE_DONE) {
                return measured;
            }
            const int dropped = tables_.delete_answer.bind(1, id).run();
            if (dropped != SQLITE_OK) return dropped;
        }
    }
    if (verdict.store == nullptr) return SQLITE_OK;
    const record::Settled& settled = *verdict.row.settled;
    const std::string bytes = record::encode(*verdict.store);
    const std::int64_t id = answer_id(settled.result_until_ms, settled.fence);
    weigh(place_of_answer(id), verdict.row, static_cast<std::int64_t>(bytes.size()));
    return tables_.put_answer.bind(1, id).bind(2, bytes).run();
}

// Answers are written at the end of their slot: one look for all claims of a commit that are kept as long.
int Transaction::look_where_the_answer_goes(const Row& row) {
    const std::int64_t until_ms =
        row.keep.result_ms == record::kForever ? record::kForever : now_ms_ + row.keep.result_ms;
    const std::int64_t id = answer_id(until_ms, row.fence);
    const std::int64_t slot = id >> kFenceBits;
    if (slot == slot_looked_at_) return SQLITE_OK;
    slot_looked_at_ = slot;
    const int result = tables_.select_answer.bind(1, id).run();
    answers_are_damaged_ = (result & 0xFF) == SQLITE_CORRUPT;
    return result;
}

int Transaction::insert(const Row& row) {
    const RecordId record = tables_.catalog.add(row.identity);
    const std::string frame = frame_of(row, 0);
    const int inserted = tables_.insert_record.bind(1, record.value).bind(2, frame).run();
    if (inserted != SQLITE_OK) return inserted;
    weigh(place_of(record), row, static_cast<std::int64_t>(frame.size()));
    if (!row.key_label.empty()) tables_.catalog.add_name(record, key_hash(row.key_label));
    if (!row.trace_id.empty()) tables_.catalog.add_name(record, trace_hash(row.trace_id));
    return track(record, Row{}, row);
}

// A retry brings a trace of its own. Names in memory are read back from the rows, which know the latest
// only: an earlier one goes to the table.
int Transaction::name(RecordId record, const Row& before, const Row& after) {
    const auto write_name = [&](std::int64_t hash) {
        return tables_.insert_name.bind(1, record.generation())
            .bind(2, hash)
            .bind(3, record.position())
            .run();
    };
    int result = SQLITE_OK;
    if (before.trace_id != after.trace_id) {
        if (!before.trace_id.empty()) result = write_name(trace_hash(before.trace_id));
        if (result == SQLITE_OK && !after.trace_id.empty())
            result = write_name(trace_hash(after.trace_id));
    }
    if (result == SQLITE_OK && before.key_label != after.key_label) {
        if (!before.key_label.empty()) result = write_name(key_hash(before.key_label));
        if (result == SQLITE_OK && !after.key_label.empty())
            result = write_name(key_hash(after.key_label));
    }
    return result;
}

int Transaction::track(RecordId record, const Row& before, const Row& after) {
    const bool was = record::is_unresolved(before.state);
    const bool is = record::is_unresolved(after.state);
    if (!was && !is) return SQLITE_OK;
    count(before, after);
    changes_.push_back({record, after.state, after.changed_ms, after.lease_until_ms,
                        is ? store::burdened_by(after) : store::Burdened{}});
    if (was == is || !tables_.catalog.is_ready(record)) return SQLITE_OK;
    return (is ? tables_.insert_unresolved : tables_.delete_unresolved).bind(1, record.value).run();
}

void Transaction::count(const Row& before, const Row& after) {
    if (store::is_burden(before, now_ms_)) {
        counted_.push_back({store::burdened_by(before), false});
        tables_.counts.remove(counted_.back().who);
    }
    if (store::is_burden(after, now_ms_)) {
        counted_.push_back({store::burdened_by(after), true});
        tables_.counts.add(counted_.back().who);
    }
}

// What the row holds is no more counted in its place.
int Transaction::remove(RecordId record, const Row& before) {
    const int measured = tables_.measure_record.bind(1, record.value).step();
    if (measured == SQLITE_ROW) {
        weigh(place_of(record), before, -tables_.measure_record.integer(0));
        tables_.measure_record.reset();
    } else if (measured != SQLITE_DONE) {
        return measured;
    }
    return remove_row(record, before);
}

int Transaction::remove_row(RecordId record, const Row& before) {
    wrote_ = true;
    if (const int tracked = track(record, before, Row{}); tracked != SQLITE_OK) return tracked;
    const int deleted = tables_.delete_record.bind(1, record.value).run();
    return deleted != SQLITE_OK ? deleted : tables_.delete_timeline.bind(1, record.value).run();
}

int Transaction::move(RecordId from, const Row& row) {
    wrote_ = true;
    const RecordId record = tables_.catalog.add(row.identity);
    int result = tables_.copy_record.bind(1, from.value).bind(2, record.value).run();
    if (result != SQLITE_OK) return result;
    result = tables_.measure_record.bind(1, record.value).step();
    if (result != SQLITE_ROW) return result;
    weigh(place_of(record), row, tables_.measure_record.integer(0));
    tables_.measure_record.reset();
    if (!row.key_label.empty()) tables_.catalog.add_name(record, key_hash(row.key_label));
    if (!row.trace_id.empty()) tables_.catalog.add_name(record, trace_hash(row.trace_id));
    result = tables_.move_timeline.bind(1, from.value).bind(2, record.value).run();
    if (result == SQLITE_OK) result = remove(from, row);
    return result == SQLITE_OK ? track(record, Row{}, row) : result;
}

}  // namespace pawl::sqlite
