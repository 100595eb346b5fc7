// SPDX-License-Identifier: Apache-2.0
// What tests of the engine share: calls with little to say, and a record of what was acknowledged.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/conformance/rig.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::sqlite {

using namespace std::chrono_literals;
using record::Outcome;
using record::State;
using store::Reply;

inline Digest identity_of(int key) { return sha256_parts("identity", {std::to_string(key)}); }

inline record::Claim claim_of(int key, std::uint64_t boot = 1, std::uint8_t attempt = 1) {
    record::Claim claim;
    claim.identity = identity_of(key);
    std::ranges::copy_n(claim.identity.bytes.begin(), claim.claim.bytes.size(),
                        claim.claim.bytes.begin());
    claim.claim.bytes[0] = attempt;
    claim.owner = {"node:1", boot};
    claim.lease_ms = 30'000;
    claim.keep = {3'600'000, 7'200'000};
    claim.tenant = "acme";
    claim.operation = "create_order";
    claim.key_label = "key-" + std::to_string(key);
    claim.trace_id = "trace-" + std::to_string(key);
    return claim;
}

inline record::Complete complete_of(const record::Row& row, std::string body) {
    record::Complete complete;
    complete.identity = row.identity;
    complete.claim = row.claim;
    complete.fence = row.fence;
    complete.answer.status = 201;
    complete.answer.body = std::move(body);
    return complete;
}

inline Result<Reply> commit_one(Engine& engine, const record::Call& call) {
    return std::move(engine.commit({&call, 1}).front());
}

// Claims and completes keys one after the other, and remembers what it was told.
struct Told {
    std::map<int, std::string> completed;  // acknowledged
    std::set<int> refused;                 // told not applied, never told anything else
    std::set<record::Fence> fences;        // of acknowledged claims
    std::optional<Error> unknown;

    void run(Engine& engine, int from, int to) {
        for (int key = from; key < to; ++key) {
            const auto claimed = commit_one(engine, claim_of(key, engine.boot()));
            if (!claimed) {
                hear(key, claimed.error());
                continue;
            }
            if (!record::is_acquired(claimed->outcome)) continue;
            EXPECT_TRUE(fences.insert(claimed->row.fence).second);
            refused.erase(key);
            const std::string body = "body of " + std::to_string(key);
            const auto stored = commit_one(engine, complete_of(claimed->row, body));
            if (stored && stored->outcome == Outcome::stored) completed[key] = body;
            if (!stored && stored.error().code == Code::unknown) unknown = stored.error();
            engine.tend();
            if (key % 4 == 0) engine.checkpoint();
        }
    }
    void hear(int key, const Error& error) {
        if (error.code == Code::unknown)
            unknown = error;
        else
            refused.insert(key);
    }
    // What was acknowledged is there, what was refused is not, and fences go on above. `unused`: a key that
    // nobody claimed.
    void check(Engine& engine, int unused = 1'000'000) const {
        for (const auto& [key, body] : completed) {
            const auto repeat = commit_one(engine, claim_of(key, engine.boot(), 2));
            ASSERT_TRUE(repeat) << describe(repeat.error());
            ASSERT_EQ(name_of(repeat->outcome), name_of(Outcome::replay)) << "key " << key;
            ASSERT_EQ(repeat->answer->body, body);
        }
        for (const int key : refused)
            ASSERT_FALSE(engine.read(identity_of(key)).value().has_value()) << key;
        const auto later = commit_one(engine, claim_of(unused, engine.boot()));
        ASSERT_TRUE(later) << describe(later.error());
        if (!fences.empty()) {
            ASSERT_GT(later->row.fence, *fences.rbegin());
        }
    }
};

}  // namespace pawl::sqlite
