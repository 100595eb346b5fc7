// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/file_flows.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "runtime/task/run_here.hpp"
#include "store/sqlite/engine.hpp"
#include "store/sqlite/scratch_folder.hpp"

namespace pawl::sqlite {
namespace {

const Digest kIdentity = sha256("an operation");

struct Fixture {
    ScratchFolder folder;
    std::string path = folder.path() + "/pawl.db";
    SystemLoop system;

    std::unique_ptr<Engine> engine() {
        auto file = open_store({.path = path});
        PAWL_ASSERT(file.has_value());
        auto engine =
            Engine::start(std::move(*file), system.loop().clock(), system.loop().entropy());
        PAWL_ASSERT(engine.has_value());
        return std::move(*engine);
    }
    Result<std::unique_ptr<FileLooks>> looks() {
        return FileLooks::open(path, system.loop().clock());
    }

    template <class T>
    T run(Task<T> task) {
        return run_here(system, std::move(task));
    }
};

record::Call claim() {
    record::Claim claim;
    claim.identity = kIdentity;
    claim.claim.bytes[0] = 1;
    claim.lease_ms = 30'000;
    claim.key_label = "k1";
    return claim;
}

TEST(FileLooks, SeeWhatAWriterCommittedBesideThem) {  // R-EXPLAIN without a server
    Fixture at;
    const auto engine = at.engine();
    const record::Call call = claim();
    ASSERT_TRUE(engine->commit(std::span(&call, 1)).front());
    const auto looks = at.looks();
    ASSERT_TRUE(looks) << looks.error().text;
    const auto found = at.run((*looks)->find(store::LookUp::key, "k1", 10));
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, std::vector{kIdentity});
    const auto stored = at.run((*looks)->read(kIdentity));
    ASSERT_TRUE(stored && *stored);
    EXPECT_EQ((*stored)->row.state, record::State::in_progress);
    EXPECT_EQ(at.run((*looks)->totals())->in_progress, 1U);
}

TEST(FileFlows, SeeWhatAWriterCommittedAndChangeNothing) {
    Fixture at;
    const store::FlowCommit told{
        .subject = {"acme", "order", {}, "B1"},
        .decision = flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                      .reason = "it names no order"}};
    {
        const auto engine = at.engine();
        ASSERT_TRUE(engine->commit_flows({&told, 1}).front());
    }
    const auto looks = at.looks();
    ASSERT_TRUE(looks) << looks.error().text;
    FileFlows flows(**looks);
    const auto open = flows.attention(0, 9);
    ASSERT_TRUE(open);
    ASSERT_EQ(open->size(), 1U);
    EXPECT_EQ(open->front().reason, "it names no order");
    EXPECT_EQ(flows.entries({.of = told.subject})->size(), 1U);
    EXPECT_FALSE(flows.load(told.subject)->entity);
    EXPECT_EQ(flows.commit_flows({&told, 1}).at(0).error().code, Code::store_readonly);
    const store::Errand close =
        store::CloseAttention{.number = open->front().number, .by = "ann", .why = "seen"};
    EXPECT_EQ(flows.commit_errands({&close, 1}).at(0).error().code, Code::store_readonly);
    EXPECT_EQ(flows.attention(0, 9)->size(), 1U);
}

TEST(FileLooks, ChangeNothing) {
    Fixture at;
    {
        const auto engine = at.engine();
        const record::Call call = claim();
        ASSERT_TRUE(engine->commit(std::span(&call, 1)).front());
    }
    {
        const auto looks = at.looks();
        ASSERT_TRUE(looks) << looks.error().text;
        EXPECT_EQ(at.run((*looks)->apply(claim())).error().code, Code::store_readonly);
        EXPECT_EQ(at.run((*looks)->read(kIdentity))->value().row.state, record::State::in_progress);
    }
    // The next boot is the first to say that the claim has ended.
    EXPECT_EQ(at.engine()->read(kIdentity)->value().row.state, record::State::uncertain);
}

// Root may write anywhere, so the looks are made as somebody else.
struct AsNobody {
    AsNobody() {
        if (::geteuid() == 0) PAWL_ASSERT(::seteuid(65'534) == 0);
    }
    ~AsNobody() {
        if (::getuid() == 0) PAWL_ASSERT(::seteuid(0) == 0);
    }
};

TEST(FileLooks, ReadAStoreThatTheyMayOnlyRead) {
    Fixture at;
    {
        const auto engine = at.engine();
        const record::Call call = claim();
        ASSERT_TRUE(engine->commit(std::span(&call, 1)).front());
    }
    ASSERT_EQ(::chmod(at.folder.path().c_str(), 0555), 0);
    ASSERT_EQ(::chmod(at.path.c_str(), 0444), 0);
    {
        const AsNobody nobody;
        auto looks = at.looks();
        ASSERT_TRUE(looks) << looks.error().text << looks.error().cause;
        EXPECT_TRUE(at.run((*looks)->read(kIdentity))->has_value());
    }
    ASSERT_EQ(::chmod(at.folder.path().c_str(), 0755), 0);
    std::ofstream(at.path + "-wal") << "something";
    ASSERT_EQ(::chmod(at.folder.path().c_str(), 0555), 0);
    {
        const AsNobody nobody;
        const auto refused = at.looks();
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Code::store_readonly);
        EXPECT_NE(refused.error().text.find(at.path + "-wal"), std::string::npos);
    }
    ASSERT_EQ(::chmod(at.folder.path().c_str(), 0755), 0);
    std::filesystem::remove(at.path + "-wal");
}

TEST(FileLooks, OfAFolderSayWhatToName) {
    Fixture at;
    const auto refused = FileLooks::open(at.folder.path(), at.system.loop().clock());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::config_invalid);
    EXPECT_NE(refused.error().text.find(at.folder.path() + "/pawl.db"), std::string::npos);
}

TEST(FileLooks, AreRefusedOnWhatIsNoStoreAndOnAnotherFormat) {
    Fixture at;
    EXPECT_EQ(at.looks().error().code, Code::not_found);
    {
        Connection other;
        ASSERT_EQ(other.open(at.path, Connection::Access::write), 0);
        ASSERT_EQ(other.run("CREATE TABLE t (x)"), 0);
    }
    EXPECT_EQ(at.looks().error().code, Code::store_corrupt);
    Fixture newer;
    newer.engine();
    {
        Connection other;
        ASSERT_EQ(other.open(newer.path, Connection::Access::write), 0);
        ASSERT_EQ(other.run("PRAGMA user_version = 99"), 0);
    }
    EXPECT_EQ(newer.looks().error().code, Code::store_newer);
}

}  // namespace
}  // namespace pawl::sqlite
