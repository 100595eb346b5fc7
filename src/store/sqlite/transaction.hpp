// SPDX-License-Identifier: Apache-2.0
// One commit: reads a record, judges the call on it, writes what was judged; then everything at once or
// nothing. BEGIN IMMEDIATE takes the write lock before the first read. There are no savepoints: a call that
// is refused has written nothing, because it is judged first.
#pragma once

#include "core/record/call.hpp"
#include "core/record/judge.hpp"
#include "store/port/records.hpp"
#include "store/sqlite/tables.hpp"

namespace pawl::sqlite {

// SQLite lets no transaction commit that has met a damaged page. Then answers are read after the commit.
enum class Answers : std::uint8_t { along, afterwards };

// What a reply brings of its record's answer, if any. SQLITE_OK or an extended code; a replay that has none is expired.
int take_answer_along(Tables& tables, store::Reply& reply, std::int64_t now_ms);

class Transaction {
  public:
    // `tables` outlives it.
    explicit Transaction(Tables& tables, Answers answers = Answers::along);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    // Rolls back what was not committed, in memory too.
    ~Transaction();

    // SQLITE_OK or an extended code, as are all integers here.
    int begin();
    Coded<store::Reply> apply(const record::Call& call);
    // On a record whose place is known; `unchanged` when it is gone. The call names the row's own identity.
    Coded<store::Reply> apply_at(RowFinder::Found found, const record::Call& call);
    // For commits that write more than a record: what apply() does, in parts.
    Coded<std::optional<RowFinder::Found>> find(const Digest& identity);
    bool is_over_limit(const record::Claim& claim) const;
    // A claim completed in one step; `found` is the row as find() gave it.
    int put_completed(const record::Row& before, const record::Row& after,
                      const record::Answer& answer, const std::optional<RowFinder::Found>& found);
    // The row, as its bytes are, goes on living in the open generation.
    int move(RecordId from, const record::Row& row);
    int remove(RecordId record, const record::Row& before);
    // All of a place is gone, or is about to go.
    int drop_weights(std::int64_t place);
    // So many bytes of flows of this tenant more, or fewer.
    void weigh_flow(const std::string& tenant, std::int64_t bytes);
    // For statements of others in this transaction, and to have the commit write the mark.
    void wrote() { wrote_ = true; }
    int commit();

    std::int64_t now_ms() const { return now_ms_; }
    // Where a result would have to be written, the file is damaged: no claim may be bought.
    bool answers_are_damaged() const { return answers_are_damaged_; }
    // An answer could not be read along: nothing is committed, try again without.
    bool answer_failed() const { return answer_failed_; }

  private:
    Coded<store::Reply> judge(std::optional<RowFinder::Found> found, const record::Call& call);
    int write(const record::Row& before, const record::Verdict& verdict,
              const std::optional<RowFinder::Found>& found);
    int write_forgotten(const record::Row& before, const record::Forget& forget);
    int write_answer(const record::Row& before, const record::Verdict& verdict);
    int look_where_the_answer_goes(const record::Row& row);
    int insert(const record::Row& row);
    int name(RecordId record, const record::Row& before, const record::Row& after);
    int track(RecordId record, const record::Row& before, const record::Row& after);
    void count(const record::Row& before, const record::Row& after);
    // So many bytes of this tenant more, or fewer, in a place; written and counted with the commit.
    void weigh(std::int64_t place, std::uint64_t tenant, std::int64_t bytes);
    void weigh(std::int64_t place, const record::Row& row, std::int64_t bytes) {
        weigh(place, store::burdened_by(row).tenant, bytes);
    }
    int write_weights();
    bool has_room(const record::Claim& claim) const;
    int remove_row(RecordId record, const record::Row& before);

    Tables& tables_;
    Answers answers_;
    std::int64_t now_ms_;
    Catalog::Size open_size_;
    std::vector<StateChange> changes_;
    struct Counted {
        store::Burdened who;
        bool added;
    };
    std::vector<Counted> counted_;
    std::vector<store::StoredBytes::Change> weights_;
    std::vector<std::int64_t> dropped_;
    std::pair<std::string, std::uint64_t> flow_tenant_;  // the last one, and its hash
    std::int64_t slot_looked_at_ = -1;
    bool answers_are_damaged_ = false;
    bool answer_failed_ = false;
    bool wrote_ = false;
    bool done_ = false;
};

}  // namespace pawl::sqlite
