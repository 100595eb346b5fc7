// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_records.hpp"

namespace pawl::store {

Capabilities SimulatedRecords::capabilities() const { return server_.shelf().capabilities(); }

Task<Result<Reply>> SimulatedRecords::apply(record::Call call) {
    const auto slot = std::make_shared<SimulatedServer::Slot>(loop_);
    server_.send(std::move(call), slot);
    co_return co_await SimulatedServer::Slot::take(slot);
}

Task<Result<std::optional<Stored>>> SimulatedRecords::read(Digest identity) {
    co_return co_await server_.ask<std::optional<Stored>>(
        loop_, [this, identity] { return server_.shelf().read(identity); });
}

Task<Result<SweepReport>> SimulatedRecords::sweep(std::size_t limit) {
    co_return co_await server_.ask<SweepReport>(
        loop_, [this, limit] { return server_.shelf().sweep(limit); });
}

Task<Result<std::vector<record::Row>>> SimulatedRecords::unresolved(UnresolvedQuery query) {
    co_return co_await server_.ask<std::vector<record::Row>>(
        loop_, [this, query] { return server_.shelf().unresolved(query); });
}

Task<Result<Totals>> SimulatedRecords::totals() {
    co_return co_await server_.ask<Totals>(loop_, [this] { return server_.shelf().totals(); });
}

void SimulatedRecords::note(TimelineEntry entry) { server_.shelf().note(std::move(entry)); }

Task<Result<std::vector<TimelineEntry>>> SimulatedRecords::timeline(Digest identity) {
    co_return co_await server_.ask<std::vector<TimelineEntry>>(loop_, [this, identity] {
        server_.shelf().tend();
        return server_.shelf().timeline(identity);
    });
}

Task<Result<std::vector<Digest>>> SimulatedRecords::find(LookUp kind, std::string value,
                                                         std::size_t limit) {
    co_return co_await server_.ask<std::vector<Digest>>(
        loop_, [this, kind, value, limit] { return server_.shelf().find(kind, value, limit); });
}

}  // namespace pawl::store
