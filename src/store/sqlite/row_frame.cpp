// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/row_frame.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pawl::sqlite {
namespace {

static_assert(std::endian::native == std::endian::little,
              "frames and filters are read as they lie");

constexpr std::size_t kDigestSize = 32;
constexpr std::size_t kKeepUntilAt = kDigestSize;
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
    std::memcpy(&head.keep_until_ms, frame.data() + kKeepUntilAt, sizeof head.keep_until_ms);
    return head;
}

std::optional<record::Row> row_in(std::string_view frame) {
    if (frame.size() < kFrameHead) return std::nullopt;
    std::uint32_t size = 0;
    std::memcpy(&size, frame.data() + kSizeAt, sizeof size);
    if (size > frame.size() - kFrameHead) return std::nullopt;
    auto row = record::decode_row(frame.substr(kFrameHead, size));
    if (!row) return std::nullopt;
    return std::move(*row);
}

std::vector<Digest> bearers_of(std::string_view frame) {
    std::vector<Digest> bearers;
    const auto add = [&](std::string_view named) {
        if (named.size() < kDigestSize) return;
        const Digest identity = digest_from(named.substr(0, kDigestSize));
        // What was overwritten with zeros names nobody.
        if (identity != Digest{} && std::ranges::find(bearers, identity) == bearers.end())
            bearers.push_back(identity);
    };
    add(frame);
    if (frame.size() > kFrameHead) add(record::identity_bytes(frame.substr(kFrameHead)));
    return bearers;
}

}  // namespace pawl::sqlite
