// SPDX-License-Identifier: Apache-2.0
// kill -9 at any moment: a child serves claims and completions on a real file and says what it was told;
// it is killed; whatever it had said is there. PAWL_KILL_CYCLES says how often (10).
#include <array>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include "runtime/task/group.hpp"
#include "runtime/task/system_loop.hpp"
#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::sqlite {
namespace {

constexpr int kWorkers = 32;
constexpr std::uint32_t kGeneration = 500;

struct Word {
    char what = 0;  // 'c' claimed, 'd' done
    int key = 0;
    std::uint64_t fence = 0;
};

std::string body_of(int key) { return fmt::format("body of {:0>300}", key); }

Task<void> serve(SqliteRecords* records, std::uint64_t boot, int from, int pipe) {
    const auto say = [pipe](Word word) { (void)!::write(pipe, &word, sizeof word); };
    for (int key = from;; key += kWorkers) {
        const auto claimed = co_await records->apply(claim_of(key, boot));
        if (!claimed) std::abort();
        say({'c', key, claimed->row.fence.number});
        const auto stored = co_await records->apply(complete_of(claimed->row, body_of(key)));
        if (!stored || stored->outcome != Outcome::stored) std::abort();
        say({'d', key, 0});
        records->note({.identity = claimed->row.identity, .step = "complete"});
    }
}

[[noreturn]] void run_child(const std::string& path, int from, int pipe) {
    SystemClock clock;
    SystemEntropy entropy;
    auto writer =
        Writer::open({.path = path}, clock, entropy, {.generation = {.records = kGeneration}});
    if (!writer) ::_exit(3);
    SystemLoop loop;
    SqliteRecords records(**writer, loop.loop());
    TaskGroup group(loop.loop());
    for (int worker = 0; worker < kWorkers; ++worker)
        group.spawn(serve(&records, (*writer)->boot(), from + worker, pipe));
    loop.run();
    ::_exit(4);
}

// What the child said before it was killed after `life`.
std::vector<Word> words_of_a_killed_child(const std::string& path, int from,
                                          std::chrono::milliseconds life) {
    std::array<int, 2> ends{};
    PAWL_ASSERT(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        run_child(path, from, ends[1]);
    }
    ::close(ends[1]);
    std::vector<Word> words;
    Word word;
    const auto read_word = [&] { return ::read(ends[0], &word, sizeof word) == sizeof word; };
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
    while (std::chrono::steady_clock::now() < end && read_word()) {
        if (words.empty()) end = std::chrono::steady_clock::now() + life;
        words.push_back(word);
    }
    ::kill(child, SIGKILL);
    while (read_word()) words.push_back(word);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
    return words;
}

class KillTest : public testing::Test {
  protected:
    void check(int cycle) {
        auto engine = Engine::start(std::move(*open_store({.path = path_})), clock_, entropy_,
                                    {.generation = {.records = kGeneration}});
        ASSERT_TRUE(engine) << describe(engine.error());
        ASSERT_EQ((*engine)->totals()->in_progress, 0U);
        std::vector<record::Call> repeats;
        for (const int key : done_) repeats.emplace_back(claim_of(key, (*engine)->boot(), 2));
        const auto replies = (*engine)->commit(repeats);
        std::size_t at = 0;
        for (const int key : done_) {
            const auto& reply = replies[at++];
            ASSERT_TRUE(reply);
            ASSERT_EQ(name_of(reply->outcome), "replay") << "key " << key << " in cycle " << cycle;
            ASSERT_EQ(reply->answer->body, body_of(key));
        }
        for (const auto& [key, fence] : claimed_) {
            const auto stored = (*engine)->read(identity_of(key)).value();
            ASSERT_TRUE(stored) << "claim of key " << key << " lost in cycle " << cycle;
            ASSERT_EQ(stored->row.fence.number, fence);
        }
        const auto later = commit_one(**engine, claim_of(-1 - cycle));
        ASSERT_GT(later->row.fence.number, highest_);
    }

    ScratchFolder folder_;
    std::string path_ = folder_.path() + "/pawl.db";
    SystemClock clock_;
    SystemEntropy entropy_;
    std::set<int> done_;
    std::map<int, std::uint64_t> claimed_;
    std::uint64_t highest_ = 0;
};

// E4, F2
TEST_F(KillTest, NothingAcknowledgedIsLost) {
    const char* asked = std::getenv("PAWL_KILL_CYCLES");
    const int cycles = asked == nullptr ? 10 : std::atoi(asked);
    SeededEntropy dice(entropy_.number());
    for (int cycle = 0; cycle < cycles && !HasFatalFailure(); ++cycle) {
        const std::chrono::milliseconds life(dice.below(300));
        for (const Word& word : words_of_a_killed_child(path_, 1 + cycle * 1'000'000, life)) {
            if (word.what == 'd') {
                done_.insert(word.key);
                claimed_.erase(word.key);
                continue;
            }
            ASSERT_GT(word.fence, 0U);
            claimed_[word.key] = word.fence;
            highest_ = std::max(highest_, word.fence);
        }
        check(cycle);
        if (cycle % 8 == 7)
            std::erase_if(done_, [&](int) { return dice.below(4) != 0; });  // keeps a check short
    }
    EXPECT_GT(highest_, 100U);
}

}  // namespace
}  // namespace pawl::sqlite
