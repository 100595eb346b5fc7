// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/key_register.hpp"

#include <gmock/gmock.h>

#include "store/sealed/sealed_fixture.hpp"

namespace pawl::store {
namespace {

class KeyRegister : public SealedTest {
  protected:
    Status start(const SealingKeys& keys, Records* records = nullptr) {
        shelf_.tend();
        return hand_.run(register_keys(records == nullptr ? inner_ : *records, hand_.loop(),
                                       {"node:1", 1}, keys));
    }
    std::size_t registered() {
        shelf_.tend();
        return hand_.run(inner_.find(LookUp::key, sealing_label(), 100)).value().size();
    }
};

TEST_F(KeyRegister, KnowsEveryKeyThatMayHaveSealedAnAnswer) {
    ASSERT_TRUE(start({}));
    EXPECT_EQ(registered(), 0U);
    ASSERT_TRUE(start({sealing_key('1'), {}}));
    ASSERT_TRUE(start({sealing_key('1'), {}}));
    EXPECT_EQ(registered(), 1U);
    ASSERT_TRUE(start({sealing_key('2'), {sealing_key('1')}}));
    EXPECT_EQ(registered(), 2U);
    ASSERT_TRUE(start({sealing_key('1'), {sealing_key('2')}}));
    EXPECT_EQ(registered(), 2U);
}

// Protocol rule 14: a missing encryption key is a refused start.
TEST_F(KeyRegister, RefusesAStoreOfWhichAKeyIsMissing) {
    ASSERT_TRUE(start({sealing_key('1'), {}}));
    ASSERT_TRUE(start({sealing_key('2'), {sealing_key('1')}}));
    for (const auto& [keys, missing] : {std::pair{SealingKeys{}, '1'},
                                        {SealingKeys{sealing_key('2'), {}}, '1'},
                                        {SealingKeys{sealing_key('1'), {}}, '2'},
                                        {SealingKeys{sealing_key('3'), {sealing_key('1')}}, '2'}}) {
        const Status refused = start(keys);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Code::config_invalid);
        EXPECT_THAT(refused.error().text, testing::HasSubstr("store.encryption"));
        EXPECT_THAT(refused.error().text, testing::HasSubstr("previous"));
        if (keys.current) {
            EXPECT_THAT(refused.error().text, testing::HasSubstr(sealing_key(missing).id()));
        }
    }
    EXPECT_EQ(registered(), 2U) << "a refused start registers nothing";
}

TEST_F(KeyRegister, FinishesWhatAKilledStartBegan) {
    class Killed final : public Records {
      public:
        explicit Killed(Records& inner) : inner_(inner) {}
        Capabilities capabilities() const override { return inner_.capabilities(); }
        Task<Result<Reply>> apply(record::Call call) override {
            if (std::holds_alternative<record::Complete>(call))
                co_return fail(Code::unavailable, "killed", {}, "test");
            co_return co_await inner_.apply(std::move(call));
        }
        Task<Result<std::optional<Stored>>> read(Digest identity) override {
            return inner_.read(identity);
        }
        Task<Result<SweepReport>> sweep(std::size_t limit) override { return inner_.sweep(limit); }
        Task<Result<std::vector<record::Row>>> unresolved(UnresolvedQuery query) override {
            return inner_.unresolved(std::move(query));
        }
        Task<Result<Totals>> totals() override { return inner_.totals(); }
        void note(TimelineEntry entry) override { inner_.note(std::move(entry)); }
        Task<Result<std::vector<TimelineEntry>>> timeline(Digest identity) override {
            return inner_.timeline(identity);
        }
        Task<Result<std::vector<Digest>>> find(LookUp kind, std::string value,
                                               std::size_t limit) override {
            return inner_.find(kind, std::move(value), limit);
        }

      private:
        Records& inner_;
    };
    Killed killed(inner_);
    ASSERT_FALSE(start({sealing_key('1'), {}}, &killed));
    EXPECT_FALSE(start({})) << "it may have sealed something";
    shelf_.restart();
    shelf_.end_other_boots(2);
    ASSERT_TRUE(start({sealing_key('1'), {}}));
    ASSERT_TRUE(start({sealing_key('1'), {}}));
    EXPECT_EQ(hand_.run(inner_.totals())->uncertain, 0U);
}

TEST_F(KeyRegister, IsNotTakenInByWhatSomebodyElseWroteUnderItsLabel) {
    record::Claim forged = claim_of(1);
    forged.key_label = sealing_label();
    forged.operation = kSealingOperation;
    forged.trace_id = "0123456789abcdef";
    apply(inner_, forged);
    EXPECT_TRUE(start({}));
    EXPECT_EQ(sealing_label().size(), 256U) << "longer than any key of a request";
}

TEST_F(KeyRegister, AsksNoMoreForAKeyThatAPersonForgot) {
    ASSERT_TRUE(start({sealing_key('1'), {}}));
    ASSERT_TRUE(start({sealing_key('2'), {sealing_key('1')}}));
    ASSERT_FALSE(start({sealing_key('2'), {}}));
    const Digest identity = sha256_parts(kSealingOperation, {sealing_key('1').id()});
    const auto stored = hand_.run(inner_.read(identity)).value();
    ASSERT_TRUE(stored);
    EXPECT_EQ(apply(inner_, record::Forget{identity, stored->row.fence, "ada: over"}).outcome,
              record::Outcome::removed);
    EXPECT_TRUE(start({sealing_key('2'), {}}));
}

}  // namespace
}  // namespace pawl::store
