// SPDX-License-Identifier: Apache-2.0
#include "engine/id_maker.hpp"

#include "core/id/window.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::engine {
namespace {

std::int64_t steady_ms(const Loop& loop) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(loop.now().time_since_epoch())
        .count();
}

}  // namespace

id::Machine machine_of_loop(const id::Layout& layout, std::size_t loop) {
    PAWL_ASSERT(loop < layout.workers());
    return {0, static_cast<unsigned>(loop)};
}

IdMaker::IdMaker(Loop& loop, store::IdWindows& windows, const id::Layout& layout,
                 id::Machine machine)
    : loop_(loop), windows_(windows), layout_(layout), machine_(machine), group_(loop) {}

std::int64_t IdMaker::read_clock() {
    return time_->read(milliseconds_of(loop_.clock().wall()), steady_ms(loop_));
}

Task<Result<std::string>> IdMaker::next() {
    // The second time, the window has been extended for it.
    for (int tries = 0;; ++tries) {
        if (maker_) {
            const std::int64_t now_ms = read_clock();
            const auto made = maker_->next(now_ms);
            if (made) {
                if (id::extension_is_due(until_ms_, maker_->high_water_ms(), now_ms)) extending();
                co_return id::to_text(*made);
            }
            if (made.error() != id::NoId::window_ended || tries > 0)
                co_return fail(id::error_of(made.error()));
        } else if (tries > 0) {
            co_return fail(id::error_of(id::NoId::window_ended));
        }
        Promise<Status> promise = extending();
        if (const Status extended = *co_await promise.wait(); !extended)
            co_return fail(Code::unavailable,
                           "There is no id for it now; nothing was executed. Send it again.",
                           extended.error().cause, "ids");
    }
}

Task<bool> IdMaker::end(MonotonicTime deadline) { co_return co_await group_.drain(deadline); }

// What is spawned may have ended when spawn returns.
Promise<Status> IdMaker::extending() {
    if (extending_) return *extending_;
    Promise<Status> promise(loop_);
    extending_ = promise;
    group_.spawn(extend_beside(promise));
    return promise;
}

Task<void> IdMaker::extend_beside(Promise<Status> promise) {
    const Status status = maker_ ? co_await extend() : co_await begin();
    extending_.reset();
    promise.set(status);
}

// What was stored before: no id was made later than that.
Task<Status> IdMaker::begin() {
    const Result<std::int64_t> stored = co_await windows_.extend(machine_, 0);
    if (!stored) co_return fail(stored.error());
    time_.emplace(milliseconds_of(loop_.clock().wall()), steady_ms(loop_), *stored);
    id::Snowflake maker(layout_, machine_, *stored);
    const std::int64_t until_ms = id::extended(*stored, read_clock());
    const Result<std::int64_t> before = co_await windows_.extend(machine_, until_ms);
    if (!before) co_return fail(before.error());
    // Somebody else was given the window meanwhile, or a sending of our own came twice: behind it.
    if (*before > *stored && *before != until_ms)
        co_return fail(Code::unavailable, "Somebody else makes ids of this machine.", {}, "ids");
    maker.permit_until(until_ms);
    until_ms_ = until_ms;
    maker_.emplace(std::move(maker));
    co_return Status{};
}

Task<Status> IdMaker::extend() {
    const std::int64_t until_ms = id::extended(maker_->high_water_ms(), read_clock());
    const Result<std::int64_t> before = co_await windows_.extend(machine_, until_ms);
    if (!before) co_return fail(before.error());
    maker_->permit_until(until_ms);
    until_ms_ = until_ms;
    co_return Status{};
}

}  // namespace pawl::engine
