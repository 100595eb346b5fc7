// SPDX-License-Identifier: Apache-2.0
// A store's file as a person reads it who has no server: one state of it, on a read-only connection, with or
// without a writer beside it. Changes nothing; every mutating call is refused.
#pragma once

#include "store/port/records.hpp"
#include "store/sqlite/look_ups.hpp"
#include "store/sqlite/tables.hpp"

namespace pawl::sqlite {

class FileLooks final : public store::Records {
  public:
    // `clock` outlives it. Errors: not_found, store_corrupt, store_newer, store_readonly (its folder cannot be
    // written, which even reading needs), unavailable.
    static Result<std::unique_ptr<FileLooks>> open(const std::string& path, const Clock& clock);

    store::Capabilities capabilities() const override { return {}; }
    Task<Result<store::Reply>> apply(record::Call call) override;
    Task<Result<std::optional<store::Stored>>> read(Digest identity) override;
    Task<Result<store::SweepReport>> sweep(std::size_t limit) override;
    Task<Result<std::vector<record::Row>>> unresolved(store::UnresolvedQuery query) override;
    Task<Result<store::Totals>> totals() override;
    void note(store::TimelineEntry) override {}
    Task<Result<std::vector<store::TimelineEntry>>> timeline(Digest identity) override;
    Task<Result<std::vector<Digest>>> find(store::LookUp kind, std::string value,
                                           std::size_t limit) override;

    // The flows beside the records, and rows of them that could not be read.
    LookUps& look_ups() { return *look_ups_; }
    store::DamageBook& damage() { return damage_; }

  private:
    explicit FileLooks(StoreFile file) : tables_(std::move(file)) {}
    Status load(const Clock& clock);

    Tables tables_;
    store::DamageBook damage_;
    std::optional<LookUps> look_ups_;
};

}  // namespace pawl::sqlite
