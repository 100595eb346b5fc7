// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_book.hpp"

#include <fmt/format.h>

namespace pawl::sim {

Purchase& ShopBook::add_purchase(std::string flow, std::string shopper, std::string amount) {
    const auto number = static_cast<Number>(purchases_.size() + 1);
    std::string key = fmt::format("B{}", number);
    by_key_.emplace(key, number);
    return purchases_.emplace_back(
        Purchase{number, std::move(flow), std::move(key), std::move(shopper), std::move(amount)});
}

Money& ShopBook::add_money(Number of, std::string amount) {
    const auto number = static_cast<Number>(money_.size() + 1);
    std::string transaction = fmt::format("T{}", number);
    by_transaction_.emplace(transaction, number);
    const bool fits = amount == purchase(of).amount;
    return money_.emplace_back(
        Money{number, of, std::move(transaction), std::move(amount), fits, false});
}

Unreadable& ShopBook::add_unreadable() {
    const auto number = static_cast<Number>(unreadable_.size() + 1);
    return unreadable_.emplace_back(Unreadable{number, fmt::format("U{}", number), false});
}

Closing& ShopBook::add_closing(Number of) {
    const auto number = static_cast<Number>(closings_.size() + 1);
    return closings_.emplace_back(Closing{number, of, fmt::format("C{}", number), false});
}

Reversal& ShopBook::add_reversal(Number money, std::string amount) {
    const auto number = static_cast<Number>(reversals_.size() + 1);
    return reversals_.emplace_back(Reversal{number, money, std::move(amount), false});
}

Message& ShopBook::add_message(Number of, std::string event) {
    const auto number = static_cast<Number>(messages_.size() + 1);
    return messages_.emplace_back(Message{number, of, std::move(event), false});
}

Wish& ShopBook::add_wish(Wish wish) {
    wish.number = static_cast<Number>(wishes_.size() + 1);
    return wishes_.emplace_back(std::move(wish));
}

void ShopBook::add_seen_to(const flow::Given& values) {
    for (const std::string_view name : {"transaction_id", "message", "refund_number"})
        if (const auto at = values.find(name); at != values.end()) seen_to_.insert(at->second);
}

const Purchase* ShopBook::known_as(const std::string& key) const {
    const auto at = by_key_.find(key);
    return at == by_key_.end() ? nullptr : &purchases_[at->second - 1];
}

const Money* ShopBook::transaction(const std::string& transaction) const {
    const auto at = by_transaction_.find(transaction);
    return at == by_transaction_.end() ? nullptr : &money_[at->second - 1];
}

record::Claim claim_of(const std::string& caller, const std::string& operation,
                       const std::string& key, const std::string& body) {
    DigestStream identity;
    for (const std::string_view part : {kShopTenant, std::string_view(caller),
                                        std::string_view(operation), std::string_view(key)})
        identity.add_part(part);
    record::Claim claim;
    claim.identity = identity.finish();
    claim.fingerprint = sha256(body);
    claim.rule = sha256("one rule");
    claim.lease_ms = 30'000;
    claim.keep = {24 * 3'600 * 1'000, 400LL * 24 * 3'600 * 1'000};
    claim.tenant = kShopTenant;
    claim.caller = record::caller_digest(kShopTenant, caller);
    claim.operation = operation;
    claim.key_label = key;
    return claim;
}

}  // namespace pawl::sim
