// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/schema.hpp"

#include <charconv>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/failure.hpp"

namespace pawl::sqlite {
namespace {

Result<std::int64_t> number_in(Connection& connection, std::string_view sql) {
    const auto text = connection.ask(sql);
    if (!text)
        return fail(
            failure_of(sqlite3_extended_errcode(connection.handle()), Phase::open, connection)
                .error);
    std::int64_t number = 0;
    std::from_chars(text->data(), text->data() + text->size(), number);
    return number;
}

Status apply_step(Connection& connection, const SchemaStep& step) {
    const std::string sql = fmt::format(
        "BEGIN IMMEDIATE;\n{}\nPRAGMA user_version = {};\nPRAGMA application_id = "
        "{};\nCOMMIT;",
        step.sql, step.number, kApplicationId);
    const int result = connection.run(sql.c_str());
    if (result == SQLITE_OK) return {};
    Error error = failure_of(result, Phase::open, connection).error;
    if (connection.in_transaction()) (void)connection.run("ROLLBACK");
    return fail(std::move(error));
}

}  // namespace

Status bring_up_to_date(Connection& connection) {
    const auto present = number_in(connection, "PRAGMA user_version");
    if (!present) return fail(present.error());
    const auto owner = number_in(connection, "PRAGMA application_id");
    if (!owner) return fail(owner.error());
    const auto tables = number_in(connection, "SELECT count(*) FROM sqlite_schema");
    if (!tables) return fail(tables.error());

    const bool empty = *tables == 0 && *present == 0 && *owner == 0;
    if (!empty && *owner != kApplicationId)
        return fail(Code::store_corrupt,
                    "The file is an SQLite database of another program. Name another store path.",
                    {}, "store.sqlite");
    const int newest = schema_steps().back().number;
    if (*present > newest)
        return fail(
            Code::store_newer,
            fmt::format("The store has schema {}, this version knows {}. Start the newer version.",
                        *present, newest),
            {}, "store.sqlite");
    for (const SchemaStep& step : schema_steps()) {
        if (step.number <= *present) continue;
        if (Status applied = apply_step(connection, step); !applied) return applied;
    }
    return {};
}

}  // namespace pawl::sqlite
