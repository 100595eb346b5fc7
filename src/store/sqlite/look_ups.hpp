// SPDX-License-Identifier: Apache-2.0
// What is read beside the writer, on a connection of its own or, where there is one thread only, on the
// writer's.
#pragma once

#include <span>

#include "store/port/records.hpp"
#include "store/port/store_time.hpp"
#include "store/sqlite/errand_tables.hpp"
#include "store/sqlite/flow_looks.hpp"
#include "store/sqlite/row_finder.hpp"
#include "store/sqlite/unresolved_set.hpp"

namespace pawl::sqlite {

class LookUps {
  public:
    // All outlive it. `beside_writer`: each look sees one state of the file, however long it takes.
    LookUps(const Connection& connection, const Catalog& catalog, const UnresolvedSet& unresolved,
            const store::StoreTime& time, store::DamageBook& damage, bool beside_writer);

    using Read = Result<std::optional<store::Stored>>;
    Read read(const Digest& identity);
    // All of one state of the file: it is taken hold of once.
    std::vector<Read> read_all(std::span<const Digest> identities);
    Result<std::vector<record::Row>> unresolved(const store::UnresolvedQuery& query);
    Result<std::vector<store::TimelineEntry>> timeline(const Digest& identity);
    Result<std::vector<Digest>> find(store::LookUp kind, const std::string& value,
                                     std::size_t limit);

    // Flows; each look is one state of the file by itself.
    FlowLooks& flows() { return flows_; }
    Result<store::Loaded> flow(const store::FlowSubject& subject);
    Result<store::DueRows> due(std::int64_t until_ms, std::size_t limit);
    Result<store::SagaRows> due_sagas(std::int64_t until_ms, std::size_t limit);
    // What lies in several rows: all of one state of the file.
    Result<store::OutboxLook> unsent(const std::string& sink, std::size_t limit);
    Result<std::vector<store::ParkedRow>> parked(const std::string& sink, std::size_t limit);
    Result<store::OutboxFigures> outbox_figures(const std::string& sink);
    Result<std::vector<std::string>> sinks();
    template <class T>
    Result<T> told(Coded<T> read) const {
        if (!read) return failed(read.error());
        return *std::move(read);
    }

  private:
    // Repeats `look` when generations changed under it.
    template <class Look>
    auto in_one_state(Look look);
    template <class T, class Look>
    Result<T> at_outbox(Look look);
    Coded<std::optional<store::Stored>> look_at(const Digest& identity);
    std::unexpected<Error> failed(int result) const;

    const Connection& connection_;
    const Catalog& catalog_;
    const UnresolvedSet& unresolved_;
    const store::StoreTime& time_;
    bool beside_writer_;
    RowFinder finder_;
    FlowLooks flows_;
    ErrandTables errands_;
    Statement begin_;
    Statement pin_;
    Statement end_;
    Statement select_answer_;
    Statement select_timeline_;
    Statement select_forgotten_;
    Statement find_forgotten_;
};

}  // namespace pawl::sqlite
