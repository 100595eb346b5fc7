// SPDX-License-Identifier: Apache-2.0
// Answers are sealed on their way into any store and opened on their way out (decision 0012). The store judges,
// compares and cleans as it always does; it sees another answer, of the same status. Whoever asks sees the answer as
// it was given, and the digest of that.
#pragma once

#include <memory>

#include "store/port/records.hpp"
#include "store/sealed/sealing_key.hpp"

namespace pawl::store {

class SealedRecords final : public Records {
  public:
    // Whatever is passed by reference outlives it. An answer that `keys` cannot open is not given out: a claim that
    // would be answered with it is `expired`, as with an answer that cannot be read.
    SealedRecords(Records& records, const SealingKeys& keys) : records_(records), keys_(keys) {}
    SealedRecords(std::unique_ptr<Records> records, const SealingKeys& keys)
        : owned_(std::move(records)), records_(*owned_), keys_(keys) {}

    Capabilities capabilities() const override { return records_.capabilities(); }
    Task<Result<Reply>> apply(record::Call call) override;
    Task<Status> probe() override { return records_.probe(); }
    Task<Result<std::optional<Stored>>> read(Digest identity) override;
    bool may_know(const Digest& identity) const override { return records_.may_know(identity); }
    Task<Result<SweepReport>> sweep(std::size_t limit) override { return records_.sweep(limit); }
    Task<Result<std::vector<record::Row>>> unresolved(UnresolvedQuery query) override {
        return records_.unresolved(std::move(query));
    }
    Task<Result<Totals>> totals() override { return records_.totals(); }
    void note(TimelineEntry entry) override { records_.note(std::move(entry)); }
    Task<Result<std::vector<TimelineEntry>>> timeline(Digest identity) override {
        return records_.timeline(identity);
    }
    Task<Result<std::vector<Digest>>> find(LookUp kind, std::string value,
                                           std::size_t limit) override {
        return records_.find(kind, std::move(value), limit);
    }

  private:
    void seal(record::Call& call) const;
    // False: there is an answer, and it cannot be opened.
    bool open(record::Row& row, std::optional<record::Answer>& answer) const;

    std::unique_ptr<Records> owned_;
    Records& records_;
    const SealingKeys& keys_;
};

}  // namespace pawl::store
