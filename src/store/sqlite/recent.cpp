// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/recent.hpp"

#include <algorithm>
#include <bit>

namespace pawl::sqlite {

Recent::Recent(std::size_t expected, std::uint64_t seed)
    : seed_(seed | 1), slots_(std::bit_ceil(std::max<std::size_t>(expected * 2, 16))) {
    identities_.reserve(expected);
    names_.reserve(expected * 2);
}

std::size_t Recent::slot_of(const Digest& identity) const {
    std::uint64_t leading = 0;
    std::memcpy(&leading, identity.bytes.data(), sizeof leading);
    return (leading * seed_) >> (64 - std::countr_zero(slots_.size()));
}

void Recent::place(std::uint32_t position) {
    const Digest& identity = identities_[position - 1];
    std::size_t slot = slot_of(identity);
    while (slots_[slot] != 0 && identities_[slots_[slot] - 1] != identity)
        slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = position;
}

void Recent::rebuild(std::size_t slots) {
    slots_.assign(slots, 0);
    for (std::uint32_t position = 1; position <= size(); ++position)
        if (identities_[position - 1] != Digest{}) place(position);
}

std::uint32_t Recent::add(const Digest& identity) {
    identities_.push_back(identity);
    if (identities_.size() * 2 > slots_.size())
        rebuild(slots_.size() * 2);
    else
        place(size());
    return size();
}

std::uint32_t Recent::find(const Digest& identity) const {
    for (std::size_t slot = slot_of(identity); slots_[slot] != 0;
         slot = (slot + 1) & (slots_.size() - 1))
        if (identities_[slots_[slot] - 1] == identity) return slots_[slot];
    for (const Doubt& doubt : doubts_)
        if (doubt.identity == identity) return doubt.position;
    return 0;
}

void Recent::cut(std::uint32_t positions, std::size_t names) {
    names_.resize(names);
    if (positions == size()) return;
    identities_.resize(positions);
    rebuild(slots_.size());
}

}  // namespace pawl::sqlite
