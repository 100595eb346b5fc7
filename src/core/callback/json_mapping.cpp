// SPDX-License-Identifier: Apache-2.0
#include "core/callback/providers.hpp"

namespace pawl::callback {

void read_mapped(const JsonMapping& mapping, JsonMembers& members, Reading& reading) {
    reading.event_type = members.name(mapping.type);
    const auto kind = mapping.kinds.find(reading.event_type);
    if (members.problem().empty() && kind == mapping.kinds.end()) {
        ignore(reading, "Events of this type are not mapped to a fact.");
        return;
    }
    Fact& fact = reading.fact;
    reading.news = News::fact;
    if (kind != mapping.kinds.end()) fact.kind = kind->second;
    fact.out_trade_no = members.name(mapping.order);
    fact.transaction_id = members.name(mapping.transaction);
    if (fact.kind == FactKind::refunded && mapping.refund)
        fact.refund_number = members.name(*mapping.refund);
    if (mapping.merchant) fact.merchant = members.name(*mapping.merchant);
    std::string currency = mapping.currency ? members.text(*mapping.currency) : std::string();
    if (currency.empty()) currency = mapping.currency_default;
    if (mapping.amount) {
        const std::string amount = members.number(*mapping.amount);
        fact.amount = mapping.minor_units
                          ? Amount::in_minor_units(amount, currency, iso_decimals(currency))
                          : Amount::in_decimal(amount, currency);
    }
    if (!members.problem().empty()) {
        call_people(reading, members.problem());
    } else if (mapping.merchant && fact.merchant != mapping.merchant_expected) {
        call_people(reading, "It is about a payment to another merchant.");
    }
}

}  // namespace pawl::callback
