// SPDX-License-Identifier: Apache-2.0
// Carries out compensations that have begun: a saga is one call, made again until its service says that it is done.
// The service is told every time under which key it is asked, and the key is made of the fact that the call reverses,
// so that a refund happens once whoever asks, and how often.
//
//   due -> taken (next look written ahead: the lease) -> call -> done
//                                                          |--> again, later and later
//                                                          '--> needs a person, with an alarm
//
//   answer                                             | then
//   ---------------------------------------------------+---------------------------------------------
//   2xx                                                | done
//   none, 5xx, 3xx, 409 (it runs), 429, and what a     | again; after `give_up` and kTriesBeforePerson
//   wrong address or secret is answered (401, 404 ...) | tries since a person last looked: a person
//   another 4xx                                        | a person: the same call would get the same
//
// A saga of several steps makes them in their order, each under a key of its own, and all of them again where one has
// to be made again: those that were done answer so. What a step's `compensate` names is a person's to ask for.
//
// A process that dies in between leaves the lease to run out; another takes the saga and asks under the same key.
#pragma once

#include <functional>
#include <unordered_set>

#include "engine/backoff.hpp"
#include "engine/calls/call.hpp"
#include "engine/machines.hpp"
#include "gateway/asker.hpp"
#include "runtime/meter/meter.hpp"
#include "runtime/task/bell.hpp"
#include "runtime/task/group.hpp"
#include "store/port/sagas.hpp"

namespace pawl::engine {

struct SagaLimits {
    std::size_t parallel_max = 8;
    std::chrono::milliseconds patience{10'000};  // of one call
    std::chrono::milliseconds lease{30'000};     // longer than the patience
    std::chrono::milliseconds give_up = flow::kGiveUp;
    std::chrono::milliseconds look_every{1'000};  // when nobody hints
    Backoff backoff{std::chrono::milliseconds{100}, std::chrono::seconds{60}};
};
inline constexpr std::uint32_t kTriesBeforePerson = 20;
inline constexpr std::size_t kSagaBodyBytesMax = std::size_t{64} << 10;

struct SagaFigures {
    Counter calls;
    Counter done;
    Counter again;
    Counter needs_attention;
};

class SagaRunner {
  public:
    // Called with the row as it is then; of a saga that needs a person by `alarm`.
    using Alarm = std::function<void(const store::SagaRow&)>;

    // All outlive it. `troubled`: a saga's first try since it began, or since a person sent it again, has failed, and
    // it is tried again; the row says why.
    SagaRunner(Loop& loop, store::Flows& flows, store::Sagas& sagas, gateway::Asker& asker,
               SagaFigures& figures, Alarm alarm, SagaLimits limits = {}, Alarm troubled = {});

    // Before run(), and whenever they change; what is under way keeps what it began with.
    void reload(std::shared_ptr<const Machines> machines, std::shared_ptr<const Services> services);
    // Ends after stop(), when what is under way has ended.
    Task<void> run();
    void stop();
    // Read from anywhere.
    const SagaFigures& figures() const { return figures_; }
    // A saga may have begun. On the runner's loop, and from anywhere.
    void hint() { bell_.ring(); }
    void hint_from_anywhere() { bell_.ring_from_anywhere(); }

  private:
    struct Step {
        std::string name;  // empty: the saga's only call
        Call call;
    };
    struct Prepared {
        std::vector<Step> steps;  // in their order
        std::int64_t began_ms = 0;
    };
    enum class Word : std::uint8_t { done, again, person };
    struct Verdict {
        Word word = Word::again;
        std::string said{};
        std::chrono::milliseconds retry_after{};
    };

    Task<void> look();
    Task<void> carry_out(store::SagaRow row, std::int64_t now_ms);
    // True: it was moved on.
    Task<bool> attempt(store::SagaRow row, std::int64_t now_ms);
    // Errors: config_invalid, request_invalid, store_corrupt: no try would go better; else the store's.
    Task<Result<Prepared>> prepare(store::SagaRow row);
    // Ends with the first step that is not done.
    Task<Verdict> call(std::vector<Step> steps);
    static Verdict judged(const effect::Found& found, WallTime now);
    // True: written. False: somebody else was first, or it could not be told.
    Task<bool> move(store::SagaMove wanted);
    Task<bool> leave_to_person(store::SagaRow row, std::string said);

    Loop& loop_;
    store::Flows& flows_;
    store::Sagas& sagas_;
    gateway::Asker& asker_;
    SagaFigures& figures_;
    Alarm alarm_;
    Alarm troubled_;
    SagaLimits limits_;
    std::shared_ptr<const Machines> machines_;
    std::shared_ptr<const Services> services_;
    Bell bell_;
    std::unordered_set<std::uint64_t> taken_;
    MonotonicTime look_at_{};
    std::uint32_t failures_ = 0;  // of looking, in a row
    bool is_leaving_ = false;
    TaskGroup group_;
};

}  // namespace pawl::engine
