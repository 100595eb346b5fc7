// SPDX-License-Identifier: Apache-2.0
// Callback accounts and the flows that their facts are about; and the accounts once their keys are read.
#include <set>

#include <fmt/format.h>

#include "core/flow/payments.hpp"
#include "surface/config/read_callback_body.hpp"
#include "surface/config/read_callbacks.hpp"
#include "surface/config/read_secret.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::config {
namespace {

using namespace callback;
using flow::EventRule;
using policy::Severity;

// What a fact of each kind usually is called by a flow.
constexpr std::pair<FactKind, std::string_view> kUsual[] = {
    {FactKind::paid, "pay"},      {FactKind::paid, "paid"},         {FactKind::closed, "close"},
    {FactKind::closed, "closed"}, {FactKind::refunded, "refunded"},
};

bool takes_callbacks(const EventRule& event) {
    return event.external &&
           (event.allow.empty() || std::ranges::find(event.allow, "callback") != event.allow.end());
}

bool compares(const EventRule& event, std::string_view field) {
    return std::ranges::all_of(event.transitions, [&](const flow::Transition& one) {
        return std::ranges::find(one.require, field, &flow::Guard::field) != one.require.end();
    });
}

class Judge {
  public:
    Judge(Reading& reading, const Config& config, CallbackSetting& setting)
        : reading_(reading), config_(config), setting_(setting) {}

    void judge() {
        const flow::Machine* machine = flow_of();
        if (machine == nullptr) return;
        correlate(machine->definition());
        if (setting_.subscription.events.empty()) use_usual_events(*machine);
        for (const auto& [kind, name] : setting_.subscription.events) event(*machine, kind, name);
    }

  private:
    void add(Severity severity, std::string what, std::string remedy) {
        reading_.findings.push_back(
            {severity, setting_.line, setting_.column, std::move(what), std::move(remedy)});
    }

    const flow::Machine* flow_of() {
        const std::string& wanted = setting_.subscription.flow;
        std::vector<std::string> names;
        for (const flow::Machine& machine : config_.flows.machines) {
            if (machine.definition().name == wanted) return &machine;
            names.push_back(machine.definition().name);
        }
        const auto meant = yaml::nearest(wanted, names);
        add(Severity::error, fmt::format("`{}` is no flow that is served", wanted),
            meant ? fmt::format("did you mean `{}`?", *meant)
                  : fmt::format("write `flows: [{}]`", wanted));
        return nullptr;
    }

    // The order is looked for by its business key, which a fact has to name.
    void correlate(const flow::Definition& flow) {
        static const std::vector<std::string> kNames{"out_trade_no", "transaction_id",
                                                     "refund_number"};
        if (!flow.correlate) {
            add(Severity::error,
                fmt::format("`{}` says not which order a fact is about", flow.name),
                "write `correlate: { callback: out_trade_no, field: business_key }` into its file");
            return;
        }
        if (flow.correlate->field != "business_key")
            add(Severity::error,
                fmt::format("`{}` finds its orders by `{}`, and facts find them by business key",
                            flow.name, flow.correlate->field),
                "write `correlate: { callback: out_trade_no, field: business_key }` into its file");
        if (std::ranges::find(kNames, flow.correlate->callback) == kNames.end())
            add(Severity::error,
                fmt::format("`correlate.callback` of `{}` is `{}`, which no fact has", flow.name,
                            flow.correlate->callback),
                "write out_trade_no, transaction_id or refund_number");
    }

    void use_usual_events(const flow::Machine& machine) {
        for (const auto& [kind, name] : kUsual) {
            const EventRule* event = machine.event(name);
            if (event != nullptr && takes_callbacks(*event))
                setting_.subscription.events.try_emplace(kind, name);
        }
        if (setting_.subscription.events.empty())
            add(Severity::error,
                fmt::format("no fact is an event of `{}`", machine.definition().name),
                "write `events: { paid: EVENT }`, one that is `external: true`");
    }

