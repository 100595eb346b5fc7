// SPDX-License-Identifier: Apache-2.0
// A row that cannot be read, whichever of its bytes were changed: whoever needs it is told so and never takes it
// for absent, and everybody else goes on.
#include "store/conformance/outbox_suite.hpp"

namespace pawl::store::conformance {
namespace {

constexpr std::string_view kCorrupt = "store_corrupt";

class FlowsDamage : public OutboxSuite {
  protected:
    // `deed` over a store of its own for each way in which bytes can be changed.
    template <class Deed>
    void for_each_harm(Deed deed) {
        for (const Harm harm : kHarms) {
            SCOPED_TRACE(static_cast<int>(harm));
            SetUp();
            deed(harm);
        }
    }
    void damage(std::string_view table, std::size_t place, Harm harm) {
        ASSERT_TRUE(rig().damage(table, place, harm));
    }
    // Noted once, however often it was met.
    void expect_noted(std::string_view table, std::string_view whose) {
        const auto news = rig().damage_met().news();
        ASSERT_EQ(news.size(), 1U);
        EXPECT_EQ(news[0].table, table);
        EXPECT_THAT(news[0].whose, testing::HasSubstr(std::string(whose)));
        EXPECT_EQ(rig().damage_met().rows().value(), 1);
    }
    Strings due(std::size_t limit = 99) {
        Strings ids;
        for (const DueRow& row : run(rig().timers().due(timer::kNever, limit)).rows)
            ids.push_back(row.subject.id);
        return ids;
    }
    Strings listed(std::size_t limit = 99) {
        Strings ids;
        for (const flow::Entity& one : run(rig().flows().page({"acme", "order", {}, limit})))
            ids.push_back(one.id);
        return ids;
    }
    Strings sagas_due(std::size_t limit = 99) {
        Strings ids;
        for (const SagaRow& row : run(rig().store().due_sagas(timer::kNever, limit)).rows)
            ids.push_back(row.subject.id);
        return ids;
    }
    std::string loaded(FlowSubject subject) {
        const auto found = rig().hand().run(rig().flows().load(std::move(subject)));
        if (!found) return std::string(name_of(found.error().code));
        return found->entity ? found->entity->state : "absent";
    }
    void paid_late(const std::string& id) {
        ordered(id);
        EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
        EXPECT_EQ(outcome(step(id, payment("T" + id))), "applied 3");
    }
};

TEST_P(FlowsDamage, OfAnEntityStopsNoOthersDeadlines) {
    for_each_harm([&](Harm harm) {
        for (const char* id : {"1", "2", "3"}) {
            ordered(id);
            rig().hand().pass(1s);
        }
        const FlowCommit again = creation("9", "B1");
        damage("flow_entity", 0, harm);
        EXPECT_EQ(due(), (Strings{"2", "3"}));
        EXPECT_EQ(due(1), Strings{"2"}) << "it takes nobody's place";
        EXPECT_EQ(listed(), (Strings{"3", "2"}));
        EXPECT_EQ(listed(2), (Strings{"3", "2"}));
        EXPECT_EQ(loaded(by_id("1")), kCorrupt);
        EXPECT_EQ(outcome(step("2", "begin_payment")), "applied 2");
        expect_noted("flow_entity", "order 1");
        EXPECT_EQ(loaded(by_key("B1")), kCorrupt);
        EXPECT_EQ(outcome(again), kCorrupt) << "its business key is not free";
    });
}

TEST_P(FlowsDamage, OfASagaStopsNoOthers) {
    for_each_harm([&](Harm harm) {
        for (const char* id : {"1", "2", "3"}) paid_late(id);
        const SagaRow begun = run(rig().store().sagas({}, 0, 1)).at(0);
        damage("flow_saga", 0, harm);
        EXPECT_EQ(sagas_due(), (Strings{"2", "3"}));
        EXPECT_EQ(sagas_due(1), Strings{"2"});
        const auto all = run(rig().store().sagas({}, 0, 9));
        ASSERT_EQ(all.size(), 2U);
        const auto move = [&](std::uint64_t number) {
            return rig().hand().run(rig().store().move(
                {.number = number, .to = SagaState::done, .claim = claim_id(1)}));
        };
        EXPECT_EQ(move(all[0].number - 1).error().code, Code::store_corrupt);
        EXPECT_TRUE(move(all[0].number).value());
        expect_noted("flow_saga", "number");
        (void)try_commit(step("1", payment("T1")));
        EXPECT_EQ(run(rig().store().sagas({}, 0, 9)).size(), 2U)
            << "the same money begins no second one";
        FlowCommit elsewhere = creation("4");
        std::get<flow::Bundle>(elsewhere.decision).sagas = {begun.start};
        EXPECT_EQ(outcome(elsewhere), kCorrupt) << "nobody knows whose it is";
    });
}

TEST_P(FlowsDamage, OfAWaitingFactStopsNoOthers) {
    for_each_harm([&](Harm harm) {
        for (const char* key : {"B1", "B2", "B3"})
            EXPECT_EQ(outcome(fact_without_order(key, payment(std::string("T") + key))),
                      "applied 0");
        damage("flow_waiting", 0, harm);
        const auto all = waiting();
        ASSERT_EQ(all.size(), 2U);
        EXPECT_EQ(waiting(0, 1).at(0).number, all[0].number);
        EXPECT_EQ(waiting(all[0].number, 9).size(), 1U);
        expect_noted("flow_waiting", "number");
        EXPECT_EQ(outcome(creation("1", "B1")), kCorrupt) << "the fact would be missed";
        EXPECT_EQ(commit(creation("2", "B2")).wakes.size(), 1U);
    });
}

TEST_P(FlowsDamage, OfAnEntryForPeopleStopsNoOthers) {
    for_each_harm([&](Harm harm) {
        for (const char* id : {"1", "2"}) {
            ordered(id);
            EXPECT_EQ(outcome(step(id, payment(std::string("T") + id, "99"))), "applied 1");
        }
        damage("flow_attention", 0, harm);
        const auto open = attention(0, 1);
        ASSERT_EQ(open.size(), 1U);
        EXPECT_EQ(open[0].subject.id, "2");
        EXPECT_EQ(close(open[0].number, "ann", "done"), "closed");
        EXPECT_EQ(close(open[0].number - 1, "ann", "done"), kCorrupt);
        expect_noted("flow_attention", "number");
    });
}

TEST_P(FlowsDamage, OfAnOutgoingRowParksItAndLetsTheOthersGo) {
    for_each_harm([&](Harm harm) {
        for (const char* id : {"1", "2"}) ordered(id);
        grown("1", 2);  // rows 3 paid, 4 shipped
        grown("2", 1);  // row 5 paid
        damage("flow_step", 2, harm);
        EXPECT_EQ(types("s"), (Strings{"1 order.shipped", "2 order.paid"}));
        const auto parked = run(rig().store().parked("s", 9));
        ASSERT_EQ(parked.size(), 1U);
        EXPECT_THAT(parked[0].said, testing::HasSubstr("cannot be read"));
        EXPECT_EQ(figures("s").parked, 1U);
        EXPECT_EQ(figures("s").unsent, 2U);
        EXPECT_EQ(run(rig().store().redrive("s")), 0U);
        send_all("s");
        EXPECT_TRUE(types("s").empty());
        EXPECT_EQ(figures("s").unsent, 0U);
        EXPECT_EQ(figures("s").parked, 1U);
        expect_noted("flow_step", "number 3");
    });
}

// It was to be tried again, and a later one of its entity waited behind it.
TEST_P(FlowsDamage, OfARowThatIsTriedAgainParksItAndReleasesTheNext) {
    for_each_harm([&](Harm harm) {
        ordered("1");
        grown("1", 2);  // rows 2 paid, 3 shipped
        report("s", {again(unsent("s").at(0), 1s)});
        damage("flow_step", 1, harm);
        rig().hand().pass(1s);
        (void)unsent("s");
        EXPECT_EQ(types("s"), Strings{"1 order.shipped"});
        EXPECT_EQ(figures("s").parked, 1U);
        send_all("s");
        EXPECT_EQ(figures("s").unsent, 0U);
    });
}

TEST_P(FlowsDamage, OfAHeldRowIsAPersons) {
    ordered("1");
    ordered("2");
    grown("1", 1);
    grown("2", 1);
    report("s", {again(unsent("s").at(0), 1s)});
    if (!rig().damage("flow_held", 0, Harm::middle)) return;  // this store keeps no bytes of it
    rig().hand().pass(1s);
    EXPECT_EQ(types("s"), Strings{"2 order.paid"});
    EXPECT_EQ(figures("s").parked, 1U);
    expect_noted("flow_held", "sink s");
}

TEST_P(FlowsDamage, OfOneEntityOrItsHistoryDoesNotKeepTheOthersForEver) {
    for (const std::string_view table : {"flow_entity", "flow_step"})
        for_each_harm([&](Harm harm) {
            for (const char* id : {"1", "2", "3"}) ordered(id);
            for (const char* id : {"1", "2", "3"})
                EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
            ordered("9999");
            damage(table, 0, harm);
            rig().hand().pass(401h * 24);
            EXPECT_EQ(run(rig().store().retire(99, 400 * 24 * 3'600'000LL)), 2U);
            EXPECT_EQ(loaded(by_id("2")), "absent");
            EXPECT_EQ(loaded(by_id("1")), table == "flow_entity" ? kCorrupt : "cancelled");
        });
}

TEST_P(FlowsDamage, OfAUniqueFactIsNotFreeAndStopsNoOthers) {
    for_each_harm([&](Harm harm) {
        stocked();
        for (const char* id : {"1", "2", "3"}) ordered(id);
        EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
        damage("flow_fact", 0, harm);
        EXPECT_EQ(outcome(step("2", payment("T1"))), kCorrupt);
        EXPECT_EQ(outcome(step("3", payment("T3"))), "applied 2");
    });
}

TEST_P(FlowsDamage, OfALevelStopsOnlyWhatTakesOfIt) {
    stocked();
    ordered("1");
    damage("stock_level", 0, Harm::middle);
    EXPECT_EQ(outcome(step("1", payment("T1"))), kCorrupt);
    EXPECT_EQ(outcome(stock_set("A", 5, 1)), kCorrupt);
    EXPECT_EQ(outcome(stock_set("B", 5, 2)), "applied 0");
    ordered("2");
}

// Of one batch.
TEST_P(FlowsDamage, FailsNobodyInItsBatch) {
    for (const char* id : {"1", "2", "3"}) ordered(id);
    std::vector<FlowCommit> batch;
    for (const char* id : {"1", "2", "3"}) batch.push_back(step(id, "begin_payment"));
    damage("flow_entity", 1, Harm::middle);
    const auto replies = commit_all(batch);
    EXPECT_EQ(told(replies[0]), "applied 2");
    EXPECT_EQ(told(replies[1]), kCorrupt);
    EXPECT_EQ(told(replies[2]), "applied 2");
}

INSTANTIATE_TEST_SUITE_P(Store, FlowsDamage, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace pawl::store::conformance
