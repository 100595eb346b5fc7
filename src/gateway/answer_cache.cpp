// SPDX-License-Identifier: Apache-2.0
#include "gateway/answer_cache.hpp"

#include <algorithm>

namespace pawl::gateway {
namespace {

constexpr std::size_t kEntryOverheadBytes = 512;
constexpr std::size_t kGhostsMax = 100'000;
constexpr std::uint8_t kHitsMax = 3;

std::size_t bytes_of(const CachedResult& result) {
    std::size_t bytes = kEntryOverheadBytes + result.answer->body.size();
    for (const auto& [name, value] : result.answer->headers)
        bytes += name.size() + value.size() + 64;
    return bytes;
}

}  // namespace

const CachedResult* AnswerCache::find(const Digest& identity) {
    const auto found = entries_.find(identity);
    if (found == entries_.end()) return nullptr;
    found->second.hits = std::min<std::uint8_t>(kHitsMax, found->second.hits + 1);
    return &found->second.result;
}

void AnswerCache::put(const Digest& identity, CachedResult result) {
    drop(identity);
    const std::size_t bytes = bytes_of(result);
    if (bytes > bytes_max_ / 4) return;
    const bool returning = ghost_count_.contains(identity);
    Entry entry{std::move(result), bytes, 0, returning, ++last_number_};
    (returning ? main_ : small_).push_back({identity, entry.number});
    bytes_ += bytes;
    if (!returning) small_bytes_ += bytes;
    entries_.emplace(identity, std::move(entry));
    make_room();
}

void AnswerCache::drop(const Digest& identity) {
    const auto found = entries_.find(identity);
    if (found == entries_.end()) return;
    bytes_ -= found->second.bytes;
    if (!found->second.main) small_bytes_ -= found->second.bytes;
    entries_.erase(found);  // its ticket stays in the queue and is passed over by its number
}

void AnswerCache::make_room() {
    while (bytes_ > bytes_max_) {
        const bool small_first = small_bytes_ > bytes_max_ / 10;
        if (small_first ? evict_from_small() || evict_from_main()
                        : evict_from_main() || evict_from_small())
            continue;
        break;
    }
    while (small_.size() + main_.size() > 2 * entries_.size() + 64) {  // tickets of dropped entries
        std::deque<Ticket>& longer = small_.size() > main_.size() ? small_ : main_;
        const Ticket ticket = longer.front();
        longer.pop_front();
        const auto found = entries_.find(ticket.identity);
        if (found != entries_.end() && found->second.number == ticket.number)
            longer.push_back(ticket);
    }
}

bool AnswerCache::evict_from_small() {
    while (!small_.empty()) {
        const Ticket ticket = small_.front();
        small_.pop_front();
        const auto found = entries_.find(ticket.identity);
        if (found == entries_.end() || found->second.number != ticket.number) continue;
        if (found->second.hits > 0) {
            found->second.main = true;
            found->second.hits = 0;
            small_bytes_ -= found->second.bytes;
            main_.push_back(ticket);
            continue;
        }
        remember_ghost(ticket.identity);
        drop(ticket.identity);
        return true;
    }
    return false;
}

bool AnswerCache::evict_from_main() {
    while (!main_.empty()) {
        const Ticket ticket = main_.front();
        main_.pop_front();
        const auto found = entries_.find(ticket.identity);
        if (found == entries_.end() || found->second.number != ticket.number) continue;
        if (found->second.hits > 0) {
            --found->second.hits;
            main_.push_back(ticket);
            continue;
        }
        drop(ticket.identity);
        return true;
    }
    return false;
}

void AnswerCache::remember_ghost(const Digest& identity) {
    ghosts_.push_back(identity);
    ++ghost_count_[identity];
    if (ghosts_.size() <= kGhostsMax) return;
    const auto oldest = ghost_count_.find(ghosts_.front());
    if (--oldest->second == 0) ghost_count_.erase(oldest);
    ghosts_.pop_front();
}

}  // namespace pawl::gateway
