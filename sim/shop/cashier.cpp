// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/cashier.hpp"

#include <boost/json.hpp>

#include "sim/shop/outside_call.hpp"

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

std::string text_of(const boost::json::object& from, std::string_view name) {
    const auto* const value = from.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

}  // namespace

effect::Found Cashier::take(const http::Request& request) {
    const boost::json::value asked = boost::json::parse(request.body);
    const std::string key = key_in(request);
    world_.trace().tell("called", refunds_.size(), works_.size(), "{} under {}", request.body, key);
    if (acted_.contains(key)) {
        rarities_.count(ShopRare::refund_asked_again);
        return answered(200);
    }
    if (refused_.contains(key) || chance_.hit(dose_.refund_refused)) {
        refused_.insert(key);
        rarities_.count(ShopRare::refund_refused);
        return answered(422);
    }
    if (chance_.hit(dose_.refund_fails)) return answered(503);
    if (!key.empty()) acted_.insert(key);
    write_down(asked.as_object(), key);
    if (!chance_.hit(dose_.refund_lies)) return answered(201);
    rarities_.count(ShopRare::refund_denied_though_made);
    return answered(500);
}

void Cashier::write_down(const boost::json::object& asked, const std::string& key) {
    if (const std::string step = text_of(asked, "step"); !step.empty()) {
        works_.push_back({text_of(asked, "id"), step, key});
        return;
    }
    refunds_.push_back(
        {text_of(asked.at("values").as_object(), "transaction_id"), key, text_of(asked, "amount")});
    if (on_refund) on_refund(refunds_.back());
}

Task<effect::Found> CashierLine::ask(http::Target, http::Request request, MonotonicTime give_up) {
    const auto word = co_await call_outside<effect::Found>(
        cashier_.world(), loop_, cashier_,
        [&to = cashier_, what = std::move(request)] { return std::optional(to.take(what)); },
        give_up);
    co_return word.value_or(effect::Found{});
}

}  // namespace pawl::sim
