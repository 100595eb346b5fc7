// SPDX-License-Identifier: Apache-2.0
#include "library/function_effect.hpp"

#include <boost/asio/co_spawn.hpp>

#include "core/record/row.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::library {
namespace {

Attempt attempt_of(const effect::Dispatch& dispatch) {
    return {dispatch.fence.number, to_hex(dispatch.derived_key.view()), dispatch.operation_ref};
}

effect::Found found_of(Effected effected) {
    effect::Found found;
    found.kind = effect::Kind::answered;
    found.answer.status = 200;
    found.answer.body = std::move(effected.result);
    switch (effected.word) {
        case Effected::Word::applied:
            found.declared = effect::Declared::applied;
            break;
        case Effected::Word::not_applied:
            found.declared = effect::Declared::not_applied;
            break;
        case Effected::Word::unknown:
            found.declared = effect::Declared::unknown;
            break;
    }
    return found;
}

class ThreadAttempt final : public effect::Attempt {
  public:
    ThreadAttempt(Loop& loop, std::shared_ptr<Rendezvous> rendezvous)
        : loop_(loop), rendezvous_(std::move(rendezvous)) {}
    bool ready() override { return true; }
    Task<effect::Found> run(effect::Dispatch dispatch, MonotonicTime give_up) override {
        Promise<Effected> answer(loop_);
        rendezvous_->ask(
            attempt_of(dispatch), [executor = loop_.executor(), answer](Effected effected) mutable {
                boost::asio::post(executor, [answer, effected = std::move(effected)]() mutable {
                    answer.set(std::move(effected));
                });
            });
        std::optional<Effected> effected = co_await answer.wait(give_up);
        if (effected) co_return found_of(std::move(*effected));
        effect::Found none;
        none.error = {
            Code::unknown, "The function did not return within the maximum hold.", {}, "effect"};
        co_return none;
    }

  private:
    Loop& loop_;
    std::shared_ptr<Rendezvous> rendezvous_;
};

class ThreadEffect final : public effect::Effect {
  public:
    ThreadEffect(Loop& loop, std::shared_ptr<Rendezvous> rendezvous)
        : loop_(loop), rendezvous_(std::move(rendezvous)) {}
    Task<Result<std::unique_ptr<effect::Attempt>>> prepare(MonotonicTime) override {
        co_return std::make_unique<ThreadAttempt>(loop_, rendezvous_);
    }

  private:
    Loop& loop_;
    std::shared_ptr<Rendezvous> rendezvous_;
};

class ExecutorAttempt final : public effect::Attempt {
  public:
    ExecutorAttempt(boost::asio::any_io_executor executor, EffectCoroutine effect)
        : executor_(std::move(executor)), effect_(std::move(effect)) {}
    bool ready() override { return true; }
    // The function is awaited to its end: a coroutine of the caller cannot be taken back.
    Task<effect::Found> run(effect::Dispatch dispatch, MonotonicTime) override {
        try {
            co_return found_of(
                co_await boost::asio::co_spawn(executor_, effect_(attempt_of(dispatch)), kAwait));
        } catch (...) {  // foreign code threw: what it did before is not known
            co_return found_of({Effected::Word::unknown, {}});
        }
    }

  private:
    boost::asio::any_io_executor executor_;
    EffectCoroutine effect_;
};

class ExecutorEffect final : public effect::Effect {
  public:
    ExecutorEffect(boost::asio::any_io_executor executor, EffectCoroutine effect)
        : executor_(std::move(executor)), effect_(std::move(effect)) {}
    Task<Result<std::unique_ptr<effect::Attempt>>> prepare(MonotonicTime) override {
        co_return std::make_unique<ExecutorAttempt>(executor_, effect_);
    }

  private:
    boost::asio::any_io_executor executor_;
    EffectCoroutine effect_;
};

Effected call_foreign(const EffectFunction& effect, const Attempt& attempt) {
    try {
        return effect(attempt);
    } catch (...) {  // foreign code threw: what it did before is not known
        return {Effected::Word::unknown, {}};
    }
}

}  // namespace

Rendezvous::EndedPtr Rendezvous::wait(const EffectFunction& effect) {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return asked_ || ended_; });
        if (ended_) return ended_;
        const Attempt attempt = *std::exchange(asked_, std::nullopt);
        auto answer = std::exchange(answer_, nullptr);
        lock.unlock();
        answer(call_foreign(effect, attempt));
        lock.lock();
    }
}

void Rendezvous::ask(Attempt attempt, std::move_only_function<void(Effected)> answer) {
    const std::lock_guard lock(mutex_);
    asked_ = std::move(attempt);
    was_asked_ = true;
    answer_ = std::move(answer);
    changed_.notify_one();
}

void Rendezvous::finish(EndedPtr ended) {
    const std::lock_guard lock(mutex_);
    ended_ = std::move(ended);
    changed_.notify_one();
}

bool Rendezvous::was_asked() const {
    const std::lock_guard lock(mutex_);
    return was_asked_;
}

std::unique_ptr<effect::Effect> effect_on_thread(Loop& loop,
                                                 std::shared_ptr<Rendezvous> rendezvous) {
    return std::make_unique<ThreadEffect>(loop, std::move(rendezvous));
}

std::unique_ptr<effect::Effect> effect_on_executor(boost::asio::any_io_executor executor,
                                                   EffectCoroutine effect) {
    return std::make_unique<ExecutorEffect>(std::move(executor), std::move(effect));
}

}  // namespace pawl::library
