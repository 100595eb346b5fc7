// SPDX-License-Identifier: Apache-2.0
// A connection to SQLite and its statements, as owners of what the C library hands out. Every statement is
// prepared once and kept. Results are SQLite's own codes: failure.hpp says what they mean for a call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace pawl::sqlite {

// SQLite no longer counts what it allocates, which all its connections would take turns for. For a program that is
// alone with it; without effect once a connection was opened.
void leave_memory_uncounted();

class Connection;

class Statement {
  public:
    Statement() = default;

    // Bytes and text are not copied: they outlive the next step() or run().
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, std::string_view bytes);
    // SQLITE_ROW, SQLITE_DONE or an extended error code. After anything but SQLITE_ROW it is reset.
    int step();
    // For statements without rows: SQLITE_OK or an extended error code; reset afterwards.
    int run();
    void reset();

    std::int64_t integer(int column) const;
    // Valid until the next step() or reset().
    std::string_view bytes(int column) const;
    bool is_null(int column) const;

  private:
    friend class Connection;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    Statement(sqlite3_stmt* statement, int failed) : statement_(statement), failed_(failed) {}
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    int failed_ = 0;  // what step() answers when it could not be prepared
};

class Connection {
  public:
    // still: reads a file that nobody writes meanwhile, and needs no right to write beside it.
    enum class Access : std::uint8_t { write, read, still };

    Connection() = default;
    // SQLITE_OK or an extended error code. `vfs` empty: the default one; page_sums.hpp stands over it.
    int open(const std::string& path, Access access, const std::string& vfs = {});
    // Closes; the last connection to a file in WAL mode also checkpoints it.
    void close() { handle_.reset(); }

    // A statement that cannot be prepared, as when the disk fails, says why when it is stepped.
    Statement prepare(std::string_view sql) const;
    int run(const char* sql) const;
    // The first column of the first row.
    std::optional<std::string> ask(std::string_view sql) const;
    std::string last_error() const;
    bool in_transaction() const;
    sqlite3* handle() const { return handle_.get(); }

  private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace pawl::sqlite
