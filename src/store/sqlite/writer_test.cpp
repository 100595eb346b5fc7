// SPDX-License-Identifier: Apache-2.0
// The production shell: threads, queues, loops. Files are real; waiting is for events, never for a time.
#include <atomic>
#include <latch>
#include <thread>

#include "runtime/task/group.hpp"
#include "runtime/task/system_loop.hpp"
#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::sqlite {
namespace {

// A loop with a thread of its own and its front to the store.
class LoopThread {
  public:
    explicit LoopThread(Writer& writer)
        : records_(std::in_place, writer, loop_.loop()),
          group_(loop_.loop()),
          thread_([this] { loop_.run(); }) {}
    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;
    ~LoopThread() {
        loop_.stop();
        thread_.join();
    }
    std::thread::id id() const { return thread_.get_id(); }
    SqliteRecords& records() { return *records_; }
    // Runs `make`'s task on the loop.
    void spawn(std::function<Task<void>()> make) {
        boost::asio::post(loop_.loop().executor(),
                          [this, make = std::move(make)] { group_.spawn(make()); });
    }

  private:
    SystemLoop loop_;
    std::optional<SqliteRecords> records_;
    TaskGroup group_;
    std::thread thread_;
};

struct Counts {
    std::atomic<int> acquired = 0;
    std::atomic<int> answered = 0;
    std::atomic<int> astray = 0;
};

Task<void> claim_and_count(LoopThread* own, int key, std::uint8_t attempt, Counts* counts) {
    const auto reply = co_await own->records().apply(claim_of(key, 1, attempt));
    counts->acquired += reply && reply->outcome == Outcome::acquired ? 1 : 0;
    counts->astray += std::this_thread::get_id() == own->id() ? 0 : 1;
    ++counts->answered;
}

Task<void> write_and_sweep(SqliteRecords* records, std::atomic<int>* written,
                           std::atomic<bool>* done) {
    for (int key = 0; key < 400; ++key) {
        const auto claimed = co_await records->apply(claim_of(key));
        (void)co_await records->apply(complete_of(claimed->row, "done"));
        *written = key + 1;
        if (key % 50 == 0) (void)co_await records->sweep(100);
    }
    *done = true;
}

// Counts in `missed` what was written and not found.
Task<void> look(SqliteRecords* records, const std::atomic<int>* written,
                const std::atomic<bool>* done, std::atomic<int>* missed, std::atomic<int>* looks) {
    SeededEntropy dice(1);
    while (!*done) {
        const int key = static_cast<int>(dice.below(static_cast<std::uint64_t>(*written) + 1)) - 1;
        const auto stored = co_await records->read(identity_of(key));
        const auto named =
            co_await records->find(store::LookUp::key, "key-" + std::to_string(key), 5);
        if (key < 0) continue;
        *missed += stored && *stored && named && named->size() == 1 ? 0 : 1;
        ++*looks;
    }
}

class WriterTest : public testing::Test {
  protected:
    std::unique_ptr<Writer> open(EngineOptions options = {}) {
        auto writer = Writer::open({.path = folder_.path() + "/pawl.db"}, clock_, entropy_,
                                   std::move(options));
        EXPECT_TRUE(writer) << describe(writer.error());
        return std::move(*writer);
    }
    // Until it holds, or the test program's time is over.
    template <class Condition>
    static void wait_until(Condition condition) {
        const auto give_up = std::chrono::steady_clock::now() + 1min;
        while (!condition() && std::chrono::steady_clock::now() < give_up)
            std::this_thread::yield();
        ASSERT_TRUE(condition());
    }
    // Holds the writer's thread until it goes.
    class Held {
      public:
        explicit Held(Writer& writer) {
            writer.submit([held = held_, release = release_](Engine&) {
                held->count_down();
                release->wait();
            });
            held_->wait();
        }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held() { release_->count_down(); }

      private:
        // Shared with the writer's thread, which may still be on its way out of wait().
        std::shared_ptr<std::latch> held_ = std::make_shared<std::latch>(1);
        std::shared_ptr<std::latch> release_ = std::make_shared<std::latch>(1);
    };

