// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/row_frame.hpp"

#include <bit>
#include <cstring>

namespace pawl::sqlite {
namespace {

static_assert(std::endian::native == std::endian::little,
              "frames and filters are read as they lie");

constexpr std::size_t kKeepUntilAt = 32;
constexpr std::size_t kSizeAt = 40;
constexpr std::size_t kGrain = 16;

std::int64_t keep_until_of(const record::Row& row) {
    const bool stays = record::is_unresolved(row.state) || row.key_until_ms == record::kForever;
    return stays ? kStays : row.key_until_ms;
}

}  // namespace

std::string frame_of(const record::Row& row, std::size_t size_now) {
    const std::string encoded = record::encode(row);
    std::size_t size = kFrameHead + encoded.size();
    if (size > size_now) {
        if (record::is_unresolved(row.state)) size += kRoomToGrow;
        size = (size + kGrain - 1) / kGrain * kGrain;
    } else {
        size = size_now;
    }
    std::string frame(size, '\0');
    const std::int64_t keep_until_ms = keep_until_of(row);
    const auto encoded_size = static_cast<std::uint32_t>(encoded.size());
    std::memcpy(frame.data(), row.identity.bytes.data(), row.identity.bytes.size());
    std::memcpy(frame.data() + kKeepUntilAt, &keep_until_ms, sizeof keep_until_ms);
    std::memcpy(frame.data() + kSizeAt, &encoded_size, sizeof encoded_size);
    std::memcpy(frame.data() + kFrameHead, encoded.data(), encoded.size());
    return frame;
}

std::optional<FrameHead> head_of(std::string_view frame) {
    if (frame.size() < kFrameHead) return std::nullopt;
    FrameHead head;
    head.identity = digest_from(frame.substr(0, kKeepUntilAt));
    std::memcpy(&head.keep_until_ms, frame.data() + kKeepUntilAt, sizeof head.keep_until_ms);
    return head;
}

record::Row row_in(std::string_view frame, const Digest& identity) {
    std::uint32_t size = 0;
    if (frame.size() >= kFrameHead) std::memcpy(&size, frame.data() + kSizeAt, sizeof size);
    if (frame.size() < kFrameHead || size > frame.size() - kFrameHead)
        return record::unreadable_row(identity);
    auto row = record::decode_row(frame.substr(kFrameHead, size));
    if (!row || row->identity != identity) return record::unreadable_row(identity);
    return std::move(*row);
}

}  // namespace pawl::sqlite
