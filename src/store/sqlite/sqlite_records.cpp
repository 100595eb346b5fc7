// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/sqlite_records.hpp"

#include "store/sqlite/asking.hpp"

namespace pawl::sqlite {

SqliteRecords::SqliteRecords(Writer& writer, Loop& loop)
    : writer_(writer), loop_(loop), inbox_(std::make_shared<LoopInbox>(loop.executor())) {}

SqliteRecords::~SqliteRecords() { inbox_->close(); }

store::Capabilities SqliteRecords::capabilities() const { return writer_.capabilities(); }

Task<Result<store::Reply>> SqliteRecords::apply(record::Call call) {
    const auto slot = std::make_shared<ReplyTo>(loop_);
    if (!writer_.submit(std::move(call), {inbox_, slot})) co_return queue_full();
    co_return co_await ReplyTo::take(slot);
}

Task<Status> SqliteRecords::probe() {
    return ask<void>(loop_, inbox_, &writer_, [](Engine& engine) { return engine.probe(); });
}

Task<Result<std::optional<store::Stored>>> SqliteRecords::read(Digest identity) {
    const auto slot = std::make_shared<ReadTo>(loop_);
    if (!writer_.reader().submit(identity, {inbox_, slot})) co_return queue_full();
    co_return co_await ReadTo::take(slot);
}

Task<Result<store::SweepReport>> SqliteRecords::sweep(std::size_t limit) {
    return ask<store::SweepReport>(loop_, inbox_, &writer_,
                                   [limit](Engine& engine) { return engine.sweep(limit); });
}

Task<Result<std::vector<record::Row>>> SqliteRecords::unresolved(store::UnresolvedQuery query) {
    return ask<std::vector<record::Row>>(
        loop_, inbox_, &writer_.reader(),
        [query = std::move(query)](LookUps& there) { return there.unresolved(query); });
}

Task<Result<store::Totals>> SqliteRecords::totals() { co_return writer_.totals(); }

void SqliteRecords::note(store::TimelineEntry entry) { writer_.note(std::move(entry)); }

Task<Result<std::vector<store::TimelineEntry>>> SqliteRecords::timeline(Digest identity) {
    return ask<std::vector<store::TimelineEntry>>(
        loop_, inbox_, &writer_.reader(),
        [identity](LookUps& there) { return there.timeline(identity); });
}

Task<Result<std::vector<Digest>>> SqliteRecords::find(store::LookUp kind, std::string value,
                                                      std::size_t limit) {
    return ask<std::vector<Digest>>(loop_, inbox_, &writer_.reader(),
                                    [kind, value = std::move(value), limit](LookUps& there) {
                                        return there.find(kind, value, limit);
                                    });
}

}  // namespace pawl::sqlite
