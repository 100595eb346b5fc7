// SPDX-License-Identifier: Apache-2.0
// The fixture of the suite, and calls with little to say.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/conformance/rig.hpp"

namespace pawl::store::conformance {

using namespace std::chrono_literals;
using record::Basis;
using record::Fence;
using record::Outcome;
using record::State;

inline constexpr std::int64_t kLeaseMs = 30'000;
inline constexpr std::int64_t kResultMs = 24 * 3'600'000LL;
inline constexpr std::int64_t kKeyMs = 400 * 24 * 3'600'000LL;

inline Digest identity(int n) { return sha256_parts("identity", {std::to_string(n)}); }

inline record::ClaimId claim_id(std::uint64_t n) {
    record::ClaimId id;
    const Digest digest = sha256_parts("claim", {std::to_string(n)});
    std::ranges::copy_n(digest.bytes.begin(), id.bytes.size(), id.bytes.begin());
    return id;
}

inline record::Stamp stamp(std::uint64_t n) {
    return {record::StampKind::integer, std::to_string(n)};
}

inline record::Answer answer(std::string body) {
    return {.status = 201,
            .headers = {{"Content-Type", "text/plain"}, {"Location", "/orders/7"}},
            .body = std::move(body)};
}

// Evidence about one fence.
inline record::Settle settle(int key, Fence fence, Basis basis,
                             std::optional<record::Answer> found = {}) {
    record::Settle word;
    word.identity = identity(key);
    word.fence = fence;
    word.basis = basis;
    word.answer = std::move(found);
    return word;
}

class Suite : public testing::TestWithParam<StoreUnderTest> {
  protected:
    Rig& rig() { return *rig_; }

    record::Claim claim(int key, std::uint64_t id) {
        record::Claim made;
        made.identity = identity(key);
        made.claim = claim_id(id);
        made.fingerprint = sha256("body");
        made.rule = sha256("rule");
        made.owner = {"node-a:8080", rig_->boot()};
        made.lease_ms = kLeaseMs;
        made.keep = {kResultMs, kKeyMs};
        made.tenant = "acme";
        made.operation = "create_order";
        made.key_label = "key-" + std::to_string(key);
        made.trace_id = "trace-" + std::to_string(key);
        return made;
    }
    record::Claim stamped(int key, std::uint64_t id, std::uint64_t n) {
        record::Claim made = claim(key, id);
        made.stamp = stamp(n);
        made.rerunnable = true;
        return made;
    }
    // Claims; precondition: it is acquired.
    Fence acquire(const record::Claim& made) {
        const Reply reply = rig_->reply(made);
        EXPECT_TRUE(record::is_acquired(reply.outcome)) << name_of(reply.outcome);
        return reply.row.fence;
    }
    Outcome complete(int key, std::uint64_t id, Fence fence, std::string body) {
        return rig_->outcome(
            record::Complete{identity(key), claim_id(id), fence, answer(std::move(body))});
    }
    // A completed record; its fence.
    Fence completed(int key, std::uint64_t id, std::string body = "done") {
        const Fence fence = acquire(claim(key, id));
        EXPECT_EQ(complete(key, id, fence, std::move(body)), Outcome::stored);
        return fence;
    }

    // Without what the store need not tell.
    record::Row comparable(record::Row row) const {
        if (rig_->tells_digests()) return row;
        if (row.settled) row.settled->answer_digest = {};
        if (row.beside) row.beside->answer_digest = {};
        return row;
    }

    void SetUp() override { rig_ = GetParam().make(); }

  private:
    std::unique_ptr<Rig> rig_;
};

}  // namespace pawl::store::conformance
