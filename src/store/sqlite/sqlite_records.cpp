// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::sqlite {
namespace {

std::unexpected<Error> queue_full() {
    return fail(Code::unavailable,
                "Too many calls wait for the store; this one was not carried out.", {},
                "store.sqlite");
}

}  // namespace

SqliteRecords::SqliteRecords(Writer& writer, Loop& loop)
    : writer_(writer), loop_(loop), inbox_(std::make_shared<LoopInbox>(loop.executor())) {}

SqliteRecords::~SqliteRecords() { inbox_->close(); }

template <class T, class Side, class Look>
Task<Result<T>> SqliteRecords::ask(Side* side, Look look) {
    using Slot = store::ReplySlot<Result<T>>;
    const auto slot = std::make_shared<Slot>(loop_);
    const bool queued = side->submit([look = std::move(look), inbox = inbox_,
                                      to = std::weak_ptr<Slot>(slot)](auto& there) mutable {
        inbox->post([to, found = look(there)]() mutable {
            if (const auto waiting = to.lock()) waiting->set(std::move(found));
        });
    });
    if (!queued) co_return queue_full();
    co_return co_await Slot::take(slot);
}

store::Capabilities SqliteRecords::capabilities() const { return writer_.capabilities(); }

Task<Result<store::Reply>> SqliteRecords::apply(record::Call call) {
    const auto slot = std::make_shared<ReplyTo>(loop_);
    if (!writer_.submit(std::move(call), {inbox_, slot})) co_return queue_full();
    co_return co_await ReplyTo::take(slot);
}

Task<Status> SqliteRecords::probe() {
    return ask<void>(&writer_, [](Engine& engine) { return engine.probe(); });
}

Task<Result<std::optional<store::Stored>>> SqliteRecords::read(Digest identity) {
    const auto slot = std::make_shared<ReadTo>(loop_);
    if (!writer_.reader().submit(identity, {inbox_, slot})) co_return queue_full();
    co_return co_await ReadTo::take(slot);
}

Task<Result<store::SweepReport>> SqliteRecords::sweep(std::size_t limit) {
    return ask<store::SweepReport>(&writer_,
                                   [limit](Engine& engine) { return engine.sweep(limit); });
}

Task<Result<std::vector<record::Row>>> SqliteRecords::unresolved(store::UnresolvedQuery query) {
    return ask<std::vector<record::Row>>(
        &writer_.reader(),
        [query = std::move(query)](LookUps& there) { return there.unresolved(query); });
}

Task<Result<store::Totals>> SqliteRecords::totals() { co_return writer_.totals(); }

void SqliteRecords::note(store::TimelineEntry entry) { writer_.note(std::move(entry)); }

Task<Result<std::vector<store::TimelineEntry>>> SqliteRecords::timeline(Digest identity) {
    return ask<std::vector<store::TimelineEntry>>(
        &writer_.reader(), [identity](LookUps& there) { return there.timeline(identity); });
}

Task<Result<std::vector<Digest>>> SqliteRecords::find(store::LookUp kind, std::string value,
                                                      std::size_t limit) {
    return ask<std::vector<Digest>>(&writer_.reader(),
                                    [kind, value = std::move(value), limit](LookUps& there) {
                                        return there.find(kind, value, limit);
                                    });
}

}  // namespace pawl::sqlite
