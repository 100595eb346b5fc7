// SPDX-License-Identifier: Apache-2.0
// The port to the SQLite store for one event loop. Every loop of a process has one, all over one Writer; a
// call made on a loop resumes on it.
#pragma once

#include "store/sqlite/writer.hpp"

namespace pawl::sqlite {

class SqliteRecords final : public store::Records {
  public:
    // Both outlive it.
    SqliteRecords(Writer& writer, Loop& loop);
    SqliteRecords(const SqliteRecords&) = delete;
    SqliteRecords& operator=(const SqliteRecords&) = delete;
    // What is under way is carried out, and its answers are dropped.
    ~SqliteRecords() override;

    store::Capabilities capabilities() const override;
    Task<Result<store::Reply>> apply(record::Call call) override;
    Task<Status> probe() override;
    Task<Result<std::optional<store::Stored>>> read(Digest identity) override;
    bool may_know(const Digest& identity) const override { return writer_.may_know(identity); }
    Task<Result<store::SweepReport>> sweep(std::size_t limit) override;
    Task<Result<std::vector<record::Row>>> unresolved(store::UnresolvedQuery query) override;
    Task<Result<store::Totals>> totals() override;
    void note(store::TimelineEntry entry) override;
    Task<Result<std::vector<store::TimelineEntry>>> timeline(Digest identity) override;
    Task<Result<std::vector<Digest>>> find(store::LookUp kind, std::string value,
                                           std::size_t limit) override;

  private:
    Writer& writer_;
    Loop& loop_;
    std::shared_ptr<LoopInbox> inbox_;
};

}  // namespace pawl::sqlite
