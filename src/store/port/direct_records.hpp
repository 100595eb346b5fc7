// SPDX-License-Identifier: Apache-2.0
// The port straight onto a shelf, on the calling thread, a commit per call: for tools and tests.
#pragma once

#include "store/port/shelf.hpp"

namespace pawl::store {

class DirectRecords final : public Records {
  public:
    // `shelf` outlives it.
    explicit DirectRecords(Shelf& shelf) : shelf_(shelf) {}

    Capabilities capabilities() const override { return shelf_.capabilities(); }
    Task<Result<Reply>> apply(record::Call call) override {
        co_return std::move(shelf_.commit({&call, 1}).front());
    }
    Task<Result<std::optional<Stored>>> read(Digest identity) override {
        co_return shelf_.read(identity);
    }
    bool may_know(const Digest& identity) const override { return shelf_.may_know(identity); }
    Task<Result<SweepReport>> sweep(std::size_t limit) override { co_return shelf_.sweep(limit); }
    Task<Result<std::vector<record::Row>>> unresolved(UnresolvedQuery query) override {
        co_return shelf_.unresolved(query);
    }
    Task<Result<Totals>> totals() override { co_return shelf_.totals(); }
    void note(TimelineEntry entry) override { shelf_.note(std::move(entry)); }
    Task<Result<std::vector<TimelineEntry>>> timeline(Digest identity) override {
        shelf_.tend();
        co_return shelf_.timeline(identity);
    }
    Task<Result<std::vector<Digest>>> find(LookUp kind, std::string value,
                                           std::size_t limit) override {
        co_return shelf_.find(kind, value, limit);
    }

  private:
    Shelf& shelf_;
};

}  // namespace pawl::store
