// SPDX-License-Identifier: Apache-2.0
// Long random histories against the protocol itself: whatever the store did with files, batches and
// generations, each answer is what record::judge says of the row that the store showed before.
#include <map>

#include "runtime/entropy/entropy.hpp"
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

constexpr int kKeys = 24;

class Histories : public Suite {
  protected:
    void SetUp() override {
        Suite::SetUp();
        entropy_.emplace(GetParam().name.size() + 41);
    }
    static record::Row absent(int key) {
        record::Row row;
        row.identity = identity(key);
        return row;
    }
    int below(int bound) {
        return static_cast<int>(entropy_->below(static_cast<std::uint64_t>(bound)));
    }

    record::Call draw() {
        const int key = below(kKeys);
        const record::Row& row = rows_[identity(key)];
        const Fence fence = below(8) == 0 ? Fence{1 + entropy_->below(500)} : row.fence;
        const record::ClaimId id = below(8) == 0 ? claim_id(entropy_->below(50)) : row.claim;
        switch (below(14)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return draw_claim(key);
            case 4:
                return record::Renew{identity(key), id, fence, kLeaseMs};
            case 5:
            case 6:
                return record::Complete{identity(key), id, fence,
                                        answer("body " + std::to_string(below(3)))};
            case 7:
                return record::Release{identity(key), id, fence};
            case 8:
                return record::Suspect{identity(key), id, fence};
            case 9:
                return record::Withdraw{identity(key),
                                        below(2) == 0 ? id : claim_id(1 + entropy_->below(400))};
            case 10:
                return draw_settle(key, fence);
            case 11:
                return record::Lapse{identity(key), fence};
            case 12:
                return record::Expire{identity(key)};
            default:
                return record::Forget{identity(key), fence};
        }
    }
    record::Call draw_claim(int key) {
        record::Claim made = claim(key, entropy_->below(400));
        if (key % 2 == 0) made.stamp = stamp(1 + entropy_->below(4));
        made.rerunnable = key % 3 == 0;
        made.keep = {.result_ms = 60'000, .key_ms = below(4) == 0 ? record::kForever : 300'000};
        if (below(10) == 0) made.fingerprint = sha256("another body");
        return made;
    }
    record::Call draw_settle(int key, Fence fence) {
        record::Settle word = settle(key, fence, Basis::seen);
        word.basis = std::array{Basis::seen, Basis::closed, Basis::quiet, Basis::forced}.at(
            static_cast<std::size_t>(below(4)));
        if (below(2) == 0) word.answer = answer("evidence");
        if (below(2) == 0) word.horizon_ms = 1'000;
        return word;
    }

    void check(const record::Call& call) {
        const Digest key = record::identity_of(call);
        const record::Row before = rows_[key];
        const std::int64_t now_ms = rig().now_ms();
        const Reply reply = rig().reply(call);
        const record::Verdict verdict = record::judge(before, call, now_ms, reply.row.fence);
        ASSERT_EQ(name_of(reply.outcome), name_of(verdict.outcome)) << name_of(call);
        ASSERT_EQ(comparable(reply.row), comparable(verdict.row)) << name_of(call);
        if (verdict.fence_used) {
            ASSERT_GT(reply.row.fence, last_fence_);
            last_fence_ = reply.row.fence;
        }
        if (verdict.store != nullptr) answers_[verdict.row.settled->fence] = *verdict.store;
        if (reply.outcome == Outcome::replay) {
            ASSERT_TRUE(reply.answer);
            ASSERT_EQ(*reply.answer, answers_.at(reply.row.settled->fence));
        }
        rows_[key] = verdict.row;
    }

    // With the digests of what was given.
    record::Row as_given(record::Row row) const {
        for (auto* result : {&row.settled, &row.beside})
            if (*result)
                if (const auto given = answers_.find((*result)->fence); given != answers_.end())
                    (*result)->answer_digest = record::digest_of(given->second);
        return row;
    }

    // After a restart or a sweep the store has moved rows by itself: it is asked.
    void look_again() {
        for (int key = 0; key < kKeys; ++key) {
            const auto stored = rig().read(identity(key));
            const record::Row before = rows_[identity(key)];
            rows_[identity(key)] = stored ? as_given(stored->row) : absent(key);
            if (!record::is_unresolved(before.state)) continue;
            ASSERT_TRUE(stored);
            ASSERT_TRUE(record::is_unresolved(stored->row.state));
            ASSERT_EQ(stored->row.fence, before.fence);
        }
    }

    std::optional<SeededEntropy> entropy_;
    std::map<Digest, record::Row> rows_;
    std::map<Fence, record::Answer> answers_;
    Fence last_fence_;
};

TEST_P(Histories, EveryAnswerIsWhatTheProtocolSaysOfTheRowBefore) {
    for (int key = 0; key < kKeys; ++key) rows_[identity(key)] = absent(key);
    for (int step = 0; step < rig().patience() && !HasFatalFailure(); ++step) {
        check(draw());
        if (below(20) == 0) rig().pass(std::chrono::milliseconds(below(20'000)));
        if (below(300) == 0) {
            rig().restart();
            look_again();
        }
        if (below(60) == 0) {
            rig().sweep(static_cast<std::size_t>(1 + below(10)));
            look_again();
        }
    }
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, Histories, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
