// SPDX-License-Identifier: Apache-2.0
#include "engine/calls/saga_runner.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "core/flow/money.hpp"
#include "gateway/patience.hpp"
#include "net/http/retry_after.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::engine {
namespace {

namespace json = boost::json;

// 4xx that another time, another address or another secret can change.
constexpr std::array kMayChange{401, 403, 404, 407, 408, 409, 421, 423, 425, 429};

bool is_final(const Error& error) {
    return error.code == Code::config_invalid || error.code == Code::request_invalid ||
           error.code == Code::store_corrupt;
}

Error unread(Error error) {
    if (error.code == Code::store_corrupt)
        error.text = "what began it cannot be read in the store; a copy of the store may have it";
    return error;
}

std::string key_of(const store::SagaRow& row, const std::string& step) {
    Digest key = row.start.key;
    if (is_planted(Plant::refund_key_per_try))
        key = sha256_parts("planted", {key.view(), std::to_string(row.tries)});
    return to_hex(
        (step.empty() ? key : sha256_parts("pawl.saga.step", {key.view(), step, "call"})).view());
}

// What money it is about was fixed with it: neither who asked for it nor what the entity became since says so.
std::string body_of(const store::SagaRow& row, const flow::Entity& entity,
                    const std::string& step) {
    json::object document{{"flow", entity.flow},
                          {"id", entity.id},
                          {"business_key", to_utf8(entity.business_key)},
                          {"saga", row.start.name}};
    if (!step.empty()) document["step"] = step;
    json::object values;
    for (const auto& [name, value] : row.start.values)
        (flow::is_money(name) ? document : values)[to_utf8(name)] = to_utf8(value);
    document["values"] = std::move(values);
    return json::serialize(document);
}

}  // namespace

SagaRunner::SagaRunner(Loop& loop, store::Flows& flows, store::Sagas& sagas, gateway::Asker& asker,
                       SagaFigures& figures, Alarm alarm, SagaLimits limits, Alarm troubled)
    : loop_(loop),
      flows_(flows),
      sagas_(sagas),
      asker_(asker),
      figures_(figures),
      alarm_(std::move(alarm)),
      troubled_(std::move(troubled)),
      limits_(limits),
      machines_(std::make_shared<const Machines>()),
      services_(std::make_shared<const Services>()),
      bell_(loop),
      group_(loop) {}

void SagaRunner::reload(std::shared_ptr<const Machines> machines,
                        std::shared_ptr<const Services> services) {
    machines_ = std::move(machines);
    services_ = std::move(services);
}

void SagaRunner::stop() {
    is_leaving_ = true;
    bell_.ring();
}

Task<void> SagaRunner::run() {
    while (!is_leaving_) {
        co_await look();
        if (!is_leaving_) co_await bell_.wait(look_at_);
    }
    co_await group_.drain(kNever);
}

// What is not due yet comes along, so that the next look is at its time.
Task<void> SagaRunner::look() {
    const std::size_t limit = limits_.parallel_max + taken_.size();
    const auto due = co_await sagas_.due_sagas(std::numeric_limits<std::int64_t>::max(), limit);
    if (!due) {
        look_at_ = loop_.now() + limits_.backoff.pause(loop_.entropy(), ++failures_);
        co_return;
    }
    failures_ = 0;
    look_at_ = loop_.now() + limits_.look_every;
    for (const store::SagaRow& row : due->rows) {
        if (taken_.contains(row.number)) continue;
        if (row.next_ms > due->now_ms) {
            const std::chrono::milliseconds rest{row.next_ms - due->now_ms};
            look_at_ = std::min<MonotonicTime>(look_at_, loop_.now() + rest);
            break;
        }
        if (taken_.size() >= limits_.parallel_max || is_leaving_) break;
        taken_.insert(row.number);
        group_.spawn(carry_out(row, due->now_ms));
    }
}

Task<Result<SagaRunner::Prepared>> SagaRunner::prepare(store::SagaRow row) {
    const std::shared_ptr<const Machines> machines = machines_;
    const std::shared_ptr<const Services> services = services_;
    const flow::Machine* machine = machines->find(row.subject.flow);
    const flow::SagaRule* rule = machine == nullptr ? nullptr : machine->saga(row.start.name);
    if (rule == nullptr)
        co_return fail(Code::config_invalid,
                       fmt::format("no flow `{}` with a saga `{}` is configured", row.subject.flow,
                                   row.start.name));
    const auto loaded = co_await flows_.load(row.subject);
    if (!loaded) co_return fail(unread(loaded.error()));
    const auto steps = co_await flows_.history(row.subject, row.version - 1, 1);
    if (!steps) co_return fail(unread(steps.error()));
    if (!loaded->entity || steps->empty())
        co_return fail(Code::request_invalid, "what began it is not in the store any more");
    const flow::History& history = steps->front().history;
    flow::Given names = names_of(*loaded->entity);
    for (const auto& [name, value] : row.start.values) names[name] = value;
    std::vector<std::pair<std::string, std::string>> written;
    if (!rule->call.empty()) written.emplace_back("", rule->call);
    for (const flow::SagaStep& step : rule->steps) written.emplace_back(step.name, step.call);
    Prepared prepared{{}, history.at_ms};
    for (const auto& [step, address] : written) {
        auto call = make_call(address, names, *services);
        if (!call) co_return fail(std::move(call.error()));
        http::Headers& headers = call->request.head.headers;
        headers.emplace_back("Idempotency-Key", key_of(row, step));
        headers.emplace_back("Content-Type", "application/json");
        if (!history.trace_context.empty())
            headers.emplace_back("traceparent", history.trace_context);
        call->request.body = body_of(row, *loaded->entity, step);
        prepared.steps.push_back({step, *std::move(call)});
    }
    co_return prepared;
}

