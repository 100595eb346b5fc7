// SPDX-License-Identifier: Apache-2.0
// The sweeper's and the cleaner's steps, each bounded. Leases that are over end. Answers whose slot is over
// go from the front. Records go by generations, the oldest due one at a time: it is read through; when three
// quarters of it are over it is emptied, what must stay moving to the open generation, and then its index
// and its timeline go. Else it is looked at again when that will be so. Unresolved records never go, and
// one that cannot be read keeps its place and its generation's index, which alone knows whose it is.
#pragma once

#include "store/sqlite/indexer.hpp"

namespace pawl::sqlite {

// The generation that is being read through or emptied, and how far.
struct CleaningWork {
    std::uint32_t generation = 0;
    bool emptying = false;
    RecordId done;       // up to here
    bool stays = false;  // a row in it cannot be read; only this generation's index finds it
    std::size_t over = 0;
    std::vector<std::int64_t> kept_until_ms;  // of those that stay
};

class Cleaner {
  public:
    Cleaner(Tables& tables, Indexer& indexer) : tables_(tables), indexer_(indexer) {}

    // Looks at, or removes, at most `limit` rows of each kind. `trusted`: the clocks agree; else nothing is
    // removed.
    Coded<store::SweepReport> sweep(std::size_t limit, bool trusted);

  private:
    int end_leases(store::SweepReport& report, std::size_t limit);
    int drop_answers(store::SweepReport& report, std::size_t limit);
    int drop_forgotten(std::size_t limit);
    int clean_generation(store::SweepReport& report, std::size_t limit);
    std::optional<std::uint32_t> due_generation() const;
    int read_through(std::size_t limit);
    int judge_generation();
    int look_again(std::int64_t due_ms);
    int empty(store::SweepReport& report, std::size_t limit);
    int empty_row(Transaction& transaction, RowFinder::Found found, store::SweepReport& report);
    int drop_index(store::SweepReport& report, std::size_t limit);
    Coded<std::vector<RecordId>> ids_after(RecordId after, std::size_t limit);

    Tables& tables_;
    Indexer& indexer_;
    std::optional<CleaningWork> work_;
};

}  // namespace pawl::sqlite
