// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "stream/file_sink.hpp"
#include "stream/outbox_fixture.hpp"

namespace pawl::stream {
namespace {

using Kind = Delivered::Kind;

class FileSinkTest : public testing::Test {
  protected:
    FileSinkTest() {
        std::string pattern = testing::TempDir() + "file_sink_XXXXXX";
        folder = ::mkdtemp(pattern.data());
        path = folder + "/events.jsonl";
    }
    ~FileSinkTest() override { std::filesystem::remove_all(folder); }

    static std::vector<Event> events(std::initializer_list<const char*> bodies) {
        std::vector<Event> events;
        for (const char* body : bodies) {
            events.emplace_back();
            events.back().body = body;
        }
        return events;
    }
    Delivered put(FileSink& sink, std::initializer_list<const char*> bodies) {
        const auto words = hand.run(sink.deliver(events(bodies)));
        EXPECT_EQ(words.size(), bodies.size());
        for (const Delivered& word : words) EXPECT_EQ(word.kind, words.front().kind);
        return words.front();
    }
    std::string text(const std::string& of) const {
        std::ifstream file(of, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& content) const {
        std::ofstream(path, std::ios::binary) << content;
    }

    HandLoop hand;
    std::string folder;
    std::string path;
};

TEST_F(FileSinkTest, AppendsALinePerEvent) {
    write("{\"old\":1}\n");
    FileSink sink(path);
    EXPECT_EQ(put(sink, {"{\"a\":1}", "{\"b\":2}"}).kind, Kind::sent);
    EXPECT_EQ(put(sink, {"{\"c\":3}"}).kind, Kind::sent);
    EXPECT_EQ(text(path), "{\"old\":1}\n{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n");
}

TEST_F(FileSinkTest, ALineThatACrashToreIsTakenOffAtTheStart) {
    const std::string whole(10'000, 'x');
    for (const auto& [before, kept] :
         {std::pair<std::string, std::string>{"{\"a\":1}\n{\"b\"", "{\"a\":1}\n"},
          {"{\"torn", ""},
          {whole + "\n" + whole, whole + "\n"},
          {"{\"a\":1}\n", "{\"a\":1}\n"},
          {"", ""}}) {
        write(before);
        FileSink sink(path);
        EXPECT_EQ(text(path), kept) << "before any event";
        EXPECT_EQ(put(sink, {"{\"n\":1}"}).kind, Kind::sent);
        EXPECT_EQ(text(path), kept + "{\"n\":1}\n");
    }
}

TEST_F(FileSinkTest, AFileThatWasMovedAwayIsMadeAnew) {
    FileSink sink(path);
    put(sink, {"{\"a\":1}"});
    std::filesystem::rename(path, path + ".1");
    put(sink, {"{\"b\":2}"});
    EXPECT_EQ(text(path + ".1"), "{\"a\":1}\n");
    EXPECT_EQ(text(path), "{\"b\":2}\n");
    std::filesystem::remove(path);
    put(sink, {"{\"c\":3}"});
    EXPECT_EQ(text(path), "{\"c\":3}\n");
}

TEST_F(FileSinkTest, TwoDoNotWriteIntoOneFile) {
    FileSink first(path);
    FileSink second(path);
    EXPECT_EQ(put(first, {"{\"a\":1}"}).kind, Kind::sent);
    const Delivered word = put(second, {"{\"b\":2}"});
    EXPECT_EQ(word.kind, Kind::away);
    EXPECT_NE(word.said.find("is written by another process"), std::string::npos) << word.said;
    EXPECT_EQ(text(path), "{\"a\":1}\n");
}

TEST_F(FileSinkTest, WhatIsNoFileIsNotWaitedFor) {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    FileSink pipe(path);
    EXPECT_EQ(put(pipe, {"{}"}).kind, Kind::away);
    FileSink nowhere(folder + "/none/events.jsonl");
    EXPECT_EQ(put(nowhere, {"{}"}).kind, Kind::away);
    FileSink device("/dev/null");
    EXPECT_EQ(put(device, {"{}"}).kind, Kind::away);
}

// The limit of a file's size cuts a write in two as a full disk does.
TEST_F(FileSinkTest, AWriteThatIsCutShortLeavesWholeLinesAndIsTriedAgain) {
    FileSink sink(path);
    put(sink, {"{\"a\":1}"});
    rlimit former{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &former), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{12, former.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const Delivered word = put(sink, {"{\"b\":2}", "{\"c\":3}"});
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &former), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(word.kind, Kind::away);
    EXPECT_EQ(text(path), "{\"a\":1}\n");
    EXPECT_EQ(put(sink, {"{\"b\":2}"}).kind, Kind::sent);
    EXPECT_EQ(text(path), "{\"a\":1}\n{\"b\":2}\n");
}

}  // namespace
}  // namespace pawl::stream
