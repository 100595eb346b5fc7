// SPDX-License-Identifier: Apache-2.0
#include "engine/notifications.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/task/within.hpp"

namespace pawl::engine {

using callback::FactKind;
using callback::News;
using callback::Reading;
using callback::Subscription;

// One notification and what it is judged by, kept together for as long as it is carried out.
struct Notifications::Case {
    std::shared_ptr<const CallbackAccounts> accounts;  // owns the account
    std::shared_ptr<const Machines> machines;
    const CallbackAccount& account;
    callback::Notification notification;

    const Subscription& subscription() const { return account.subscription; }
    callback::Provider provider() const { return callback::provider_of(subscription().account); }
    const std::string& name() const { return subscription().account.name; }
};

namespace {

// Of a claim that is completed in its own commit; nobody ever waits for it.
constexpr std::int64_t kLeaseMs = 30'000;
constexpr std::string_view kOtherOne =
    "its id came before, and said something else; the first one stays as it was";

record::Answer kept(callback::Acknowledgement acknowledgement) {
    record::Answer answer{acknowledgement.status, {}, std::move(acknowledgement.body)};
    for (callback::Header& header : acknowledgement.headers)
        answer.headers.emplace_back(std::move(header.name), std::move(header.value));
    return answer;
}

// However many zeros are printed behind it.
std::string shortest(std::string amount) {
    if (amount.find('.') == std::string::npos) return amount;
    amount.erase(amount.find_last_not_of('0') + 1);
    if (amount.ends_with('.')) amount.pop_back();
    return amount;
}

// A provider may send the same notification in other bytes, sealed or printed anew: it is the same when it says the
// same. By the provider's own words, which no flow file changes.
Digest says(const callback::Account& account, const Reading& reading) {
    DigestStream stream;
    for (const std::string_view part :
         {std::string_view("pawl.callback.says.1"), std::string_view(reading.event_type),
          name_of(reading.news)})
        stream.add_part(part);
    for (const auto& [name, value] :
         callback::named_values(callback::provider_of(account), account.name, reading.fact)) {
        const bool is_amount = name == "amount" || name == "amount_so_far";
        stream.add_part(name);
        stream.add_part(is_amount ? shortest(value) : value);
    }
    return stream.finish();
}

Digest rule_of_notifications() { return sha256("pawl.callback.says.1"); }

record::Claim claim_of(const callback::Account& account, const std::string& tenant,
                       const Reading& reading, std::string_view body) {
    const callback::Provider provider = callback::provider_of(account);
    const std::string& event_id = reading.event_id;
    record::Claim claim;
    claim.identity = callback::notification_key(provider, account.name, event_id, body);
    claim.fingerprint = says(account, reading);
    claim.rule = rule_of_notifications();
    claim.lease_ms = kLeaseMs;
    const std::int64_t memory_ms = callback::memory_of(account).count();
    claim.keep = {memory_ms, memory_ms};
    claim.tenant = tenant;
    claim.operation = fmt::format("callback {}/{}", name_of(provider), account.name);
    claim.key_label = event_id;
    return claim;
}

// In the names and forms of the flow. Where it has no field for the currency, its money carries it; where it knows no
// sum, the sum of all refunds is the amount that was refunded. Whose account says not who was paid, that account was.
flow::Given values_of(const Subscription& subscription, const flow::Machine* machine,
                      const callback::Fact& fact, std::string_view event) {
    flow::Given values = callback::named_values(callback::provider_of(subscription.account),
                                                subscription.account.name, fact);
    values.try_emplace("merchant", subscription.account.name);
    if (machine == nullptr || !fact.amount) return values;
    const auto knows = [&](std::string_view field) {
        const flow::EventRule* rule = machine->event(event);
        const bool own =
            rule != nullptr &&
            std::ranges::find(rule->fields, field, &flow::Field::name) != rule->fields.end();
        const auto& fields = machine->definition().fields;
        return own || std::ranges::find(fields, field, &flow::Field::name) != fields.end();
    };
    const std::string name =
        fact.amount_so_far && knows("amount_so_far") ? "amount_so_far" : "amount";
    values.erase("amount_so_far");
    values[name] = knows("currency") ? fact.amount->decimal_text() : fact.amount->money_text();
    return values;
}

callback::Outcome outcome_of(const Outcome& outcome) {
    switch (outcome.told) {
        case Told::applied:
            return callback::Outcome::applied;
        case Told::repeated:
        case Told::present:
        case Told::settled_before:
            return callback::Outcome::seen;
        case Told::recorded:
            // What is known under this id is acknowledged; what found no room is not known.
            return outcome.verdict && outcome.verdict->outcome == record::Outcome::limited
                       ? callback::Outcome::failed
                       : callback::Outcome::seen;
        case Told::ignored:
            return callback::Outcome::ignored;
        case Told::parked:
        case Told::attention:
            if (is_planted(Plant::for_people_is_refused)) return callback::Outcome::not_authentic;
            [[fallthrough]];
        case Told::deferred:
            return callback::Outcome::stored;
        case Told::refused:
        case Told::contended:
            break;
    }
    return callback::Outcome::failed;
}

bool is_recorded_as(const Result<Outcome>& outcome, record::Outcome verdict) {
    return outcome && outcome->told == Told::recorded && outcome->verdict &&
           outcome->verdict->outcome == verdict;
}

void describe(HeardNotification& heard, const Result<Outcome>& outcome) {
    if (!outcome) {
        heard.outcome = callback::Outcome::failed;
        heard.why = outcome.error().text;
        return;
    }
    heard.outcome = outcome_of(*outcome);
    heard.alarm = outcome->told == Told::attention;
    if (heard.why.empty()) heard.why = outcome->reason;
}

bool is_about_nothing(const Subscription& subscription, const Reading& reading) {
    return reading.news == News::nothing ||
           (reading.news == News::fact && !subscription.events.contains(reading.fact.kind));
}

// For people: which notification it was. Two without an id are told apart by their bytes.
flow::Given names_of(const Reading& reading, const Digest& key) {
    flow::Given names;
    if (!reading.event_type.empty()) names.emplace("event_type", reading.event_type);
    if (reading.event_id.empty())
        names.emplace("notification", to_hex(key.view()));
    else
        names.emplace("event_id", reading.event_id);
    return names;
}

struct Prepared {
    Sent sent;
    std::string obstacle;  // why it cannot be laid to an order; empty: it can
};

Prepared prepare(const Subscription& subscription, const flow::Machine* machine,
                 const Reading& reading, const std::string& body) {
    const callback::Account& account = subscription.account;
    Prepared one;
    Sent& sent = one.sent;
    sent.subject = {subscription.tenant, subscription.flow, {}, {}};
    if (const auto event = subscription.events.find(reading.fact.kind);
        event != subscription.events.end())
        sent.event.name = event->second;
    sent.event.values = values_of(subscription, machine, reading.fact, sent.event.name);
    sent.event.sender = flow::Sender::callback;
    sent.claim = claim_of(account, subscription.tenant, reading, body);
    // Those that were recorded when an id was all that was compared.
    sent.fingerprint_under = [identity = sent.claim->identity](const Digest& rule) {
        return rule == Digest{} ? std::optional(identity) : std::nullopt;
    };
    sent.acknowledgement = kept(callback::acknowledge(account, callback::Outcome::applied));
    sent.store_first = true;
    if (reading.news == News::attention)
        one.obstacle = reading.why;
    else if (machine == nullptr || !machine->definition().correlate)
        one.obstacle = fmt::format("`{}` is no flow here that takes facts", subscription.flow);
    else if (const std::string& name = machine->definition().correlate->callback;
             !sent.event.values.contains(name))
        one.obstacle = fmt::format("it has no `{}`", name);
    else
        sent.subject.business_key = sent.event.values.find(name)->second;
    if (!one.obstacle.empty()) sent.event.values.merge(names_of(reading, sent.claim->identity));
    return one;
}

}  // namespace

Notifications::Notifications(Loop& loop, FactTaker& facts, NotificationWatch& watch,
                             std::shared_ptr<const CallbackAccounts> accounts,
                             std::shared_ptr<const Machines> machines)
    : loop_(loop),
      facts_(facts),
      watch_(watch),
      accounts_(std::move(accounts)),
      machines_(std::move(machines)),
      group_(loop) {}

void Notifications::reload(std::shared_ptr<const CallbackAccounts> accounts,
                           std::shared_ptr<const Machines> machines) {
    accounts_ = std::move(accounts);
    machines_ = std::move(machines);
}

Task<Result<callback::Acknowledgement>> Notifications::take(std::string provider,
                                                            std::string account,
                                                            callback::Notification notification) {
    const MonotonicTime begun = loop_.now();
    const CallbackAccount* found = accounts_->find(provider, account);
    if (found == nullptr)
        co_return fail(Code::not_found,
                       fmt::format("There is no account `{}` of `{}`.", account, provider));
    const auto one =
        std::make_shared<const Case>(Case{accounts_, machines_, *found, std::move(notification)});
    std::optional<callback::Outcome> outcome;
    if (group_.running() < kNotificationsMax)
        outcome = co_await within(loop_, group_, begun + kNotificationBudget, judge(one));
    NotificationFigures& figures = *one->account.figures;
    if (!outcome) figures.late.add();
    if (!outcome && is_planted(Plant::late_is_acknowledged)) outcome = callback::Outcome::applied;
    figures.of(outcome.value_or(callback::Outcome::failed)).add();
    figures.durations.add(loop_.now() - begun);
    co_return callback::acknowledge(one->subscription().account,
                                    outcome.value_or(callback::Outcome::failed));
}

Task<callback::Outcome> Notifications::judge(std::shared_ptr<const Case> one) {
    HeardNotification heard = co_await hear(one);
    heard.provider = name_of(one->provider());
    heard.account = one->name();
    if (heard.alarm) one->account.figures->alarms.add();
    watch_.heard(heard);
    co_return heard.outcome;
}

Task<HeardNotification> Notifications::hear(std::shared_ptr<const Case> one) {
    const Subscription& subscription = one->subscription();
    HeardNotification heard;
    const auto read = callback::verify_and_read(subscription.account, one->notification,
                                                milliseconds_of(loop_.clock().wall()));
    if (!read) {
        heard.outcome = callback::outcome_of(read.error().reason);
        heard.alarm = read.error().reason == callback::Refusal::Reason::sealed;
        heard.why = fmt::format("{}: {}", name_of(read.error().reason), read.error().text);
        co_return heard;
    }
    heard.event_id = read->event_id;
    heard.event_type = read->event_type;
    heard.why = read->why;
    const bool drops = is_planted(Plant::unreadable_is_dropped) && read->news == News::attention;
    if (drops || is_about_nothing(subscription, *read)) {
        heard.outcome = callback::Outcome::ignored;
        co_return heard;
    }
    Prepared prepared = prepare(subscription, one->machines->find(subscription.flow), *read,
                                one->notification.body);
    flow::Given names = names_of(*read, prepared.sent.claim->identity);
    describe(heard, co_await send(std::move(prepared.sent), std::move(prepared.obstacle),
                                  std::move(names)));
    co_return heard;
}

// Where there is no room for another record, the flow's own unique values still tell the fact apart. What comes under
// the id of another one is believed by nobody, and forgotten by nobody.
Task<Result<Outcome>> Notifications::send(Sent sent, std::string obstacle, flow::Given names) {
    Sent again = sent;
    again.claim.reset();
    again.acknowledgement.reset();
    auto outcome = co_await hand_over(std::move(sent), obstacle);
    if (is_recorded_as(outcome, record::Outcome::limited))
        co_return co_await hand_over(std::move(again), std::move(obstacle));
    if (!is_recorded_as(outcome, record::Outcome::mismatch)) co_return outcome;
    again.event.values.merge(std::move(names));
    again.contradicts = true;
    co_return co_await facts_.keep_for_people(std::move(again), std::string(kOtherOne));
}

Task<Result<Outcome>> Notifications::hand_over(Sent sent, std::string obstacle) {
    if (obstacle.empty()) return facts_.send(std::move(sent));
    return facts_.keep_for_people(std::move(sent), std::move(obstacle));
}

}  // namespace pawl::engine
