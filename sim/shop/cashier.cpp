// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/cashier.hpp"

#include <boost/json.hpp>

#include "runtime/task/promise.hpp"

namespace pawl::sim {
namespace {

effect::Found answered(int status) {
    effect::Found found;
    found.kind = effect::Kind::answered;
    found.answer.status = status;
    return found;
}

std::string key_in(const http::Request& request) {
    for (const auto& [name, value] : request.head.headers)
        if (name == "Idempotency-Key") return value;
    return {};
}

}  // namespace

effect::Found Cashier::take(const http::Request& request) {
    const boost::json::value asked = boost::json::parse(request.body);
    const std::string transaction(asked.at("values").at("transaction_id").as_string());
    const std::string key = key_in(request);
    world_.trace().tell("refund", refunds_.size(), paid_.size(), "{} under {}", transaction, key);
    if (paid_.contains(key)) {
        rarities_.count(ShopRare::refund_asked_again);
        return answered(200);
    }
    if (chance_.hit(dose_.refund_fails)) return answered(503);
    if (!key.empty()) paid_.emplace(key, transaction);
    refunds_.push_back({transaction, key});
    if (!chance_.hit(dose_.refund_lies)) return answered(201);
    rarities_.count(ShopRare::refund_denied_though_made);
    return answered(500);
}

Task<effect::Found> CashierLine::ask(http::Target, http::Request request, MonotonicTime give_up) {
    // The coroutine alone owns what it waits on; who answers finds it gone with its node.
    const auto heard = std::make_shared<pawl::Promise<effect::Found>>(loop_);
    if (!cashier_.is_lost())
        cashier_.world().after(cashier_.way(), [&to = cashier_, what = std::move(request),
                                                slot = std::weak_ptr(heard)] {
            effect::Found word = to.take(what);
            if (to.is_lost()) return;
            to.world().after(to.way(), [slot, said = std::move(word)] {
                if (const auto waits = slot.lock()) waits->set(said);
            });
        });
    const auto word = co_await heard->wait(give_up);
    co_return word.value_or(effect::Found{});
}

}  // namespace pawl::sim
