// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/timeline.hpp"

#include <algorithm>

#include <sqlite3.h>

#include "core/record/wire.hpp"

namespace pawl::sqlite {

bool NoteQueue::push(store::TimelineEntry entry) {
    const std::scoped_lock lock(mutex_);
    if (notes_.size() >= kNotesMax) {
        dropped_.add();
        return false;
    }
    notes_.push_back(std::move(entry));
    return notes_.size() == 1;
}

std::vector<store::TimelineEntry> NoteQueue::take(std::size_t limit) {
    const std::scoped_lock lock(mutex_);
    const auto end = notes_.begin() + static_cast<std::ptrdiff_t>(std::min(limit, notes_.size()));
    std::vector<store::TimelineEntry> taken(std::move_iterator(notes_.begin()),
                                            std::move_iterator(end));
    notes_.erase(notes_.begin(), end);
    return taken;
}

std::size_t NoteQueue::size() const {
    const std::scoped_lock lock(mutex_);
    return notes_.size();
}

namespace {

void write_entry(record::WireWriter& out, const store::TimelineEntry& entry) {
    out.whole(entry.at_ms);
    out.text(entry.step);
    out.text(entry.outcome);
    out.number(entry.fence.number);
    out.text(entry.detail);
    out.number(entry.count);
}

}  // namespace

std::string encode_entry(const store::TimelineEntry& entry) {
    record::WireWriter out;
    write_entry(out, entry);
    return out.take();
}

int write_notes(Tables& tables, Transaction& transaction,
                const std::vector<store::TimelineEntry>& notes, std::int64_t& last_number) {
    std::unordered_map<Digest, record::WireWriter, DigestHash> by_operation;
    for (const store::TimelineEntry& note : notes) write_entry(by_operation[note.identity], note);
    std::map<RecordId, std::string> by_record;  // in the order in which they lie
    for (auto& [identity, entries] : by_operation) {
        const auto record = tables.finder.locate(identity);
        if (!record) return record.error();
        if (*record) by_record.emplace(**record, entries.take());
    }
    for (const auto& [record, entries] : by_record) {
        // Above everything that an earlier boot has given out, because store time is.
        last_number = std::max(last_number + 1, transaction.now_ms() << 20);
        const int written = tables.insert_timeline.bind(1, record.value)
                                .bind(2, last_number)
                                .bind(3, entries)
                                .run();
        if (written != SQLITE_OK) return written;
        transaction.wrote();
    }
    return SQLITE_OK;
}

void decode_entries(std::string_view bytes, const Digest& identity,
                    std::vector<store::TimelineEntry>& entries) {
    record::WireReader in(bytes);
    while (in.fits() && !in.at_end()) {
        store::TimelineEntry entry;
        entry.identity = identity;
        entry.at_ms = in.whole();
        entry.step = in.text();
        entry.outcome = in.text();
        entry.fence.number = in.number();
        entry.detail = in.text();
        entry.count = static_cast<std::uint32_t>(in.number());
        if (in.fits()) entries.push_back(std::move(entry));
    }
}

}  // namespace pawl::sqlite
