// SPDX-License-Identifier: Apache-2.0
// The ids of new entities, of one loop: Snowflakes of a machine number that nobody else has, within a window
// that is stored before an id lies in it (core/id/window.hpp). An extension that is due is stored beside the ids
// that are given out meanwhile; a loop that was idle for longer than its window waits for the store once.
#pragma once

#include "core/id/logical_time.hpp"
#include "core/id/snowflake.hpp"
#include "engine/committer.hpp"
#include "runtime/task/group.hpp"
#include "runtime/task/promise.hpp"
#include "store/port/id_windows.hpp"

namespace pawl::engine {

// On one database all ten machine bits are the worker's: a number for each loop.
inline constexpr id::Layout kOneDatabase{.bucket_bits = 0};
// Precondition: the layout has so many workers.
id::Machine machine_of_loop(const id::Layout& layout, std::size_t loop);

class IdMaker final : public Ids {
  public:
    // Precondition: layout and machine are good. `windows` outlives it.
    IdMaker(Loop& loop, store::IdWindows& windows, const id::Layout& layout, id::Machine machine);
    IdMaker(const IdMaker&) = delete;
    IdMaker& operator=(const IdMaker&) = delete;

    // Errors: unavailable: no id is to be had, and no other kind is put in its place.
    Task<Result<std::string>> next() override;
    // True when what is under way has ended before the deadline.
    Task<bool> end(MonotonicTime deadline);

  private:
    std::int64_t read_clock();
    Task<Status> begin();
    Task<Status> extend();
    // One at a time; whoever needs it waits for the same.
    Promise<Status> extending();
    Task<void> extend_beside(Promise<Status> promise);

    Loop& loop_;
    store::IdWindows& windows_;
    id::Layout layout_;
    id::Machine machine_;
    std::optional<id::LogicalTime> time_;
    std::optional<id::Snowflake> maker_;  // none before the store was asked how far it went
    std::int64_t until_ms_ = 0;
    std::optional<Promise<Status>> extending_;
    TaskGroup group_;
};

}  // namespace pawl::engine
