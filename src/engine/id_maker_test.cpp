// SPDX-License-Identifier: Apache-2.0
// Ids of one loop over a store that keeps how far they may go.
#include <set>

#include <gtest/gtest.h>

#include "engine/id_maker.hpp"
#include "store/conformance/rig.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using store::conformance::HandLoop;

struct KeptWindows final : store::IdWindows {
    std::map<unsigned, std::int64_t> until;
    int writes = 0;
    int calls = 0;
    bool are_away = false;
    Loop* loop = nullptr;  // set: takes a while
    Task<Result<std::int64_t>> extend(id::Machine machine, std::int64_t until_ms) override {
        ++calls;
        if (loop != nullptr) co_await loop->sleep_for(100ms);
        if (are_away) co_return fail(Code::unavailable, "away", {}, "store");
        const std::int64_t before = until[machine.worker];
        if (until_ms > before) {
            until[machine.worker] = until_ms;
            ++writes;
        }
        co_return before;
    }
};

class IdMakerTest : public testing::Test {
  protected:
    Result<std::string> next(IdMaker& maker) {
        std::optional<Result<std::string>> made;
        boost::asio::co_spawn(hand_.loop().executor(), maker.next(),
                              [&made](std::exception_ptr, Result<std::string> id) { made = id; });
        hand_.poll();
        for (int step = 0; !made && step < 10'000; ++step) hand_.pass(1ms);
        return made.value();
    }
    std::int64_t number(IdMaker& maker) { return std::stoll(next(maker).value()); }
    std::unique_ptr<IdMaker> maker(std::size_t loop = 0) {
        return std::make_unique<IdMaker>(hand_.loop(), windows_, kOneDatabase,
                                         machine_of_loop(kOneDatabase, loop));
    }
    id::Parts parts(std::int64_t id) { return id::unpack(kOneDatabase, id); }

    HandLoop hand_;
    KeptWindows windows_;
};

TEST_F(IdMakerTest, IdsRiseAndLieInAWindowThatIsStored) {
    auto made = maker();
    std::int64_t last = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::int64_t one = number(*made);
        ASSERT_GT(one, last);
        ASSERT_LE(parts(one).time_ms, windows_.until[0]);
        last = one;
        if (i % 100 == 0) hand_.pass(1ms);
    }
    EXPECT_LT(windows_.writes, 10) << "one write for thousands of ids";
}

TEST_F(IdMakerTest, EachLoopHasItsOwnMachine) {
    auto first = maker(0), second = maker(1'023);
    std::set<std::int64_t> seen;
    for (int i = 0; i < 1'000; ++i) {
        EXPECT_TRUE(seen.insert(number(*first)).second);
        EXPECT_TRUE(seen.insert(number(*second)).second);
    }
    EXPECT_EQ(parts(number(*second)).machine, (id::Machine{0, 1'023}));
}

// Field case X26: a clock that goes back across a restart repeats nothing.
TEST_F(IdMakerTest, TheNextRunBeginsBehindTheWindow) {
    auto first = maker();
    const std::int64_t last = number(*first);
    const std::int64_t until = windows_.until[0];
    hand_.clock().step_wall(-1h);
    auto second = maker();
    const std::int64_t next = number(*second);
    EXPECT_GT(next, last);
    EXPECT_GT(parts(next).time_ms, until);
}

TEST_F(IdMakerTest, AnIdleLoopWaitsForTheStoreOnce) {
    auto made = maker();
    number(*made);
    hand_.pass(1h);
    windows_.loop = &hand_.loop();
    const int calls = windows_.calls;
    EXPECT_GT(number(*made), 0);
    EXPECT_EQ(windows_.calls, calls + 1);
}

TEST_F(IdMakerTest, BeforeTheWindowEndsItIsExtendedBeside) {
    auto made = maker();
    number(*made);
    windows_.loop = &hand_.loop();
    for (int ms = 0; ms < 60'000; ms += 50) {
        const MonotonicTime asked = hand_.loop().now();
        ASSERT_TRUE(next(*made));
        ASSERT_EQ(hand_.loop().now(), asked) << "nobody waits for an extension";
        hand_.pass(50ms);
    }
}

TEST_F(IdMakerTest, AStoreThatIsSilentStopsItWhenTheWindowIsUsedUp) {
    auto made = maker();
    number(*made);
    windows_.are_away = true;
    hand_.pass(3s);
    EXPECT_TRUE(next(*made)) << "the window holds";
    hand_.pass(3s);
    const auto none = next(*made);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::unavailable);
    windows_.are_away = false;
    EXPECT_TRUE(next(*made));
}

TEST_F(IdMakerTest, WithoutAnAnswerOfTheStoreThereIsNoFirstId) {
    windows_.are_away = true;
    auto made = maker();
    EXPECT_EQ(next(*made).error().code, Code::unavailable);
    windows_.are_away = false;
    EXPECT_TRUE(next(*made));
}

TEST_F(IdMakerTest, ManyThatWaitForOneExtensionAskOnce) {
    auto made = maker();
    windows_.loop = &hand_.loop();
    std::set<std::string> ids;
    for (int i = 0; i < 50; ++i)
        boost::asio::co_spawn(
            hand_.loop().executor(), made->next(),
            [&ids](std::exception_ptr, Result<std::string> id) { ids.insert(id.value()); });
    for (int step = 0; step < 1'000; ++step) hand_.pass(1ms);
    EXPECT_EQ(ids.size(), 50U);
    EXPECT_EQ(windows_.calls, 2) << "what was stored, and the first window";
}

}  // namespace
}  // namespace pawl::engine
