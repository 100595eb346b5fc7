// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/log_damage.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace pawl::sqlite {
namespace {

constexpr std::uint32_t kMagic = 0x377f0682;  // the lowest bit: sums over big-endian words
constexpr std::uint32_t kLogVersion = 3'007'000;
constexpr std::uint32_t kPageMin = 512;
constexpr std::uint32_t kPageMax = 65'536;
// What a disk writes whole or not at all.
constexpr std::uint64_t kSector = 512;
constexpr std::size_t kMagicAt = 0;         // of the log's head
constexpr std::size_t kSaltsAt = 16;        //
constexpr std::size_t kHeadSumAt = 24;      //
constexpr std::size_t kFrameSaltsAt = 8;    // of a frame
constexpr std::size_t kFrameSumAt = 16;     //
constexpr std::size_t kIndexCopy = 48;      // of one head of the index
constexpr std::size_t kIndexSumAt = 40;     //
constexpr std::size_t kIndexVersionAt = 0;  //
constexpr std::size_t kIndexFramesAt = 16;  //
constexpr std::size_t kIndexSaltsAt = 32;   //
constexpr std::size_t kIndexIsInitAt = 12;  //
constexpr std::size_t kIndexFoldedAt = 96;  // behind both heads

std::uint32_t native(const char* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::uint32_t big(const char* at) {
    return std::endian::native == std::endian::big ? native(at) : std::byteswap(native(at));
}

struct Sum {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    bool operator==(const Sum&) const = default;
};

// As of SQLite's log: words of 32 bits, in pairs.
Sum add(Sum sum, std::string_view bytes, bool swapped) {
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        std::uint32_t even = native(bytes.data() + at);
        std::uint32_t odd = native(bytes.data() + at + 4);
        if (swapped) {
            even = std::byteswap(even);
            odd = std::byteswap(odd);
        }
        sum.first += even + sum.second;
        sum.second += odd + sum.first;
    }
    return sum;
}

Sum sum_at(const char* at) { return {big(at), big(at + 4)}; }

struct LogHead {
    std::uint32_t page = 0;
    bool swapped = false;  // of its sums' words against this machine's
    std::array<char, 8> salts{};
    Sum sum;
};

std::optional<LogHead> head_in(std::string_view bytes) {
    if (bytes.size() < kLogHead) return std::nullopt;
    LogHead head;
    const std::uint32_t magic = big(bytes.data() + kMagicAt);
    head.page = big(bytes.data() + 8);
    const bool fits = (magic & ~1U) == kMagic && big(bytes.data() + 4) == kLogVersion &&
                      std::has_single_bit(head.page) && head.page >= kPageMin &&
                      head.page <= kPageMax;
    if (!fits) return std::nullopt;
    head.swapped = ((magic & 1U) != 0) != (std::endian::native == std::endian::big);
    head.sum = add({}, bytes.substr(0, kHeadSumAt), head.swapped);
    if (head.sum != sum_at(bytes.data() + kHeadSumAt)) return std::nullopt;
    std::copy_n(bytes.data() + kSaltsAt, head.salts.size(), head.salts.begin());
    return head;
}

// Walks the frames in order. What stands in the places of a frame: its own bytes, what an earlier log left
// there (other salts), or damage.
class Frames {
  public:
    Frames(const ReadLog& log, const LogHead& head)
        : log_(log), head_(head), frame_(kFrameHeadInLog + head.page, '\0'), before_(head.sum) {}

