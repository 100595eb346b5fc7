// SPDX-License-Identifier: Apache-2.0
#include "store/port/self_test.hpp"

#include <cstring>

namespace pawl::store {
namespace {

constexpr std::int64_t kLeaseMs = 30'000;

record::Claim test_claim(const Digest& identity, const record::Owner& owner, Entropy& entropy) {
    record::Claim claim;
    claim.identity = identity;
    claim.fingerprint = sha256("self-test");
    claim.rule = sha256("self-test rule");
    claim.owner = owner;
    claim.lease_ms = kLeaseMs;
    claim.tenant = kSelfTestOperation;  // of nobody's, so that nobody's limits are met
    claim.operation = kSelfTestOperation;
    entropy.fill(std::as_writable_bytes(std::span(claim.claim.bytes)));
    return claim;
}

std::unexpected<Error> wrong(std::string step, record::Outcome outcome) {
    return fail(Code::store_weak, "The store's self-test failed: " + step,
                std::string(name_of(outcome)), "self_test");
}

}  // namespace

Task<Status> self_test(Records& records, Loop& loop, record::Owner owner) {
    std::string nonce(16, '\0');
    loop.entropy().fill(std::as_writable_bytes(std::span(nonce)));
    const Digest identity = sha256_parts(kSelfTestOperation, {nonce});

    const record::Claim first = test_claim(identity, owner, loop.entropy());
    const auto bought = co_await records.apply(first);
    if (!bought) co_return fail(bought.error());
    if (bought->outcome != record::Outcome::acquired)
        co_return wrong("a new key was not acquired", bought->outcome);
    const record::Row& row = bought->row;
    if (row.fence == record::Fence{}) co_return wrong("a claim has no fence", bought->outcome);
    if (row.lease_until_ms - row.changed_ms != kLeaseMs)
        co_return wrong("a lease has another length", bought->outcome);

    const auto refused = co_await records.apply(test_claim(identity, owner, loop.entropy()));
    if (!refused) co_return fail(refused.error());
    if (refused->outcome != record::Outcome::in_progress)
        co_return wrong("a second claim was not refused", refused->outcome);

    const auto released = co_await records.apply(record::Release{identity, first.claim, row.fence});
    if (!released) co_return fail(released.error());
    if (released->outcome != record::Outcome::freed)
        co_return wrong("a release did not free", released->outcome);

    const auto again = co_await records.apply(test_claim(identity, owner, loop.entropy()));
    if (!again) co_return fail(again.error());
    if (again->outcome != record::Outcome::acquired)
        co_return wrong("a freed key was not acquired", again->outcome);
    if (!(again->row.fence > row.fence)) co_return wrong("a fence did not rise", again->outcome);
    const auto gone =
        co_await records.apply(record::Release{identity, again->row.claim, again->row.fence});
    if (!gone) co_return fail(gone.error());
    co_return Status{};
}

}  // namespace pawl::store