    ScratchFolder folder_;
    SystemClock clock_;
    SystemEntropy entropy_;
};

// Each loop's calls resume on that loop, and of all loops one owns an identity.
TEST_F(WriterTest, CallsResumeOnTheLoopThatMadeThem) {
    constexpr int kKeys = 300;
    const auto writer = open();
    Counts counts;
    {
        LoopThread one(*writer);
        LoopThread two(*writer);
        for (LoopThread* loop : {&one, &two}) {
            const auto attempt = static_cast<std::uint8_t>(loop == &one ? 1 : 2);
            for (int key = 0; key < kKeys; ++key) {
                loop->spawn([&counts, loop, key, attempt] {
                    return claim_and_count(loop, key, attempt, &counts);
                });
            }
        }
        wait_until([&] { return counts.answered == 2 * kKeys; });
    }
    EXPECT_EQ(counts.acquired, kKeys);
    EXPECT_EQ(counts.astray, 0);
    EXPECT_LT(writer->meters().commits.value(), 2U * kKeys);  // they shared commits
}

TEST_F(WriterTest, WhatPassesTheQueuesBoundIsRefusedAndNotApplied) {
    const auto writer = open();
    const auto inbox = std::make_shared<LoopInbox>(boost::asio::io_context{}.get_executor());
    inbox->close();  // nobody listens
    {
        const Held held(*writer);
        for (std::size_t i = 0; i < kCallsWaitingMax; ++i)
            ASSERT_TRUE(writer->submit(claim_of(1), {inbox, {}}));
        EXPECT_EQ(writer->waiting(), kCallsWaitingMax);
        EXPECT_FALSE(writer->submit(claim_of(2), {inbox, {}}));
    }
    wait_until([&] { return writer->waiting() == 0; });
    store::conformance::HandLoop hand;
    SqliteRecords records(*writer, hand.loop());
    EXPECT_EQ(hand.run(records.apply(claim_of(3)))->outcome, Outcome::acquired);
    EXPECT_TRUE(hand.run(records.read(identity_of(1))).value());
    EXPECT_FALSE(hand.run(records.read(identity_of(2))).value());
}

TEST_F(WriterTest, WhatWaitsWhenTheWriterEndsIsCarriedOut) {
    const auto inbox = std::make_shared<LoopInbox>(boost::asio::io_context{}.get_executor());
    inbox->close();
    {
        const auto writer = open();
        const Held held(*writer);
        for (int key = 0; key < 100; ++key) ASSERT_TRUE(writer->submit(claim_of(key), {inbox, {}}));
    }
    const auto writer = open();
    EXPECT_EQ(writer->totals().uncertain, 100U);
}

TEST_F(WriterTest, AFrontThatGoesDropsItsAnswersAndNothingElse) {
    const auto writer = open();
    {
        store::conformance::HandLoop gone;
        SqliteRecords records(*writer, gone.loop());
        TaskGroup group(gone.loop());
        const Held held(*writer);
        for (int key = 0; key < 50; ++key)
            group.spawn([](SqliteRecords* front, int number) -> Task<void> {
                (void)co_await front->apply(claim_of(number));
            }(&records, key));
        gone.poll();
        EXPECT_EQ(group.running(), 50U);
    }
    store::conformance::HandLoop hand;
    SqliteRecords records(*writer, hand.loop());
    EXPECT_EQ(hand.run(records.apply(claim_of(7, 1, 2)))->outcome, Outcome::in_progress);
}

// field case 64: a writer elsewhere holds the lock for a while; nobody sees "locked"
TEST_F(WriterTest, CallsWaitForAWriteLockThatIsHeldElsewhere) {
    const auto writer = open();
    Connection other;
    ASSERT_EQ(other.open(folder_.path() + "/pawl.db", Connection::Access::write), 0);
    Counts counts;
    LoopThread loop(*writer);
    for (int round = 0; round < 5; ++round) {
        ASSERT_EQ(other.run("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE; SELECT * FROM mark;"), 0);
        for (int key = round * 40; key < round * 40 + 40; ++key)
            loop.spawn([&, key] { return claim_and_count(&loop, key, 1, &counts); });
        std::this_thread::sleep_for(20ms);
        ASSERT_EQ(other.run("COMMIT"), 0);
    }
    wait_until([&] { return counts.answered == 200; });
    EXPECT_EQ(counts.acquired, 200);
}

// Look-ups beside the writer, while generations are sealed, indexed and emptied under them.
TEST_F(WriterTest, AReaderFindsEveryRecordWhileGenerationsChange) {
    EngineOptions options;
    options.generation.records = 20;
    const auto writer = open(options);
    std::atomic<bool> done = false;
    std::atomic<int> written = 0;
    std::atomic<int> missed = 0;
    std::atomic<int> looks = 0;
    LoopThread writing(*writer);
    LoopThread reading(*writer);
    writing.spawn([&] { return write_and_sweep(&writing.records(), &written, &done); });
    for (int i = 0; i < 4; ++i)
        reading.spawn([&] { return look(&reading.records(), &written, &done, &missed, &looks); });
    wait_until([&] { return done.load(); });
    EXPECT_EQ(missed, 0);
    EXPECT_GT(looks, 10);
}

// Fewer than one look takes, as many, one more, and of several loops at once.
TEST_F(WriterTest, ReadsThatWaitTogetherAreAnsweredEachForItself) {
    const auto writer = open();
    constexpr int kKeys = 3 * static_cast<int>(kReadsPerLook);
    {
        store::conformance::HandLoop hand;
        SqliteRecords records(*writer, hand.loop());
        for (int key = 0; key < kKeys; key += 2) (void)hand.run(records.apply(claim_of(key)));
    }
    const int look = static_cast<int>(kReadsPerLook);
    for (const int reads : {1, look - 1, look, look + 1, kKeys}) {
        std::atomic<int> right = 0;
        LoopThread one(*writer);
        LoopThread two(*writer);
        for (LoopThread* loop : {&one, &two})
            for (int key = 0; key < reads; ++key)
                loop->spawn([loop, key, &right]() -> Task<void> {
                    return [](LoopThread* own, int number, std::atomic<int>* count) -> Task<void> {
                        const auto stored = co_await own->records().read(identity_of(number));
                        const bool known = stored && *stored;
                        const bool its_own =
                            known && (*stored)->row.identity == identity_of(number);
                        *count += (number % 2 == 0 ? its_own : stored && !known) ? 1 : 0;
                    }(loop, key, &right);
                });
        wait_until([&] { return right == 2 * reads; });
    }
}

TEST_F(WriterTest, ReadsPastTheQueuesBoundAreRefused) {
    const auto writer = open();
    const auto inbox = std::make_shared<LoopInbox>(boost::asio::io_context{}.get_executor());
    inbox->close();  // nobody listens
    const auto held = std::make_shared<std::latch>(1);
    const auto release = std::make_shared<std::latch>(1);
    ASSERT_TRUE(writer->reader().submit([held, release](LookUps&) {
        held->count_down();
        release->wait();
    }));
    held->wait();
    for (std::size_t i = 0; i < kReadsMax; ++i)
        ASSERT_TRUE(writer->reader().submit(identity_of(1), {inbox, {}}));
    EXPECT_FALSE(writer->reader().submit(identity_of(1), {inbox, {}}));
    EXPECT_FALSE(writer->reader().submit([](LookUps&) {}));
    release->count_down();
    wait_until([&] { return writer->reader().submit(identity_of(1), {inbox, {}}); });
}

// Whatever is written is known by the time its writer has heard of it, in whatever stage its generation is.
TEST_F(WriterTest, WhatIsStoredMayBeKnownAndWhatNeverWasIsNot) {
    EngineOptions options;
    options.generation.records = 20;
    const auto writer = open(options);
    store::conformance::HandLoop hand;
    SqliteRecords records(*writer, hand.loop());
    EXPECT_FALSE(records.may_know(identity_of(0)));
    for (int key = 0; key < 200; ++key) {
        (void)hand.run(records.apply(claim_of(key)));
        for (int known = 0; known <= key; ++known)
            ASSERT_TRUE(records.may_know(identity_of(known))) << known << " of " << key;
    }
    int mistaken = 0;
    for (int key = 1'000; key < 2'000; ++key)
        mistaken += records.may_know(identity_of(key)) ? 1 : 0;
    EXPECT_LT(mistaken, 100);
}

TEST_F(WriterTest, NotesPastTheirBoundAreDroppedAndCounted) {
    const auto writer = open();
    store::conformance::HandLoop hand;
    SqliteRecords records(*writer, hand.loop());
    ASSERT_TRUE(hand.run(records.apply(claim_of(1))));
    {
        const Held held(*writer);
        for (std::size_t i = 0; i < kNotesMax + 7; ++i)
            records.note({.identity = identity_of(1), .step = "note"});
        EXPECT_EQ(writer->notes_dropped(), 7U);
    }
    std::vector<store::TimelineEntry> entries;
    wait_until([&] {
        entries = hand.run(records.timeline(identity_of(1))).value();
        return entries.size() >= kTimelineMax;
    });
    EXPECT_GT(entries.front().at_ms, 0);
}

}  // namespace
}  // namespace pawl::sqlite