    bool next() {
        offset_ = kLogHead + number_ * frame_.size();
        if (log_(offset_, frame_) != frame_.size()) return false;
        ++number_;
        const bool of_this_log =
            std::equal(head_.salts.begin(), head_.salts.end(), frame_.data() + kFrameSaltsAt);
        const std::string_view bytes = frame_;
        const Sum stored = sum_at(frame_.data() + kFrameSumAt);
        Sum sum = add(before_, bytes.substr(0, kFrameSaltsAt), head_.swapped);
        sum = add(sum, bytes.substr(kFrameHeadInLog), head_.swapped);
        follows_ = of_this_log && big(frame_.data()) != 0 && sum == stored;
        // Page number, size of the store after the commit, and salts arrive together unless a sector ends
        // between them: then only the sum shows that they belong together.
        const bool torn_inside = (offset_ + kFrameSaltsAt) % kSector == 0;
        commits_ = of_this_log && big(frame_.data() + 4) != 0 && (follows_ || !torn_inside);
        before_ = stored;
        return true;
    }
    std::uint64_t number() const { return number_; }
    bool follows() const { return follows_; }
    bool commits() const { return commits_; }

  private:
    const ReadLog& log_;
    const LogHead& head_;
    std::string frame_;
    Sum before_;
    std::uint64_t offset_ = 0;
    std::uint64_t number_ = 0;
    bool follows_ = false;
    bool commits_ = false;
};

// The disk may have made room for a head that never arrived.
bool is_blank(const ReadLog& log) {
    std::string chunk(kPageMax, '\0');
    for (std::uint64_t offset = 0;; offset += chunk.size()) {
        const std::size_t got = log(offset, chunk);
        if (std::any_of(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(got),
                        [](char c) { return c != '\0'; }))
            return false;
        if (got < chunk.size()) return true;
    }
}

std::optional<LogDamage> damage_without_head(const ReadLog& log, std::size_t size,
                                             const std::optional<LogIndex>& index) {
    const bool frames_are_gone = index && index->frames > index->folded;
    const bool frames_behind = size == kLogHead && [&log] {
        char one = 0;
        return log(kLogHead, {&one, 1}) == 1;
    }() && !is_blank(log);
    if (!frames_are_gone && !frames_behind) return std::nullopt;
    return LogDamage{.frame = 0, .all_folded = index && index->frames <= index->folded};
}

}  // namespace

std::optional<LogIndex> log_index_in(std::string_view bytes) {
    if (bytes.size() < kLogIndexHead) return std::nullopt;
    std::optional<LogIndex> newest;
    for (const std::string_view copy :
         {bytes.substr(0, kIndexCopy), bytes.substr(kIndexCopy, kIndexCopy)}) {
        const Sum stored{native(copy.data() + kIndexSumAt), native(copy.data() + kIndexSumAt + 4)};
        const bool sound = native(copy.data() + kIndexVersionAt) == kLogVersion &&
                           copy[kIndexIsInitAt] == 1 &&
                           add({}, copy.substr(0, kIndexSumAt), false) == stored;
        if (!sound) continue;
        LogIndex said;
        said.frames = native(copy.data() + kIndexFramesAt);
        said.folded = native(bytes.data() + kIndexFoldedAt);
        std::copy_n(copy.data() + kIndexSaltsAt, said.salts.size(), said.salts.begin());
        // A kill between the two leaves the second one newer; both are true of what they count.
        if (!newest || (said.salts == newest->salts && said.frames > newest->frames)) newest = said;
    }
    return newest;
}

std::optional<LogDamage> damage_in(const ReadLog& log, const std::optional<LogIndex>& index) {
    std::array<char, kLogHead> start{};
    const std::size_t size = log(0, start);
    const auto head = head_in({start.data(), size});
    if (!head) return damage_without_head(log, size, index);

    const bool of_this_log = index && index->salts == head->salts;
    const std::uint64_t synced = of_this_log ? index->frames : 0;
    Frames frames(log, *head);
    std::uint64_t sound = 0;
    while (sound == frames.number() && frames.next())
        if (frames.follows()) sound = frames.number();
    const LogDamage damage{.frame = sound + 1,
                           .all_folded = of_this_log && index->frames <= index->folded};
    if (sound < synced) return damage;
    if (sound == frames.number()) return std::nullopt;
    int commits = frames.commits() ? 1 : 0;
    while (commits < 2 && frames.next()) commits += frames.commits() ? 1 : 0;
    if (commits >= 2) return damage;
    return std::nullopt;
}

}  // namespace pawl::sqlite
