// SPDX-License-Identifier: Apache-2.0
// Finds records on one connection, the writer's or the reader's, with the catalog's hints.
#pragma once

#include <expected>

#include "core/record/row.hpp"
#include "store/sqlite/catalog.hpp"
#include "store/sqlite/connection.hpp"

namespace pawl::sqlite {

// A value, or SQLite's extended result code.
template <class T>
using Coded = std::expected<T, int>;

class RowFinder {
  public:
    struct Found {
        RecordId record;
        std::size_t frame_size = 0;
        record::Row row;  // uncertain when it cannot be read
        bool readable = true;
    };

    // Both outlive it.
    RowFinder(const Connection& connection, const Catalog& catalog);

    Coded<std::optional<Found>> find(const Digest& identity);
    // Where the row is, or was: for what is only kept beside it.
    Coded<std::optional<RecordId>> locate(const Digest& identity);
    // One that cannot be read bears the identity that its generation's index names, else the likeliest of those
    // that its bytes name, or none. Finding it in the index takes a look at the whole of it.
    Coded<std::optional<Found>> load(RecordId record);
    // Records that bear, or bore, a name; newest first, each once.
    Coded<std::vector<RecordId>> named(std::int64_t hash);

  private:
    // Where the identity lies on disk; 0: not in that generation.
    Coded<std::uint32_t> position_in(std::uint32_t generation, const Digest& identity);
    Coded<std::optional<Found>> load_of(RecordId record, const Digest& identity);
    Coded<std::optional<Found>> read_at(RecordId record);

    const Catalog& catalog_;
    Statement select_row_;
    Statement select_position_;
    Statement select_identity_;
    Statement select_named_;
};

// The leading 8 bytes of the digest of what people look for.
std::int64_t key_hash(std::string_view key_label);
std::int64_t trace_hash(std::string_view trace_id);

}  // namespace pawl::sqlite
