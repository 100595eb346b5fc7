// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_records.hpp"

namespace pawl::store {

Capabilities SimulatedRecords::capabilities() const { return server_.shelf().capabilities(); }

Task<void> SimulatedRecords::travel() {
    if (const auto delay = server_.delay(); delay.count() > 0) co_await loop_.sleep_for(delay);
}

Task<Result<Reply>> SimulatedRecords::apply(record::Call call) {
    const auto slot = std::make_shared<SimulatedServer::Slot>(loop_);
    server_.send(std::move(call), slot);
    co_return co_await SimulatedServer::Slot::take(slot);
}

Task<Result<std::optional<Stored>>> SimulatedRecords::read(Digest identity) {
    co_return co_await ask<std::optional<Stored>>(
        [this, identity] { return server_.shelf().read(identity); });
}

Task<Result<SweepReport>> SimulatedRecords::sweep(std::size_t limit) {
    co_return co_await ask<SweepReport>([this, limit] { return server_.shelf().sweep(limit); });
}

Task<Result<std::vector<record::Row>>> SimulatedRecords::unresolved(UnresolvedQuery query) {
    co_return co_await ask<std::vector<record::Row>>(
        [this, query] { return server_.shelf().unresolved(query); });
}

Task<Result<Totals>> SimulatedRecords::totals() {
    co_return co_await ask<Totals>([this] { return server_.shelf().totals(); });
}

void SimulatedRecords::note(TimelineEntry entry) { server_.shelf().note(std::move(entry)); }

Task<Result<std::vector<TimelineEntry>>> SimulatedRecords::timeline(Digest identity) {
    co_return co_await ask<std::vector<TimelineEntry>>([this, identity] {
        server_.shelf().tend();
        return server_.shelf().timeline(identity);
    });
}

Task<Result<std::vector<Digest>>> SimulatedRecords::find(LookUp kind, std::string value,
                                                         std::size_t limit) {
    co_return co_await ask<std::vector<Digest>>(
        [this, kind, value, limit] { return server_.shelf().find(kind, value, limit); });
}

}  // namespace pawl::store
