// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/catalog.hpp"

#include <algorithm>
#include <ranges>

#include "runtime/result/assert.hpp"

namespace pawl::sqlite {

Candidates Catalog::candidates(const Digest& identity) const {
    Candidates found;
    const std::scoped_lock lock(mutex_);
    for (const Generation& generation : generations_)
        if (generation.filter) generation.filter->prefetch(identity);
    for (const Generation& generation : generations_ | std::views::reverse) {
        if (generation.filter) {
            if (generation.filter->may_contain(identity))
                found.generations.push_back(generation.number);
        } else if (const std::uint32_t position = generation.recent->find(identity);
                   position != 0) {
            found.recent.push_back(RecordId::of(generation.number, position));
        }
    }
    return found;
}

bool Catalog::may_know(const Digest& identity) const {
    const std::scoped_lock lock(mutex_);
    for (const Generation& generation : generations_)
        if (generation.filter) generation.filter->prefetch(identity);
    return std::ranges::any_of(generations_, [&identity](const Generation& generation) {
        return generation.filter ? generation.filter->may_contain(identity)
                                 : generation.recent->find(identity) != 0;
    });
}

std::vector<RecordId> Catalog::named(std::int64_t hash) const {
    std::vector<RecordId> found;
    const std::scoped_lock lock(mutex_);
    for (const Generation& generation : generations_) {
        if (!generation.recent) continue;
        for (const Name& name : generation.recent->names())
            if (name.hash == hash) found.push_back(RecordId::of(generation.number, name.position));
    }
    return found;
}

std::vector<std::uint32_t> Catalog::numbers() const {
    std::vector<std::uint32_t> numbers;
    const std::scoped_lock lock(mutex_);
    for (const Generation& generation : generations_) numbers.push_back(generation.number);
    return numbers;
}

std::uint64_t Catalog::version() const {
    const std::scoped_lock lock(mutex_);
    return version_;
}

RecordId Catalog::add(const Digest& identity) {
    const std::scoped_lock lock(mutex_);
    Generation& newest = generations_.back();
    return RecordId::of(newest.number, newest.recent->add(identity));
}

void Catalog::add_name(RecordId record, std::int64_t hash) {
    const std::scoped_lock lock(mutex_);
    Generation& newest = generations_.back();
    PAWL_ASSERT(newest.number == record.generation());
    newest.recent->add_name({hash, record.position()});
}

Catalog::Size Catalog::open_size() const {
    return {generations_.back().recent->size(), generations_.back().recent->names().size()};
}

void Catalog::cut_open(Size size) {
    const std::scoped_lock lock(mutex_);
    generations_.back().recent->cut(size.positions, size.names);
}

const Generation* Catalog::find(std::uint32_t number) const {
    const auto found = std::ranges::lower_bound(generations_, number, {}, &Generation::number);
    return found != generations_.end() && found->number == number ? &*found : nullptr;
}

bool Catalog::is_ready(RecordId record) const {
    const std::scoped_lock lock(mutex_);
    const Generation* generation = find(record.generation());
    return generation != nullptr && generation->stage == Stage::ready;
}

void Catalog::push(Generation generation) {
    const std::scoped_lock lock(mutex_);
    PAWL_ASSERT(generations_.empty() || generations_.back().number < generation.number);
    generations_.push_back(std::move(generation));
    ++version_;
}

void Catalog::seal_open(Generation next) {
    const std::scoped_lock lock(mutex_);
    generations_.back().stage = Stage::sealed;
    generations_.back().records = generations_.back().recent->size();
    generations_.push_back(std::move(next));
    ++version_;
}

void Catalog::make_ready(std::uint32_t number, BloomFilter filter) {
    const std::scoped_lock lock(mutex_);
    for (Generation& generation : generations_) {
        if (generation.number != number) continue;
        generation.stage = Stage::ready;
        generation.filter.emplace(std::move(filter));
        generation.recent.reset();
        break;
    }
    ++version_;
}

void Catalog::set_due(std::uint32_t number, std::int64_t due_ms) {
    const std::scoped_lock lock(mutex_);
    for (Generation& generation : generations_)
        if (generation.number == number) generation.due_ms = due_ms;
}

void Catalog::drop(std::uint32_t number) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(generations_,
                  [number](const Generation& generation) { return generation.number == number; });
    ++version_;
}

}  // namespace pawl::sqlite
