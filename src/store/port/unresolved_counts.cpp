// SPDX-License-Identifier: Apache-2.0
#include "store/port/unresolved_counts.hpp"

#include <cstring>

namespace pawl::store {
namespace {

template <class Map, class Key>
void take_one(Map& counts, const Key& key) {
    const auto found = counts.find(key);
    if (found != counts.end() && --found->second == 0) counts.erase(found);
}

template <class Map, class Key>
std::size_t count_of(const Map& counts, const Key& key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
}

// FNV-1a, 64 bits: it is stored, and so must be the same of every build.
std::uint64_t hash_of(std::string_view tenant) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : tenant) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    return hash;
}

}  // namespace

Burdened burdened_by(const record::Row& row) { return {row.caller, hash_of(row.tenant)}; }
Burdened burdened_by(const record::Claim& claim) { return {claim.caller, hash_of(claim.tenant)}; }

bool is_burden(const record::Row& row, std::int64_t now_ms) {
    if (row.state == record::State::in_progress) return row.lease_until_ms <= now_ms;
    return record::is_unresolved(row.state) && row.fence != record::Fence{};
}

std::size_t UnresolvedCounts::CallerHash::operator()(const record::CallerDigest& caller) const {
    std::size_t value = 0;
    std::memcpy(&value, caller.bytes.data(), sizeof value);
    return value;
}

void UnresolvedCounts::add(const Burdened& who) {
    if (who.caller != record::CallerDigest{}) ++by_caller_[who.caller];
    ++by_tenant_[who.tenant];
}

void UnresolvedCounts::remove(const Burdened& who) {
    if (who.caller != record::CallerDigest{}) take_one(by_caller_, who.caller);
    take_one(by_tenant_, who.tenant);
}

bool UnresolvedCounts::is_full(const Burdened& who, const UnresolvedLimits& limits) const {
    if (by_tenant_.empty()) return false;
    if (count_of(by_tenant_, who.tenant) >= limits.per_tenant) return true;
    return who.caller != record::CallerDigest{} &&
           count_of(by_caller_, who.caller) >= limits.per_caller;
}

}  // namespace pawl::store
