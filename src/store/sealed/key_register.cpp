// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/key_register.hpp"

#include <fmt/format.h>

namespace pawl::store {
namespace {

constexpr std::int64_t kLeaseMs = 30'000;
constexpr std::size_t kKeysMax = 1'000;
// One byte more than the longest key of a request.
constexpr std::size_t kLabelBytes = 256;

Digest identity_of(std::string_view id) { return sha256_parts(kSealingOperation, {id}); }

record::Claim claim_for(const std::string& id, record::Owner owner, Entropy& entropy) {
    record::Claim claim;
    claim.identity = identity_of(id);
    claim.fingerprint = claim.identity;
    claim.rule = sha256(kSealingOperation);
    claim.owner = std::move(owner);
    claim.lease_ms = kLeaseMs;
    claim.keep = {record::kForever, record::kForever};
    claim.tenant = kSealingOperation;  // of nobody's, so that nobody's limits are met
    claim.operation = kSealingOperation;
    claim.key_label = sealing_label();
    claim.trace_id = id;
    entropy.fill(std::as_writable_bytes(std::span(claim.claim.bytes)));
    return claim;
}

record::Answer registered() {
    record::Answer answer;
    answer.status = 200;
    return answer;
}

Task<Status> register_key(Records& records, Loop& loop, record::Owner owner, std::string id) {
    const auto bought = co_await records.apply(claim_for(id, std::move(owner), loop.entropy()));
    if (!bought) co_return fail(bought.error());
    const record::Row& row = bought->row;
    if (row.state == record::State::completed) co_return Status{};
    Result<Reply> stored = *bought;
    if (record::is_acquired(bought->outcome)) {
        stored = co_await records.apply(
            record::Complete{row.identity, row.claim, row.fence, registered()});
    } else {
        // A start that was killed in between.
        record::Settle settle;
        settle.identity = row.identity;
        settle.fence = row.fence;
        settle.answer = registered();
        stored = co_await records.apply(std::move(settle));
    }
    if (!stored) co_return fail(stored.error());
    if (stored->row.state == record::State::completed) co_return Status{};
    co_return fail(Code::store_weak, fmt::format("The encryption key {} cannot be registered.", id),
                   std::string(name_of(stored->outcome)), "store.sealed");
}

}  // namespace

std::string sealing_label() {
    std::string label(kSealingOperation);
    label.resize(kLabelBytes, '.');
    return label;
}

Task<Status> register_keys(Records& records, Loop& loop, record::Owner owner, SealingKeys keys) {
    const auto named = co_await records.find(LookUp::key, sealing_label(), kKeysMax);
    if (!named) co_return fail(named.error());
    for (const Digest& identity : *named) {
        const auto stored = co_await records.read(identity);
        if (!stored) co_return fail(stored.error());
        if (!*stored) continue;  // forgotten: what was sealed under it is over
        const record::Row& row = (*stored)->row;
        const std::string& id = row.trace_id;
        if (row.operation != kSealingOperation || row.identity != identity_of(id)) continue;
        if (keys.find(id) == nullptr)
            co_return fail(
                Code::config_invalid,
                fmt::format(
                    "The store holds answers that are encrypted under the key {}, which is not "
                    "configured: repeats of theirs could not be answered. Name it in "
                    "`store.encryption`, as `key` or among `previous`.",
                    id),
                {}, "store.sealed");
    }
    if (keys.current)
        co_return co_await register_key(records, loop, std::move(owner), keys.current->id());
    co_return Status{};
}

}  // namespace pawl::store
