// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/connection.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include "runtime/result/assert.hpp"
#include "store/sqlite/page_sums.hpp"

namespace pawl::sqlite {

void leave_memory_uncounted() { (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int index, std::int64_t value) {
    if (statement_) PAWL_ASSERT(sqlite3_bind_int64(statement_.get(), index, value) == SQLITE_OK);
    return *this;
}

Statement& Statement::bind(int index, std::string_view bytes) {
    if (!statement_) return *this;
    // A null pointer would bind NULL; an empty value is a value.
    const char* start = bytes.data() == nullptr ? "" : bytes.data();
    const int result =
        sqlite3_bind_blob64(statement_.get(), index, start, bytes.size(), SQLITE_STATIC);
    PAWL_ASSERT(result == SQLITE_OK || result == SQLITE_TOOBIG);
    return *this;
}

int Statement::step() {
    if (!statement_) return failed_;
    const int result = sqlite3_step(statement_.get());
    if (result != SQLITE_ROW) sqlite3_reset(statement_.get());
    return result;
}

int Statement::run() {
    const int result = step();
    if (result == SQLITE_ROW) reset();
    return result == SQLITE_DONE || result == SQLITE_ROW ? SQLITE_OK : result;
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
    const void* start = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return {static_cast<const char*>(start), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

namespace {

std::string still_uri(std::string_view path) {
    std::string uri = "file:";
    for (const char c : path)
        uri += c == '?' || c == '#' || c == '%'
                   ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
                   : std::string(1, c);
    return uri + "?immutable=1";
}

}  // namespace

void Connection::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

int Connection::open(const std::string& path, Access access, const std::string& vfs) {
    sqlite3* handle = nullptr;
    const int flags = access == Access::write   ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                      : access == Access::still ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                                : SQLITE_OPEN_READONLY;
    const std::string name = access == Access::still ? still_uri(path) : path;
    // One thread at a time uses a connection, so it needs no mutex of its own.
    const int result =
        sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                        vfs_with_page_sums(vfs).c_str());
    handle_.reset(handle);
    // For a file that is made by this; one that is there keeps what it has.
    int reserved = kPageSumBytes;
    if (result == SQLITE_OK && access == Access::write)
        (void)sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
    return result;
}

Statement Connection::prepare(std::string_view sql) const {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                          SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    return {statement, result};
}

int Connection::run(const char* sql) const {
    return sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
}

std::optional<std::string> Connection::ask(std::string_view sql) const {
    Statement statement = prepare(sql);
    if (statement.step() != SQLITE_ROW) return std::nullopt;
    return std::string(statement.bytes(0));
}

std::string Connection::last_error() const {
    return handle_ ? sqlite3_errmsg(handle_.get()) : "not open";
}

bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

}  // namespace pawl::sqlite
