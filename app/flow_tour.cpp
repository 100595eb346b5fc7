// SPDX-License-Identifier: Apache-2.0
#include "app/flow_tour.hpp"

#include <fmt/format.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::app {
namespace {

constexpr std::string_view kSignatureHeader = "X-Signature";
constexpr std::string_view kSignaturePrefix = "sha256=";

key::JsonPath path_of(std::string_view member) {
    return {{{std::string(member), std::nullopt}}, fmt::format("$.{}", member)};
}

}  // namespace

void add_demo_account(config::Config& config, std::string secret) {
    callback::HmacAccount account;
    account.signature_header = kSignatureHeader;
    account.signature_prefix = kSignaturePrefix;
    account.event_id = path_of("id");
    account.mapping.type = path_of("type");
    account.mapping.kinds.emplace("paid", callback::FactKind::paid);
    account.mapping.order = path_of("order");
    account.mapping.transaction = path_of("transaction");
    account.mapping.amount = path_of("amount");
    account.mapping.minor_units = false;
    account.mapping.currency = path_of("currency");
    config::CallbackSetting setting;
    setting.subscription.account = {std::string(kDemoAccount), std::move(account)};
    setting.subscription.tenant = config.tenant;
    setting.subscription.flow = "order";
    setting.subscription.events[callback::FactKind::paid] = "pay";
    setting.keys.push_back({.secret = {.value = std::move(secret)}});
    config.callbacks.push_back(std::move(setting));
}

std::vector<std::pair<std::string, std::string>> flow_tour(const FlowTour& tour) {
    const std::string order = "lamps-" + tour.mark;
    const std::string flows = tour.listen + "/v1/flows/order";
    const auto keyed = [&](std::string_view url, std::string_view key, std::string_view body) {
        return fmt::format("curl -i {} -H 'Idempotency-Key: {}-{}' --json '{}'", url, key,
                           tour.mark, body);
    };
    const std::string fact = fmt::format(
        R"({{"id":"n-{0}","type":"paid","order":"{1}","transaction":"t-{0}","amount":"12.50","currency":"EUR"}})",
        tour.mark, order);
    const std::string signature = to_hex(hmac_sha256(tour.secret, fact).view());
    const std::string entity =
        fmt::format("$(curl -s '{}?limit=1' | grep -oE '[0-9]{{15,19}}' | head -n1)", flows);
    return {
        {"put five lamps on the shelf",
         keyed(tour.listen + "/v1/stock/lamp", "stock", R"({"set":5})")},
        {"an order of two lamps; paste it twice: one order",
         keyed(flows, "create",
               fmt::format(R"({{"business_key":"{}","amount":"12.50","currency":"EUR",)"
                           R"("items":[{{"sku":"lamp","quantity":2}}]}})",
                           order))},
        {"the provider reports the payment, five times: it counts once",
         fmt::format("for i in 1 2 3 4 5; do curl -s -o /dev/null -w '%{{http_code}}\\n' "
                     "{}/v1/callbacks/hmac/{} -H '{}: {}{}' --json '{}'; done",
                     tour.listen, kDemoAccount, kSignatureHeader, kSignaturePrefix, signature,
                     fact)},
        {"ship it", fmt::format("curl -i -X POST {}/{}/events/ship -H 'Idempotency-Key: ship-{}'",
                                flows, entity, tour.mark)},
        {"what happened to it",
         fmt::format("{} flow timeline order {} --key", tour.program, order)},
        {"two lamps are sold, three are left", fmt::format("curl {}/v1/stock/lamp", tour.listen)}};
}

}  // namespace pawl::app
