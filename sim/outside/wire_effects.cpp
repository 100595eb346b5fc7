// SPDX-License-Identifier: Apache-2.0
// A node's end of the wire: the effect of one request, its connections, and the probes.
#include <charconv>

#include "runtime/codec/text.hpp"
#include "sim/outside/wire.hpp"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

// Counts the coroutine in which it lives.
class Here {
  public:
    explicit Here(int& count) : count_(count) { ++count_; }
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;
    ~Here() { --count_; }

  private:
    int& count_;
};

std::uint64_t number_after(std::string_view text, std::string_view before) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) return 0;
    const char* from = text.data() + at + before.size();
    const char* const end = text.data() + text.size();
    while (from != end && *from == ' ') ++from;
    std::uint64_t number = 0;
    return std::from_chars(from, end, number).ec == std::errc{} ? number : 0;
}

// What the upstream makes of the request: read from what is really sent, not from what was meant.
struct Order {
    Arrival arrival;
    std::chrono::milliseconds horizon{};
};

class WireAttempt final : public effect::Attempt {
  public:
    WireAttempt(Wire& wire, Loop& loop, std::uint64_t boot, Doing& doing, Order order,
                MonotonicTime dies_at)
        : wire_(wire), loop_(loop), boot_(boot), doing_(doing), order_(order), dies_at_(dies_at) {}

    bool ready() override {
        const bool alive = loop_.now() < dies_at_;
        if (!alive) wire_.rarities().count(Rare::connection_replaced);
        return alive;
    }

    Task<effect::Found> run(effect::Dispatch dispatch, MonotonicTime give_up) override {
        const Here here(doing_.sending);
        Arrival arrival = order_.arrival;
        arrival.exchange = exchange_in(dispatch.traceparent);
        arrival.operation_key = dispatch.derived_key;
        arrival.identity = record::identity_from(dispatch.operation_ref).value_or(Digest{});
        arrival.fence = dispatch.fence;
        arrival.version = std::move(dispatch.version);
        const auto slot = std::make_shared<Wire::Slot>(loop_);
        wire_.send({arrival, boot_, order_.horizon, give_up}, slot);
        co_return co_await Wire::Slot::take(slot);
    }

  private:
    Wire& wire_;
    Loop& loop_;
    std::uint64_t boot_;
    Doing& doing_;
    Order order_;
    MonotonicTime dies_at_;
};

class WireEffect final : public effect::Effect {
  public:
    WireEffect(Wire& wire, Loop& loop, std::uint64_t boot, Doing& doing, Order order)
        : wire_(wire), loop_(loop), boot_(boot), doing_(doing), order_(order) {}

    Task<Result<std::unique_ptr<effect::Attempt>>> prepare(MonotonicTime deadline) override {
        const Here here(doing_.connecting);
        Chance& chance = wire_.chance();
        const Dose& dose = wire_.dose();
        const bool hangs = chance.hit(dose.connect_hangs);
        const bool refused = hangs || chance.hit(dose.connect_refused);
        if (hangs)
            co_await loop_.sleep_until(deadline);
        else if (refused || chance.hit(100))
            co_await loop_.sleep_for(chance.between(1ms, 20ms));
        if (refused) {
            wire_.rarities().count(Rare::no_connection);
            co_return fail(Code::unavailable, "The upstream cannot be reached.", "simulated",
                           "connect");
        }
        const MonotonicTime dies_at =
            chance.hit(dose.idle_dies) ? loop_.now() + chance.between(0ms, 20ms) : kNever;
        co_return std::make_unique<WireAttempt>(wire_, loop_, boot_, doing_, order_, dies_at);
    }

  private:
    Wire& wire_;
    Loop& loop_;
    std::uint64_t boot_;
    Doing& doing_;
    Order order_;
};

}  // namespace

Promise promise_of(std::string_view path) {
    for (int i = 0; i < kPromiseCount; ++i) {
        const auto promise = static_cast<Promise>(i);
        const std::string_view name = name_of(promise);
        if (path.size() > name.size() && path.substr(1).starts_with(name) &&
            path[name.size() + 1] == '/')
            return promise;
    }
    return Promise::quiet;
}

std::unique_ptr<effect::Effect> WireEffects::make(const policy::Route& route,
                                                  std::shared_ptr<const http::Request> request,
                                                  http::Peer) {
    constexpr auto kHorizonOfNone = 60'000ms;  // what is never promised may come very late
    Order order;
    order.arrival.promise = promise_of(request->head.target);
    order.arrival.intent = static_cast<Number>(number_after(request->body, "\"intent\":"));
    order.arrival.caller = static_cast<Number>(
        number_after(http::first_of(request->head.headers, "X-Caller"), "caller-"));
    order.horizon = route.uncertain.effect_horizon.value_or(kHorizonOfNone);
    return std::make_unique<WireEffect>(wire_, loop_, boot_, doing_, order);
}

Task<effect::Found> WireEffects::ask(http::Target, http::Request request, MonotonicTime give_up) {
    if (const auto caller = http::first_of(request.head.headers, "Pawl-Caller"); !caller.empty()) {
        const auto answer = std::make_shared<Wire::Slot>(loop_);
        wire_.ask_who_may(static_cast<Number>(number_after(caller, "caller-")), give_up, answer);
        co_return co_await Wire::Slot::take(answer);
    }
    Question question;
    question.promise = promise_of(request.head.target);
    question.closes = request.head.target.find("/close/") != std::string::npos;
    const auto key = from_hex(http::first_of(request.head.headers, "Pawl-Operation-Key"));
    if (key && key->size() == 32) question.operation_key = digest_from(*key);
    question.fence.number = number_after(http::first_of(request.head.headers, "Pawl-Fence"), "");
    const auto slot = std::make_shared<Wire::Slot>(loop_);
    wire_.ask(question, give_up, slot);
    co_return co_await Wire::Slot::take(slot);
}

}  // namespace pawl::sim
