// SPDX-License-Identifier: Apache-2.0
// A record under test: calls go through judge one after the other, with a store time that the test moves
// and fences from 1. Only for tests of this folder.
#pragma once

#include "core/record/judge.hpp"

namespace pawl::record {

inline constexpr std::int64_t kStart = 1'000'000;
inline constexpr std::int64_t kLease = 30'000;
inline constexpr std::int64_t kHorizon = 60'000;
inline constexpr std::int64_t kResultKept = 86'400'000;
inline constexpr std::int64_t kKeyKept = 400 * kResultKept;

inline ClaimId claim_id(std::uint8_t number) {
    ClaimId id;
    id.bytes[15] = number;
    return id;
}
inline Answer answer_of(std::string body, int status = 201) {
    return Answer{
        .status = status, .headers = {{"Content-Type", "text/plain"}}, .body = std::move(body)};
}
inline Stamp stamp_of(int number) { return Stamp{StampKind::integer, std::to_string(number)}; }

class Record {
  public:
    std::int64_t now_ms = kStart;
    std::uint64_t next = 1;
    Row row;
    Verdict last;
    bool rerunnable = false;
    std::uint64_t boot = 7;

    Outcome apply(const Call& call) {
        last = judge(row, call, now_ms, Fence{next});
        if (last.fence_used) next = last.row.fence.number + 1;
        row = last.row;
        return last.outcome;
    }

    Claim claim(std::uint8_t id, std::optional<int> stamp = {},
                std::string_view body = "body") const {
        Claim call;
        call.identity = sha256("identity");
        call.claim = claim_id(id);
        call.fingerprint =
            sha256(stamp ? std::string(body) + std::to_string(*stamp) : std::string(body));
        call.rule = sha256("rule");
        if (stamp) call.stamp = stamp_of(*stamp);
        call.owner = Owner{"node:1", boot};
        call.lease_ms = kLease;
        call.horizon_ms = kHorizon;
        call.rerunnable = rerunnable;
        call.keep = Keep{kResultKept, kKeyKept};
        call.tenant = "shop";
        call.operation = "orders.create";
        call.key_label = "k1";
        call.trace_id = "4bf92f35";
        return call;
    }
    Renew renew() const { return {row.identity, row.claim, row.fence, kLease}; }
    Complete complete(std::string body = "made") const {
        return {row.identity, row.claim, row.fence, answer_of(std::move(body))};
    }
    Release release() const { return {row.identity, row.claim, row.fence}; }
    Suspect suspect(bool listening = false) const {
        return {row.identity, row.claim, row.fence, listening};
    }
    Withdraw withdraw(std::uint8_t id) const { return {sha256("identity"), claim_id(id)}; }
    Settle settle(Basis basis) const {
        Settle call;
        call.identity = row.identity;
        call.fence = row.fence;
        call.basis = basis;
        call.source = Source::probe;
        if (basis == Basis::seen) call.answer = answer_of("found", 200);
        return call;
    }
    Lapse lapse() const { return {row.identity, row.fence}; }
    Expire expire() const { return {row.identity}; }
    Forget forget() const { return {row.identity, row.fence}; }

    // States to start from.
    void make_in_progress(std::optional<int> stamp = {}) { apply(claim(1, stamp)); }
    void make_lapsed(std::optional<int> stamp = {}) {
        make_in_progress(stamp);
        now_ms += kLease;
    }
    void make_uncertain(std::optional<int> stamp = {}) {
        make_in_progress(stamp);
        apply(suspect());
    }
    void make_completed(std::optional<int> stamp = {}) {
        make_in_progress(stamp);
        apply(complete());
    }
    void make_tombstone(std::optional<int> stamp = {}) {
        make_completed(stamp);
        now_ms += kResultKept;
        apply(expire());
    }
    void make_freed(std::optional<int> stamp = {}) {
        make_in_progress(stamp);
        apply(release());
    }
};

}  // namespace pawl::record
