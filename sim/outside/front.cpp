// SPDX-License-Identifier: Apache-2.0
#include "sim/outside/front.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

void Front::send(Number intent, std::uint64_t token) {
    if (!chance_.hit(dose_.request_lost)) copy(intent, token);
    if (chance_.hit(dose_.request_copied)) copy(intent, token);
}

void Front::copy(Number intent, std::uint64_t token) {
    const Exchange& exchange = book_.add_exchange(intent, world_.now());
    const Intent& wanted = book_.intent(intent);
    const Name& name = book_.name(wanted.name);
    const Number number = exchange.number;
    world_.trace().tell("asked", number, intent,
                        "request {}: {} caller {} key {} intent {} (name {})", number,
                        name_of(name.promise), name.caller, name.key, intent, name.number);
    const auto way =
        chance_.hit(30) ? chance_.between(20ms, 2'000ms) : chance_.between(100us, 10ms);
    world_.after(way, [this, number, token,
                       request = request_of(name, wanted, number, chance_.hit(300))]() mutable {
        arrive(number, std::move(request), token);
    });
}

void Front::arrive(Number exchange, http::Request request, std::uint64_t token) {
    Node* node = fleet_.some(chance_);
    if (node == nullptr) return break_off(token);
    pending_.emplace(exchange, Pending{token, node->boot()});
    node->accept(
        chance_.below(node->seats()), std::move(request),
        [this, exchange](http::Response response) { answer(exchange, std::move(response)); });
}

void Front::break_off(std::uint64_t token) {
    world_.after(chance_.between(100us, 10ms), [this, token] { hear_(token, nullptr); });
}

void Front::answer(Number exchange, http::Response response) {
    Answered answered = read_answer(response, ledger_);
    const Exchange& asked = book_.exchange(exchange);
    answered.exchange = exchange;
    answered.intent = asked.intent;
    answered.name = book_.intent(asked.intent).name;
    answered.operation = book_.operation_of(asked.intent);
    answered.sent_at = asked.sent_at;
    answered.at = world_.now();
    world_.trace().tell("answered", exchange, static_cast<std::uint64_t>(response.status),
                        "request {}: {} {} {}{}", exchange, response.status, name_of(answered.tone),
                        answered.code, answered.marked ? ", replayed" : "");
    count(answered);
    audit_.answered(answered);
    const auto found = pending_.find(exchange);
    if (found == pending_.end()) return;
    const std::uint64_t token = found->second.token;
    pending_.erase(found);
    if (chance_.hit(dose_.answer_lost)) return;
    if (chance_.hit(dose_.answer_cut)) {
        rarities_.count(Rare::answer_cut);
        return break_off(token);
    }
    // On its way it is the client's; who sent it may be gone when it comes.
    world_.after(chance_.between(100us, 10ms),
                 [this, token, kept = std::make_shared<http::Response>(std::move(response)),
                  tone = answered.tone, exchange] {
                     Answered heard{.exchange = exchange, .tone = tone, .response = *kept};
                     hear_(token, &heard);
                 });
}

void Front::count(const Answered& answered) {
    if (answered.tone == Tone::forbidden) rarities_.count(Rare::not_permitted);
    if (answered.tone == Tone::unavailable &&
        answered.response.body.find("permits requests") != std::string::npos)
        rarities_.count(Rare::permission_unknown);
    const bool acquired = book_.exchange(answered.exchange).acquired;
    if (answered.tone == Tone::in_progress && acquired)
        rarities_.count(Rare::patience_ended_running);
    if (answered.tone == Tone::uncertain && acquired && answered.response.status == 409)
        rarities_.count(Rare::patience_ended_settling);
    if (answered.tone == Tone::in_progress &&
        answered.response.body.find("Another version") != std::string::npos)
        rarities_.count(Rare::other_version_running);
    if (answered.tone == Tone::stale) rarities_.count(Rare::stale_version);
    if (answered.code == "version_invalid") rarities_.count(Rare::versions_mixed);
    if (answered.tone != Tone::mismatch) return;
    const bool settled = answered.response.body.find(R"("safe_new_key":true)") != std::string::npos;
    rarities_.count(settled ? Rare::mismatch_cached : Rare::mismatch_running);
}

void Front::node_died(std::uint64_t boot) {
    std::vector<std::pair<Number, std::uint64_t>> broken;
    for (const auto& [exchange, pending] : pending_)
        if (pending.boot == boot) broken.emplace_back(exchange, pending.token);
    for (const auto& [exchange, token] : broken) {
        pending_.erase(exchange);
        break_off(token);
    }
}

}  // namespace pawl::sim
