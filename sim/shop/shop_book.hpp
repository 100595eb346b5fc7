// SPDX-License-Identifier: Apache-2.0
// What the shop's people mean, kept by the world and not by Pawl: the auditors judge against it. A purchase is an
// order or a booking as its shopper means it; money is one payment as its provider knows it; a wish is one
// request, which has a key and may be sent many times; a look is what the provider told a probe.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/sent.hpp"
#include "runtime/clock/clock.hpp"
#include "sim/history/book.hpp"

namespace pawl::sim {

inline constexpr std::string_view kShopTenant = "shop";
inline constexpr std::string_view kProvider = "standard_webhooks";
inline constexpr std::string_view kMerchant = "shop-7";

struct Purchase {
    Number number = 0;
    std::string flow;
    std::string key;  // business key: by this the provider and the courier know it
    std::string shopper;
    std::string amount;
    std::string id{};           // once its creation was answered
    std::uint64_t version = 0;  // that its shopper was told last
    MonotonicTime made_at{};
};

struct Money {
    Number number = 0;
    Number purchase = 0;
    std::string transaction;
    std::string amount;
    bool fits = true;  // as the purchase says
    bool acknowledged = false;
};

// What the provider signed and nobody can lay to an order.
struct Unreadable {
    Number number = 0;
    std::string transaction;
    bool acknowledged = false;
};

// A payment was closed unpaid, by whoever runs the account at the provider.
struct Closing {
    Number number = 0;
    Number purchase = 0;
    std::string transaction;
    bool acknowledged = false;
};

// Money has gone back, as the provider reports it.
struct Reversal {
    Number number = 0;
    Number money = 0;
    std::string amount;
    bool acknowledged = false;
};

// What is told without a signature: a parcel was handed over, a try to pay was declined.
struct Message {
    Number number = 0;
    Number purchase = 0;
    std::string event;
    bool acknowledged = false;
};

struct Look {
    Number purchase = 0;
    std::uint64_t version = 0;  // of the entity that it was asked about
    flow::Probed said = flow::Probed::unknown;
};

// What is asked for under one key.
struct Wish {
    enum class Kind : std::uint8_t { event, renewal, stock };
    Number number = 0;
    Kind kind = Kind::event;
    Number purchase = 0;  // 0: none
    engine::Sent sent;    // of an event; its claim is of every wish but a renewal
    std::string deadline{};
    std::optional<store::StockChange> change{};
    bool may_be_left = true;  // its sender may give up before a last word
};

class ShopBook {
  public:
    Purchase& add_purchase(std::string flow, std::string shopper, std::string amount);
    Money& add_money(Number purchase, std::string amount);
    Unreadable& add_unreadable();
    Closing& add_closing(Number purchase);
    Reversal& add_reversal(Number money, std::string amount);
    Message& add_message(Number purchase, std::string event);
    Wish& add_wish(Wish wish);
    // An entry of the list was closed that said so much.
    void add_seen_to(const flow::Given& values);
    // By hand; false: the same entry had made us do it.
    bool pay_back(const std::string& transaction, std::uint64_t entry) {
        return paid_back_.emplace(transaction, entry).second;
    }
    // What a probe made of this version was closed as settled, and names no payment.
    void add_let_go(std::string entity, std::uint64_t version) {
        let_go_.emplace(std::move(entity), version);
    }
    void add_look(Look look) { looks_.emplace(look.purchase, look.version, look.said); }

    Purchase& purchase(Number number) { return purchases_[number - 1]; }
    Money& money(Number number) { return money_[number - 1]; }
    Unreadable& unreadable(Number number) { return unreadable_[number - 1]; }
    Closing& closing(Number number) { return closings_[number - 1]; }
    Reversal& reversal(Number number) { return reversals_[number - 1]; }
    Message& message(Number number) { return messages_[number - 1]; }
    Wish& wish(Number number) { return wishes_[number - 1]; }
    const std::deque<Purchase>& purchases() const { return purchases_; }
    const std::deque<Money>& money() const { return money_; }
    const std::deque<Unreadable>& unreadable() const { return unreadable_; }
    const std::deque<Reversal>& reversals() const { return reversals_; }
    const std::deque<Message>& messages() const { return messages_; }
    const std::deque<Wish>& wishes() const { return wishes_; }
    // nullptr: no purchase has this business key.
    const Purchase* known_as(const std::string& key) const;
    const Money* transaction(const std::string& transaction) const;
    // By transaction, each with the entry that was closed for it.
    const std::set<std::pair<std::string, std::uint64_t>>& paid_back() const { return paid_back_; }
    bool was_paid_back(const std::string& transaction) const {
        return paid_back_.lower_bound({transaction, 0}) !=
               paid_back_.upper_bound({transaction, UINT64_MAX});
    }
    // Transactions, messages and refunds of entries that were closed by hand.
    const std::set<std::string>& seen_to() const { return seen_to_; }
    bool was_let_go(const std::string& entity, std::uint64_t version) const {
        return let_go_.contains({entity, version});
    }
    // Whether a probe about this version was told so.
    bool was_told(Number purchase, std::uint64_t version, flow::Probed said) const {
        return looks_.contains({purchase, version, said});
    }

  private:
    std::deque<Purchase> purchases_;
    std::deque<Money> money_;
    std::deque<Unreadable> unreadable_;
    std::deque<Closing> closings_;
    std::deque<Reversal> reversals_;
    std::deque<Message> messages_;
    std::deque<Wish> wishes_;
    std::set<std::tuple<Number, std::uint64_t, flow::Probed>> looks_;
    std::set<std::pair<std::string, std::uint64_t>> paid_back_;
    std::set<std::pair<std::string, std::uint64_t>> let_go_;
    std::set<std::string> seen_to_;
    std::map<std::string, Number> by_key_;
    std::map<std::string, Number> by_transaction_;
};

// A claim without its claim id and owner: the node that takes the request adds them.
record::Claim claim_of(const std::string& caller, const std::string& operation,
                       const std::string& key, const std::string& body);

}  // namespace pawl::sim
