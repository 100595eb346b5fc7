// SPDX-License-Identifier: Apache-2.0
#include "gateway/answer_cache.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pawl::gateway {
namespace {

constexpr std::size_t kGhostsMax = 100'000;
constexpr std::uint8_t kHitsMax = 3;

// What an allocation of so many bytes takes: jemalloc (decision 0008) has four sizes between two powers of two.
std::size_t allocated(std::size_t bytes) {
    constexpr std::size_t kGrain = 16;
    const std::size_t step = std::max(kGrain, std::bit_floor(std::max(bytes, kGrain) - 1) / 4);
    return (bytes + step - 1) / step * step;
}

std::size_t allocated(const std::string& text) {
    return text.capacity() > std::string().capacity() ? allocated(text.capacity() + 1) : 0;
}

std::uint64_t ghost_of(const Digest& identity) {
    std::uint64_t leading = 0;
    std::memcpy(&leading, identity.bytes.data(), sizeof leading);
    return leading;
}

}  // namespace

std::size_t AnswerCache::bytes_of(const CachedResult& result) {
    using Node = std::pair<const Digest, Entry>;
    // A node has a link and a hash beside it; there are up to two places in the table for each, and two tickets.
    std::size_t bytes = allocated(sizeof(Node) + 2 * sizeof(void*)) + 2 * sizeof(void*);
    bytes += 2 * sizeof(Ticket);
    if (result.settled.stamp) bytes += allocated(result.settled.stamp->canonical);
    const record::Answer& answer = *result.answer;
    bytes += allocated(sizeof answer + 2 * sizeof(void*));  // and what counts its owners
    bytes += allocated(answer.body);
    if (answer.headers.capacity() > 0)
        bytes += allocated(answer.headers.capacity() * sizeof answer.headers.front());
    for (const auto& [name, value] : answer.headers) bytes += allocated(name) + allocated(value);
    return bytes;
}

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
    const bool returning = ghost_count_.contains(ghost_of(identity));
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
    while (bytes() > bytes_max_) {
        const bool small_first = small_bytes_ > bytes_max_ / 10;
        const bool gone = small_first ? evict_from_small() || evict_from_main()
                                      : evict_from_main() || evict_from_small();
        forget_ghosts();
        if (!gone) break;
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
        drop(ticket.identity);
        remember_ghost(ticket.identity);
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
    ghosts_.push_back(ghost_of(identity));
    ++ghost_count_[ghosts_.back()];
}

void AnswerCache::forget_ghosts() {
    while (ghosts_.size() > std::min(kGhostsMax, entries_.size())) {
        const auto oldest = ghost_count_.find(ghosts_.front());
        if (--oldest->second == 0) ghost_count_.erase(oldest);
        ghosts_.pop_front();
    }
}

}  // namespace pawl::gateway
