// SPDX-License-Identifier: Apache-2.0
// A key that is lost: what was sealed under it is not given out, stops nobody else, and is there again once the key is.
#include "store/sealed/sealed_flows.hpp"

#include "store/conformance/outbox_suite.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/memory/simulated_flows.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::store::conformance {
namespace {

SealingKey key_of(char digit) {
    return SealingKey::parse(std::string(2 * kSealingKeyBytes, digit)).value();
}

class LostKeyRig final : public FlowRig {
  public:
    FlowStore& store() override { return *sealed_; }
    Records& records() override { return records_; }
    std::int64_t now_ms() const override { return shelf_.now_ms(); }
    void restart() override {}
    void limit(UnresolvedLimits limits) override { shelf_.limit(limits); }
    bool damage(std::string_view, std::size_t, Harm) override { return false; }
    DamageBook& damage_met() override { return damage_; }

    void lose_key() { sealed_.emplace(flows_, other_, damage_); }
    void find_key() { sealed_.emplace(flows_, both_, damage_); }

  private:
    SealingKeys first_{key_of('a'), {}};
    SealingKeys other_{key_of('b'), {}};
    SealingKeys both_{key_of('b'), {key_of('a')}};
    DamageBook damage_;
    MemoryShelf shelf_{hand().clock()};
    MemoryFlows flow_shelf_{shelf_};
    SimulatedServer server_{hand().loop(), shelf_};
    SimulatedRecords records_{server_, hand().loop()};
    SimulatedFlows flows_{server_, flow_shelf_, hand().loop()};
    std::optional<SealedFlows> sealed_{std::in_place, flows_, first_, damage_};
};

class LostKey : public OutboxSuite {
  protected:
    LostKeyRig& own() { return static_cast<LostKeyRig&>(rig()); }
    std::vector<SagaRow> due() { return run(rig().store().due_sagas(timer::kNever, 1)).rows; }
    std::vector<SagaRow> for_people() {
        return run(rig().store().sagas(SagaState::needs_attention, 0, 9));
    }
    void paid_late(const std::string& id) {
        ordered(id);
        EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
        EXPECT_EQ(outcome(step(id, payment("T" + id))), "applied 3");
    }
};

TEST_P(LostKey, LeavesACompensationToAPersonWhoMaySendItAgain) {
    for (const char* id : {"1", "2"}) paid_late(id);
    own().lose_key();
    paid_late("3");
    const auto next = due();
    ASSERT_EQ(next.size(), 1U) << "those before it keep it back no more";
    EXPECT_EQ(next[0].subject.id, "3");
    ASSERT_EQ(for_people().size(), 2U);
    EXPECT_THAT(for_people()[0].said, testing::HasSubstr("cannot be opened"));
    EXPECT_TRUE(for_people()[0].start.values.empty());
    EXPECT_EQ(rig().damage_met().rows().value(), 2);
    own().find_key();
    const SagaRow left = for_people()[0];
    EXPECT_TRUE(run(rig().store().move({.number = left.number, .tries = left.tries})));
    EXPECT_EQ(run(rig().store().due_sagas(timer::kNever, 9)).rows.size(), 2U);
}

TEST_P(LostKey, ParksWhatIsSentUntilItIsFound) {
    ordered("1");
    grown("1", 2);
    own().lose_key();
    ordered("2");
    grown("2", 1);
    EXPECT_EQ(types("s"), Strings{"2 order.paid"});
    EXPECT_EQ(figures("s").parked, 1U) << "and the one after it waits";
    send_all("s");
    EXPECT_TRUE(unsent("s").empty());
    EXPECT_EQ(run(rig().store().parked("s", 9)).size(), 1U);
    own().find_key();
    EXPECT_EQ(run(rig().store().redrive("s")), 1U);
    EXPECT_EQ(types("s"), Strings{"1 order.paid"});
    send_all("s");
    EXPECT_EQ(types("s"), Strings{"1 order.shipped"});
}

TEST_P(LostKey, PassesEntitiesAndFactsThatWait) {
    for (const char* id : {"1", "2"}) ordered(id);
    for (const char* key : {"B8", "B9"})
        EXPECT_EQ(outcome(fact_without_order(key, payment("T"))), "applied 0");
    own().lose_key();
    ordered("3");
    EXPECT_EQ(outcome(fact_without_order("B7", payment("T"))), "applied 0");
    const auto page = run(rig().flows().page({"acme", "order", {}, 1}));
    ASSERT_EQ(page.size(), 1U);
    EXPECT_EQ(page[0].id, "3");
    EXPECT_TRUE(run(rig().flows().page({"acme", "order", "3", 1})).empty());
    ASSERT_EQ(waiting(0, 1).size(), 1U);
    EXPECT_EQ(waiting(0, 1)[0].subject.business_key, "B7");
    EXPECT_EQ(rig().hand().run(rig().flows().load(by_id("1"))).error().code, Code::store_corrupt);
    own().find_key();
    EXPECT_EQ(waiting().size(), 3U);
}

// The order is there; that a fact that waited for it cannot be opened takes nothing of that back.
TEST_P(LostKey, FailsNoCommitThatIsDone) {
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    own().lose_key();
    const FlowReply created = commit(creation("1", "B1"));
    EXPECT_EQ(told(created), "applied 1");
    EXPECT_TRUE(created.wakes.empty());
    own().find_key();
    EXPECT_EQ(waiting().size(), 1U) << "it waits on";
}

TEST_P(LostKey, ShowsThatSomethingIsForAPersonWhoMayCloseIt) {
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1", "99"))), "applied 1");
    own().lose_key();
    const auto open = attention();
    ASSERT_EQ(open.size(), 1U);
    EXPECT_FALSE(open[0].event);
    EXPECT_THAT(open[0].reason, testing::HasSubstr("cannot be opened"));
    EXPECT_EQ(close(open[0].number, "ann", "seen"), "closed");
    const auto closed = run(rig().flows().entries({}));
    ASSERT_EQ(closed.size(), 1U);
    EXPECT_FALSE(closed[0].event);
    EXPECT_THAT(closed[0].reason, testing::HasSubstr("cannot be opened"));
    EXPECT_EQ(closed[0].closed_by, "ann");
    own().find_key();
    EXPECT_EQ(run(rig().flows().entries({})).at(0).event->values.at("amount"), "99");
}

INSTANTIATE_TEST_SUITE_P(Store, LostKey,
                         testing::Values(FlowStoreUnderTest{
                             "sealed", [] { return std::make_unique<LostKeyRig>(); }}),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace pawl::store::conformance
