// SPDX-License-Identifier: Apache-2.0
// Names, digests and public references.
#include "core/record/row.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/record/record_fixture.hpp"

namespace pawl::record {
namespace {

TEST(Row, EveryStateSourceCallAndOutcomeHasANameOfItsOwn) {
    std::set<std::string_view> states;
    for (int i = 0; i < kStateCount; ++i) states.insert(name_of(static_cast<State>(i)));
    EXPECT_EQ(states.size(), static_cast<std::size_t>(kStateCount));
    EXPECT_EQ(name_of(State::freed), "freed");
    EXPECT_EQ(name_of(Source::person), "person");
    EXPECT_EQ(name_of(Outcome::withdrawn), "withdrawn");
    EXPECT_EQ(name_of(Outcome::limited), "limited");
    EXPECT_EQ(name_of(Outcome::refused), "refused");
    EXPECT_EQ(name_of(Outcome::held), "held");
    EXPECT_EQ(name_of(Outcome::too_early), "too_early");
    EXPECT_EQ(name_of(Outcome::lapsed), "lapsed");
    EXPECT_EQ(name_of(Outcome::refused), "refused");
    std::set<std::string_view> outcomes;
    for (int i = 0; i <= static_cast<int>(Outcome::refused); ++i)
        outcomes.insert(name_of(static_cast<Outcome>(i)));
    EXPECT_EQ(outcomes.size(), static_cast<std::size_t>(Outcome::refused) + 1);
    EXPECT_EQ(name_of(Call(Claim{})), "claim");
    EXPECT_EQ(name_of(Call(BootEnded{})), "boot_ended");
    EXPECT_EQ(name_of(Call(Forget{})), "forget");
}

TEST(Row, ACallNamesItsIdentity) {
    const Digest identity = sha256("x");
    Claim claim;
    claim.identity = identity;
    EXPECT_EQ(identity_of(Call(claim)), identity);
    EXPECT_EQ(identity_of(Call(Expire{identity})), identity);
}

TEST(Row, EqualDigestsAreEqualAnswers) {
    const Answer answer = answer_of("body");
    EXPECT_EQ(digest_of(answer), digest_of(answer_of("body")));
    std::set<Digest> digests{digest_of(answer)};
    const auto differs = [&](auto change) {
        Answer other = answer;
        change(other);
        EXPECT_TRUE(digests.insert(digest_of(other)).second);
    };
    differs([](Answer& a) { a.status = 200; });
    differs([](Answer& a) { a.body_kept = false; });
    differs([](Answer& a) { a.body += '\0'; });
    differs([](Answer& a) { a.headers.clear(); });
    differs([](Answer& a) { a.headers[0].first = "content-type"; });
    differs([](Answer& a) { a.headers.push_back(a.headers[0]); });
    // A line moved from the headers into the body is another answer.
    differs([](Answer& a) { a.headers[0] = {"Content-Typetext/plain", ""}; });
}

TEST(Row, AReferenceNamesItsIdentityAndNothingElseDoes) {
    for (const std::string_view text : {"a", "b", "c", "d"}) {
        const Digest identity = sha256(text);
        const std::string reference = reference_of(identity);
        EXPECT_EQ(reference.size(), kReferenceLength);
        EXPECT_EQ(identity_from(reference), identity);
    }
    EXPECT_EQ(reference_of(Digest{}), "op_" + std::string(43, 'A'));
    Digest full;
    full.bytes.fill(0xff);
    EXPECT_EQ(reference_of(full), "op_" + std::string(42, '_') + "8");
    EXPECT_EQ(identity_from("op_" + std::string(42, '_') + "8"), full);
}

TEST(Row, ABrokenReferenceIsRefused) {
    const std::string good = reference_of(sha256("a"));
    for (std::string bad : {std::string(), good.substr(1), good + "A", "OP_" + good.substr(3),
                            "op_" + std::string(42, 'A') + "=", "op_" + std::string(42, 'A') + "+",
                            "op_" + std::string(42, 'A') + "B", "op_" + std::string(42, '_') + "9"})
        EXPECT_FALSE(identity_from(bad)) << bad;
}

TEST(Row, BucketsAreTheLowBitsOfTheFirstByte) {
    Digest identity;
    identity.bytes[0] = 0xff;
    EXPECT_EQ(bucket_of(identity), 31);
    EXPECT_LT(bucket_of(sha256("x")), kBucketCount);
}

TEST(Row, ARepeatIsComparedUnderTheRuleOfTheResult) {
    Record record;
    record.make_completed(1);
    Claim newer = record.claim(2, 2);
    newer.rule = sha256("a newer rule");
    ASSERT_EQ(record.apply(newer), Outcome::superseded);
    EXPECT_EQ(rule_of(record.row), newer.rule);
    record.apply(record.release());
    EXPECT_EQ(rule_of(record.row), sha256("rule"));
    newer.claim = claim_id(3);
    newer.stamp = stamp_of(1);
    EXPECT_EQ(record.apply(newer), Outcome::other_rule);
}

}  // namespace
}  // namespace pawl::record
