// SPDX-License-Identifier: Apache-2.0
// One telling of the payment provider, as the bytes that a node gets: genuine, or one of the other things that come to
// an address which is open to all. The shop has an account for each flow, named like it, with a secret of its own;
// each numbers its events from one on, so that two accounts use the same ids.
#pragma once

#include "engine/callback_accounts.hpp"
#include "sim/shop/shop_book.hpp"

namespace pawl::sim {

struct Notice {
    enum class Kind : std::uint8_t {
        genuine,
        unreadable,   // the account's own, without an amount that can be read
        forged,       // by somebody who knows no secret
        misdirected,  // genuine, and sent to another account
    };
    Kind kind = Kind::genuine;
    std::string account{};   // that it is sent to
    std::string event_id{};  // its account's number
    std::string says = "payment.paid";
    std::string key{};  // of the purchase
    std::string transaction{};
    std::string amount{};  // in cents; or what cannot be read
    std::string refund{};  // the refund's number
    callback::Notification bytes{};
};
std::string_view name_of(Notice::Kind kind);

// Signed now, by the account that `from` names.
void sign(Notice& notice, const std::string& from, WallTime now);
// Of "12.5" and of "12.50": 1250.
std::int64_t cents_of(std::string_view amount);

std::shared_ptr<const engine::CallbackAccounts> shop_accounts();

}  // namespace pawl::sim