// Where nothing could be written the next look is soon enough.
Task<void> SagaRunner::carry_out(store::SagaRow row, std::int64_t now_ms) {
    const std::uint64_t number = row.number;
    const bool moved = co_await attempt(std::move(row), now_ms);
    taken_.erase(number);
    if (moved) bell_.ring();
}

Task<bool> SagaRunner::attempt(store::SagaRow row, std::int64_t now_ms) {
    auto prepared = co_await prepare(row);
    if (!prepared && is_final(prepared.error()))
        co_return co_await leave_to_person(row, prepared.error().text);
    if (!prepared) co_return false;
    const std::int64_t age_ms = now_ms - prepared->began_ms;
    store::SagaMove taken{.number = row.number, .tries = row.tries};
    taken.tries_after = row.tries + 1;
    const auto calls_ms =
        limits_.patience.count() * static_cast<std::int64_t>(prepared->steps.size());
    taken.pause_ms = limits_.lease.count() - limits_.patience.count() + calls_ms;
    taken.said = row.said;  // while it is asked again people see why it was not done before
    if (!co_await move(taken)) co_return false;
    ++row.tries;
    Verdict verdict = co_await call(std::move(prepared->steps));
    const bool too_long = age_ms >= limits_.give_up.count() && row.tries >= kTriesBeforePerson;
    if (verdict.word == Word::person || (verdict.word == Word::again && too_long))
        co_return co_await leave_to_person(row, std::move(verdict.said));
    const bool done = verdict.word == Word::done;
    (done ? figures_.done : figures_.again).add();
    row.said = verdict.said;
    if (!done && row.tries == 1 && troubled_) troubled_(row);
    store::SagaMove next{.number = row.number, .tries = row.tries};
    next.to = done ? store::SagaState::done : store::SagaState::running;
    next.tries_after = row.tries;
    next.said = std::move(verdict.said);
    if (!done)
        next.pause_ms =
            limits_.backoff.pause(loop_.entropy(), row.tries, verdict.retry_after).count();
    if (!done && is_planted(Plant::refund_forgotten))
        next.pause_ms = std::chrono::milliseconds(std::chrono::days{400}).count();
    co_return co_await move(std::move(next));
}

Task<SagaRunner::Verdict> SagaRunner::call(std::vector<Step> steps) {
    Verdict verdict{Word::done};
    for (Step& step : steps) {
        figures_.calls.add();
        const effect::Found found =
            co_await asker_.ask(std::move(step.call.target), std::move(step.call.request),
                                loop_.now() + limits_.patience);
        verdict = judged(found, loop_.clock().wall());
        if (verdict.word == Word::done) continue;
        if (!step.name.empty()) verdict.said = fmt::format("`{}`: {}", step.name, verdict.said);
        break;
    }
    co_return verdict;
}

SagaRunner::Verdict SagaRunner::judged(const effect::Found& found, WallTime now) {
    if (found.kind == effect::Kind::not_sent)
        return {Word::again, "its service could not be reached"};
    if (found.kind == effect::Kind::no_answer)
        return {is_planted(Plant::silence_is_refunded) ? Word::done : Word::again,
                "its service gave no answer"};
    const int status = found.answer.status;
    if (status >= 200 && status < 300)
        return {Word::done, fmt::format("its service answered {} at {}", status, to_rfc3339(now))};
    if (status >= 500 && is_planted(Plant::failed_refund_is_done)) return {Word::done};
    Verdict verdict{Word::again, fmt::format("its service answered {}", status)};
    if (const auto asked = http::retry_after_in(found.answer.headers, now))
        verdict.retry_after = *asked;
    const bool refuses = status >= 400 && status < 500;
    if (refuses && std::ranges::find(kMayChange, status) == kMayChange.end())
        verdict.word = Word::person;
    return verdict;
}

// Until it is written or the lease is over; then the saga is due again, and its service is asked under the same key.
Task<bool> SagaRunner::move(store::SagaMove wanted) {
    loop_.entropy().fill(std::as_writable_bytes(std::span(wanted.claim.bytes)));
    gateway::Patience patience(loop_, loop_.now() + limits_.lease - limits_.patience);
    while (true) {
        const auto moved = co_await sagas_.move(wanted);
        if (moved) co_return *moved;
        if (moved.error().code == Code::not_found) co_return false;
        if (is_leaving_ || !co_await patience.next()) co_return false;
    }
}

Task<bool> SagaRunner::leave_to_person(store::SagaRow row, std::string said) {
    store::SagaMove wanted{.number = row.number, .tries = row.tries};
    wanted.to = store::SagaState::needs_attention;
    wanted.tries_after = row.tries;
    wanted.said = said;
    if (!co_await move(std::move(wanted))) co_return false;
    figures_.needs_attention.add();
    row.state = store::SagaState::needs_attention;
    row.said = std::move(said);
    if (alarm_) alarm_(row);
    co_return true;
}

}  // namespace pawl::engine
