// SPDX-License-Identifier: Apache-2.0
// The embedded engine: one event loop on a thread of its own, one home, the embedded store. The second
// place beside app/ that names a backend, because a library has no app around it.
#include "pawl/engine.hpp"

#include <array>
#include <optional>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "core/key/fingerprint.hpp"
#include "core/key/identity.hpp"
#include "core/key/key_syntax.hpp"
#include "core/policy/limits.hpp"
#include "gateway/home.hpp"
#include "library/embedded_store.hpp"
#include "library/function_effect.hpp"
#include "runtime/task/system_loop.hpp"

namespace pawl {
namespace {

using namespace std::chrono_literals;
using gateway::Ended;
using gateway::Verdict;

constexpr std::size_t kOperationBytesMax = 200;
constexpr std::chrono::nanoseconds kDrain = 10s;
constexpr std::chrono::nanoseconds kSweepEvery = 1s;
constexpr std::size_t kSweepLimit = 1'000;

RunOutcome outcome_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::first:
            return RunOutcome::first;
        case Verdict::replayed:
            return RunOutcome::replayed;
        case Verdict::released:
            return RunOutcome::refused;
        case Verdict::in_progress:
            return RunOutcome::in_progress;
        case Verdict::uncertain:
            return RunOutcome::uncertain;
        case Verdict::mismatch:
        case Verdict::rule_changed:
            return RunOutcome::mismatch;
        case Verdict::stale:
        case Verdict::version_invalid:
            return RunOutcome::stale;
        case Verdict::expired:
            return RunOutcome::expired;
        case Verdict::unavailable:
        case Verdict::limited:
            break;
    }
    return RunOutcome::unavailable;
}

std::string detail_of(const Ended& ended, RunOutcome outcome) {
    if (!ended.error.text.empty()) return ended.error.text;
    switch (outcome) {
        case RunOutcome::uncertain:
            return "An attempt may have taken effect. Look for the effect, then call "
                   "settle_applied or "
                   "settle_not_applied; calling run again with the same key is safe.";
        case RunOutcome::in_progress:
            return "Another call is still running; call again with the same key.";
        case RunOutcome::mismatch:
            return "The key was used with another payload; use a new key for a new operation.";
        case RunOutcome::expired:
            return "The operation took effect; its result is no longer kept.";
        default:
            return {};
    }
}

Ran ran_from(const Ended& ended, const Digest& identity) {
    Ran ran;
    ran.outcome = outcome_of(ended.verdict);
    ran.operation_ref = record::reference_of(identity);
    if (ended.answer && !ended.answer->body_kept && ran.outcome == RunOutcome::replayed)
        ran.outcome = RunOutcome::expired;
    else if (ended.answer)
        ran.result = ended.answer->body;
    ran.detail = detail_of(ended, ran.outcome);
    return ran;
}

EngineError error_from(const Error& error) {
    return {std::string(name_of(error.code)), error.text};
}

record::Answer kept_result(const record::Answer& said) {
    record::Answer kept = said;
    if (kept.body.size() <= kResultBytesMax) return kept;
    kept.body.clear();
    kept.body_kept = false;
    return kept;
}

// Errors: request_invalid, key_invalid.
Result<gateway::Operation> operation_from(const Run& call, Loop& loop) {
    if (call.operation.empty() || call.operation.size() > kOperationBytesMax)
        return fail(Code::request_invalid,
                    "`operation` must have 1 to 200 bytes; nothing was executed.");
    auto key = key::key_from_text(call.key);
    if (!key) return fail(std::move(key.error()));
    const key::FingerprintRule rule;  // JSON by value, anything else by its bytes
    auto fingerprint =
        key::fingerprint(rule, {"", call.operation, "application/json", call.payload});
    if (!fingerprint) return fail(std::move(fingerprint.error()));
    gateway::Operation operation;
    record::Claim& claim = operation.claim;
    claim.identity = key::identity({call.tenant, call.caller, call.operation}, *key);
    claim.fingerprint = *fingerprint;
    claim.rule = key::digest_of(rule);
    claim.lease_ms = policy::kLease.count();
    claim.horizon_ms = call.effect_horizon ? call.effect_horizon->count() : -1;
    claim.rerunnable = call.rerunnable;
    claim.keep = {call.keep_result.count(),
                  call.keep_key ? call.keep_key->count() : record::kForever};
    claim.tenant = call.tenant;
    claim.caller = record::caller_digest(call.tenant, call.caller);
    claim.operation = call.operation;
    claim.key_label = *key;
    operation.fingerprint_under = [](const Digest&) { return std::nullopt; };
    operation.classify = [](const effect::Found& found) {
        return policy::classify(policy::Profile::strict_money, false,
                                {found.kind, found.answer.status, found.declared});
    };
    operation.kept = kept_result;
    operation.wait_until = loop.now() + call.wait;
    operation.own_wait_until = loop.now() + call.hold + call.wait;
    operation.hold_max = call.hold;
    return operation;
}

// What became of a piece of evidence.
std::expected<void, EngineError> told(const Result<store::Reply>& reply) {
    using record::Outcome;
    if (!reply) return std::unexpected(error_from(reply.error()));
    switch (reply->outcome) {
        case Outcome::owner_alive:
            return std::unexpected(
                EngineError{"owner_alive", "The attempt may still be running; ask again later."});
        case Outcome::too_early:
            return std::unexpected(EngineError{"too_early",
                                               "The effect may still land: the effect horizon has "
                                               "not passed, or the run named none."});
        case Outcome::conflict:
            return std::unexpected(
                EngineError{"conflict", std::string("The operation is not uncertain but ") +
                                            std::string(record::name_of(reply->row.state)) + "."});
        default:
            return {};
    }
}

}  // namespace

