// SPDX-License-Identifier: Apache-2.0
// A store as a kill leaves it: the file, its log and the index beside the log, taken from under a running
// engine whose every word is known.
#pragma once

#include <fstream>
#include <sstream>

#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/scratch_folder.hpp"

namespace pawl::sqlite {

inline std::string bytes_of(const std::string& path) {
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return std::move(all).str();
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct KilledStore {
    ScratchFolder folder;
    std::string path = folder.path() + "/pawl.db";
    store::conformance::HandClock clock;
    SeededEntropy entropy{1};
    Told told;
    std::string file;
    std::string log;
    std::string index;

    // `keys` operations in one log, folded in before the last `unfolded` of them.
    explicit KilledStore(int keys, int unfolded = 1'000'000) {
        auto engine = start();
        PAWL_ASSERT(engine.has_value());
        for (int key = 0; key < keys; ++key) {
            if (key == keys - unfolded) (*engine)->checkpoint();
            const auto claimed = commit_one(**engine, claim_of(key, (*engine)->boot()));
            const std::string body = "body of " + std::to_string(key);
            PAWL_ASSERT(commit_one(**engine, complete_of(claimed->row, body)).has_value());
            told.completed[key] = body;
            told.fences.insert(claimed->row.fence);
        }
        if (unfolded == 0) (*engine)->checkpoint();
        file = bytes_of(path);
        log = bytes_of(path + "-wal");
        index = bytes_of(path + "-shm");
    }
    Result<std::unique_ptr<Engine>> start() {
        auto opened = open_store({.path = path});
        if (!opened) return fail(opened.error());
        return Engine::start(std::move(*opened), clock, entropy);
    }
    void put_back(const std::string& with_log, bool with_index = true) const {
        put_bytes(path, file);
        put_bytes(path + "-wal", with_log);
        std::filesystem::remove(path + "-shm");
        if (with_index) put_bytes(path + "-shm", index);
    }
};

}  // namespace pawl::sqlite
