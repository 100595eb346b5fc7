// SPDX-License-Identifier: Apache-2.0
// A store in memory, its calls without delay, and calls with little to say.
#pragma once

#include <gtest/gtest.h>

#include "store/conformance/rig.hpp"
#include "store/memory/memory_shelf.hpp"
#include "store/port/direct_records.hpp"
#include "store/sealed/sealed_records.hpp"

namespace pawl::store {

inline SealingKey sealing_key(char digit) {
    return SealingKey::parse(std::string(2 * kSealingKeyBytes, digit)).value();
}

class SealedTest : public testing::Test {
  protected:
    static record::Answer answer_of(int key) {
        return {.status = 201,
                .headers = {{"Location", "/orders/" + std::to_string(key)}},
                .body = "a secret of " + std::to_string(key)};
    }
    static record::Claim claim_of(int key, std::uint8_t attempt = 1) {
        record::Claim claim;
        claim.identity = sha256_parts("identity", {std::to_string(key)});
        claim.claim.bytes[0] = attempt;
        claim.owner = {"node:1", 1};
        claim.lease_ms = 30'000;
        claim.keep = {record::kForever, record::kForever};
        claim.key_label = "key-" + std::to_string(key);
        return claim;
    }
    Reply apply(Records& records, record::Call call) {
        auto reply = hand_.run(records.apply(std::move(call)));
        PAWL_ASSERT(reply.has_value());
        return std::move(*reply);
    }
    // The fence under which it is completed, with `answer`.
    record::Fence complete(Records& records, int key, record::Answer answer) {
        const Reply claimed = apply(records, claim_of(key));
        EXPECT_EQ(claimed.outcome, record::Outcome::acquired);
        const record::Row& row = claimed.row;
        EXPECT_EQ(
            apply(records, record::Complete{row.identity, row.claim, row.fence, std::move(answer)})
                .outcome,
            record::Outcome::stored);
        return row.fence;
    }
    std::optional<Stored> read(Records& records, int key) {
        return hand_.run(records.read(claim_of(key).identity)).value();
    }

    conformance::HandLoop hand_;
    MemoryShelf shelf_{hand_.clock()};
    DirectRecords inner_{shelf_};
};

}  // namespace pawl::store