std::string_view name_of(RunOutcome outcome) {
    static constexpr std::array<std::string_view, 9> kNames{
        "first", "replayed", "mismatch", "in_progress", "uncertain",
        "stale", "expired",  "refused",  "unavailable"};
    return kNames[static_cast<std::size_t>(outcome)];
}

// Built and destroyed on the program's thread; everything between runs on the loop's.
class Engine::Body {
  public:
    static Result<std::unique_ptr<Body>> open(EngineOptions options) {
        auto body = std::make_unique<Body>();
        auto store = library::open_embedded_store(options.path, body->loop_.loop());
        if (!store) return fail(std::move(store.error()));
        body->store_ = std::move(*store);
        const record::Owner owner{options.node, body->store_->boot()};
        body->home_.emplace(body->loop_.loop(), body->store_->records(), owner,
                            gateway::HomeLimits{}, body->figures_);
        body->background_.spawn(body->sweep());
        body->thread_ = std::thread([loop = &body->loop_] { loop->run(); });
        return body;
    }

    ~Body() {
        if (!thread_.joinable()) return;
        await(drain());
        loop_.stop();
        thread_.join();
    }

    Loop& loop() { return loop_.loop(); }

    // From the program's threads.
    template <class T>
    T await(Task<T> task) {
        return boost::asio::co_spawn(loop().executor(), std::move(task), boost::asio::use_future)
            .get();
    }

    Task<std::shared_ptr<const Ended>> run(gateway::Operation operation,
                                           std::unique_ptr<effect::Effect> effect) {
        co_return co_await home_->run(std::move(operation), std::move(effect));
    }

    void run_at(std::shared_ptr<library::Rendezvous> rendezvous, gateway::Operation operation) {
        auto task = [](gateway::Home& home, gateway::Operation asked,
                       std::shared_ptr<library::Rendezvous> at) -> Task<void> {
            auto effect = library::effect_on_thread(home.loop(), at);
            at->finish(co_await home.run(std::move(asked), std::move(effect)));
        };
        boost::asio::co_spawn(loop().executor(),
                              task(*home_, std::move(operation), std::move(rendezvous)),
                              boost::asio::detached);
    }

    Task<Result<store::Reply>> settle(std::string reference, std::optional<std::string> result) {
        const auto identity = record::identity_from(reference);
        if (!identity)
            co_return fail(Code::not_found, "This is not the reference of an operation.");
        const auto stored = co_await home_->records().read(*identity);
        if (!stored) co_return fail(stored.error());
        if (!*stored) co_return fail(Code::not_found, "There is no operation with this reference.");
        record::Settle evidence;
        evidence.identity = *identity;
        evidence.fence = (*stored)->row.fence;
        evidence.basis = result ? record::Basis::seen : record::Basis::quiet;
        evidence.looked_ms = (*stored)->now_ms;
        if (result) evidence.answer = kept_result({200, {}, std::move(*result), true});
        co_return co_await home_->settle(std::move(evidence));
    }

  private:
    Task<void> drain() {
        stopping_ = true;
        co_await home_->drain(loop().now() + kDrain);
        co_await background_.drain(loop().now() + 2 * kSweepEvery);
    }

    Task<void> sweep() {
        while (!stopping_) {
            const auto report = co_await home_->records().sweep(kSweepLimit);
            home_->note_replays();
            if (!report || !report->more) co_await loop().sleep_for(kSweepEvery);
        }
    }

    SystemLoop loop_;
    std::unique_ptr<library::EmbeddedStore> store_;
    gateway::HomeFigures figures_;
    std::optional<gateway::Home> home_;
    bool stopping_ = false;
    TaskGroup background_{loop_.loop()};
    std::thread thread_;
};

Engine::Engine(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Engine::~Engine() = default;

std::expected<std::unique_ptr<Engine>, EngineError> Engine::open(EngineOptions options) {
    auto body = Body::open(std::move(options));
    if (!body) return std::unexpected(error_from(body.error()));
    return std::unique_ptr<Engine>(new Engine(std::move(*body)));
}

Ran Engine::run(Run call, EffectFunction effect) {
    auto operation = operation_from(call, body_->loop());
    if (!operation) return {RunOutcome::unavailable, {}, {}, operation.error().text};
    const Digest identity = operation->claim.identity;
    const auto rendezvous = std::make_shared<library::Rendezvous>();
    body_->run_at(rendezvous, std::move(*operation));
    return ran_from(*rendezvous->wait(effect), identity);
}

boost::asio::awaitable<Ran> Engine::async_run(Run call, EffectCoroutine effect) {
    auto operation = operation_from(call, body_->loop());
    if (!operation) co_return Ran{RunOutcome::unavailable, {}, {}, operation.error().text};
    const Digest identity = operation->claim.identity;
    auto on_executor =
        library::effect_on_executor(co_await boost::asio::this_coro::executor, std::move(effect));
    auto running = body_->run(std::move(*operation), std::move(on_executor));
    const auto ended = co_await boost::asio::co_spawn(body_->loop().executor(), std::move(running),
                                                      boost::asio::use_awaitable);
    co_return ran_from(*ended, identity);
}

std::expected<void, EngineError> Engine::settle_applied(std::string operation_ref,
                                                        std::string result) {
    return told(body_->await(body_->settle(std::move(operation_ref), std::move(result))));
}

std::expected<void, EngineError> Engine::settle_not_applied(std::string operation_ref) {
    return told(body_->await(body_->settle(std::move(operation_ref), std::nullopt)));
}

}  // namespace pawl