    void event(const flow::Machine& machine, FactKind kind, const std::string& name) {
        const flow::Definition& flow = machine.definition();
        const EventRule* event = machine.event(name);
        if (event == nullptr) {
            std::vector<std::string> names;
            for (const EventRule& one : flow.events)
                if (one.external) names.push_back(one.name);
            const auto meant = yaml::nearest(name, names);
            add(Severity::error, fmt::format("`{}` is no event of `{}`", name, flow.name),
                meant ? fmt::format("did you mean `{}`?", *meant)
                      : fmt::format("write one of {}", fmt::join(names, ", ")));
            return;
        }
        if (!event->external) {
            add(Severity::error, fmt::format("`{}` of `{}` takes no facts", name, flow.name),
                "write `external: true` into it, in the flow's file");
            return;
        }
        if (!takes_callbacks(*event))
            add(Severity::error,
                fmt::format("`{}` of `{}` is not for callbacks to send", name, flow.name),
                "write `callback` among those whom it allows");
        if (event->unique.empty() && kind == FactKind::paid)
            add(Severity::warning,
                fmt::format("`{}` of `{}` does not know a payment that is told twice under two ids",
                            name, flow.name),
                "write `unique: { fields: [provider, account, transaction_id] }` into it");
        // What brings money, the flow's own file is warned of.
        const bool warned = flow::brings_money(flow, *event);
        if (!warned && !compares(*event, "amount") && kind != FactKind::closed)
            add(Severity::warning, fmt::format("`{}` of `{}` takes any amount", name, flow.name),
                "write `require: { amount: same }` into it");
    }

    Reading& reading_;
    const Config& config_;
    CallbackSetting& setting_;
};

std::string described(const CallbackSetting& setting) {
    const Account& account = setting.subscription.account;
    return fmt::format("callbacks.{}.{}", name_of(provider_of(account)), account.name);
}

Result<std::vector<PublicKey>> public_keys_of(const CallbackSetting& setting) {
    std::vector<PublicKey> keys;
    for (const KeySource& source : setting.keys) {
        auto key = PublicKey::parse(source.secret.value);
        if (!key)
            return fail(Code::config_invalid,
                        fmt::format("a key of `{}`: {}", described(setting), key.error().text));
        keys.push_back(std::move(*key));
    }
    return keys;
}

// Gives an account its keys and secrets.
struct Fill {
    const CallbackSetting& setting;

    Status operator()(WechatAccount& account) const {
        auto keys = public_keys_of(setting);
        if (!keys) return fail(std::move(keys.error()));
        for (std::size_t i = 0; i < keys->size(); ++i)
            account.keys.push_back({setting.keys[i].serial, std::move((*keys)[i])});
        for (const policy::Secret& key : setting.api_keys) account.api_keys.push_back(key.value);
        return {};
    }
    Status operator()(AlipayAccount& account) const {
        auto keys = public_keys_of(setting);
        if (!keys) return fail(std::move(keys.error()));
        account.keys = *std::move(keys);
        return {};
    }
    Status operator()(StandardWebhooksAccount& account) const {
        for (const KeySource& source : setting.keys) {
            auto secret = standard_secret(source.secret.value);
            if (!secret)
                return fail(
                    Code::config_invalid,
                    fmt::format("a secret of `{}`: {}", described(setting), secret.error().text));
            account.secrets.push_back(*std::move(secret));
        }
        return {};
    }
    Status operator()(auto& account) const {
        for (const KeySource& source : setting.keys) account.secrets.push_back(source.secret.value);
        return {};
    }
};

}  // namespace

void judge_callbacks(Reading& reading, Config& config) {
    std::set<std::pair<Provider, std::string>> seen;
    for (CallbackSetting& setting : config.callbacks) {
        const Account& account = setting.subscription.account;
        if (!seen.emplace(provider_of(account), account.name).second)
            reading.findings.push_back({Severity::error, setting.line, setting.column,
                                        fmt::format("there is an account `{}` of {} already",
                                                    account.name, name_of(provider_of(account))),
                                        "give it another `name`"});
        Judge(reading, config, setting).judge();
    }
}

Status read_callback_files(std::vector<CallbackSetting>& callbacks) {
    for (CallbackSetting& setting : callbacks) {
        const Provider provider = provider_of(setting.subscription.account);
        const bool pem = provider == Provider::wechat || provider == Provider::alipay;
        const std::string name = described(setting);
        for (KeySource& key : setting.keys)
            if (auto read = read_file_of(key.secret, name, pem); !read) return read;
        for (policy::Secret& key : setting.api_keys)
            if (auto read = read_file_of(key, name, false); !read) return read;
    }
    return {};
}

Result<std::vector<Subscription>> subscriptions_of(const Config& config) {
    std::vector<Subscription> all;
    for (const CallbackSetting& setting : config.callbacks) {
        Subscription one = setting.subscription;
        if (auto filled = std::visit(Fill{setting}, one.account.provider); !filled)
            return fail(std::move(filled.error()));
        if (auto good = check(one.account); !good) return fail(std::move(good.error()));
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace pawl::config
