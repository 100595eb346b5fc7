// SPDX-License-Identifier: Apache-2.0
#include "sim/outside/callers.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

constexpr Number kCallers = Callers::kNumberMax / 2;  // and as many who use the keys of others
// Neighbours that a double cannot tell apart.
constexpr std::uint64_t kFirstVersion = (std::uint64_t{1} << 53) - 2;

}  // namespace

Callers::Callers(World& world, Book& book, Front& front, Traffic traffic)
    : world_(world),
      chance_(world.chance_for("callers")),
      book_(book),
      front_(front),
      traffic_(traffic),
      by_token_(1) {
    front_.set_hear(
        [this](std::uint64_t token, const Answered* answered) { hear(token, answered); });
}

Name& Callers::fresh_name() {
    const auto promise = static_cast<Promise>(chance_.below(kPromiseCount));
    const bool keyless =
        promise == Promise::natural || chance_.hit(8);  // now and then a client forgets its key
    const auto number = static_cast<Number>(book_.names().size() + 1);
    Name& name = book_.add_name(promise, static_cast<Number>(1 + chance_.below(kCallers)),
                                keyless ? "" : fmt::format("k{}", number));
    // Now and then a client begins without a version, and may not give one later.
    const bool versioned = promise == Promise::versioned && !keyless;
    const Number intent = versioned && chance_.hit(900)
                              ? add_version(name, kFirstVersion + chance_.below(4))
                              : book_.add_intent(name).number;
    if (versioned) versioned_.push_back(number);
    key_shared_.resize(number + 1);
    first_intent_.resize(number + 1);
    first_intent_[number] = intent;
    return name;
}

Number Callers::recent_name() {
    constexpr std::size_t kRecent = 150;
    const std::size_t count = book_.names().size();
    return static_cast<Number>(count - chance_.below(std::min(count, kRecent)));
}

void Callers::come() {
    if (all_came()) return;
    const std::uint64_t drawn = chance_.below(100);
    if (drawn < 50 || book_.names().empty())
        begin(first_intent_[fresh_name().number], 0ns);
    else if (drawn < 68)
        repeat();
    else if (drawn < 76)
        storm(first_intent_[fresh_name().number]);
    else if (drawn < 84)
        reuse_key();
    else if (drawn < 92)
        correct();
    else
        same_key_other_caller();
    world_.after(chance_.between(0ns, 2 * traffic_.pause), [this] { come(); });
}

void Callers::repeat() {
    const Number name = recent_name();
    const auto versions = versions_.find(name);
    if (versions == versions_.end()) return begin(first_intent_[name], 0ns);
    const std::vector<Number>& intents = versions->second.intents;
    begin(intents[chance_.below(intents.size())], 0ns);
}

Number Callers::add_version(Name& name, std::uint64_t version) {
    Versions& versions = versions_[name.number];
    versions.newest = std::max(versions.newest, version);
    versions.intents.push_back(book_.add_intent(name, std::to_string(version)).number);
    return versions.intents.back();
}

// Mostly a newer version of something recent, at once or later, alone or several times; sometimes an older
// one, another body under the newest, or none at all.
void Callers::correct() {
    constexpr std::size_t kRecent = 12;
    if (versioned_.empty()) return repeat();
    const std::size_t back = chance_.below(std::min(versioned_.size(), kRecent));
    Name& name = book_.name(versioned_[versioned_.size() - 1 - back]);
    const auto known = versions_.find(name.number);
    const std::uint64_t newest = known == versions_.end() ? kFirstVersion : known->second.newest;
    const auto delay = chance_.hit(300) ? 0ns : chance_.between(0ns, 3'000ms);
    const std::uint64_t kind = chance_.below(10);
    if (kind == 0) return begin(book_.add_intent(name).number, delay);
    const std::uint64_t version = kind <= 2   ? newest - chance_.between(1, 3)
                                  : kind == 3 ? newest
                                              : newest + chance_.between(1, 3);
    const Number intent = add_version(name, version);
    const std::uint64_t copies = chance_.hit(200) ? chance_.between(2, 4) : 1;
    for (std::uint64_t i = 0; i < copies; ++i) begin(intent, delay + chance_.between(0ns, 20ms));
}

void Callers::storm(Number intent) {
    const std::uint64_t copies = chance_.hit(100) ? chance_.between(10, 30) : chance_.between(2, 6);
    for (std::uint64_t i = 0; i < copies; ++i) begin(intent, chance_.between(0ns, 30ms));
}

// The same key with another body, while the first is under way or long after.
void Callers::reuse_key() {
    Name& name = book_.name(recent_name());
    if (name.key.empty()) return repeat();
    const auto versions = versions_.find(name.number);
    const Number other = versions == versions_.end() ? book_.add_intent(name).number
                                                     : add_version(name, versions->second.newest);
    begin(other, chance_.hit(500) ? 0ns : chance_.between(0ns, 2'000ms));
}

// Field case 13.
void Callers::same_key_other_caller() {
    const Name taken = book_.name(recent_name());
    if (taken.key.empty() || key_shared_[taken.number]) return repeat();
    key_shared_[taken.number] = true;
    Name& name = book_.add_name(taken.promise, taken.caller + kCallers, taken.key);
    const Intent theirs = book_.intent(first_intent_[taken.number]);
    const Number intent =
        (chance_.hit(700) ? book_.add_twin(name, theirs) : book_.add_intent(name, theirs.stamp))
            .number;
    key_shared_.resize(name.number + 1);
    key_shared_[name.number] = true;
    first_intent_.resize(name.number + 1);
    first_intent_[name.number] = intent;
    begin(intent, 0ns);
}

void Callers::begin(Number intent, std::chrono::nanoseconds delay) {
    const std::size_t errand = errands_.size();
    errands_.push_back({.intent = intent});
    ++waiting_;
    errands_[errand].alarm = world_.after(delay, [this, errand] { ask(errand); });
}

void Callers::ask(std::size_t number) {
    if (stopped_) return;
    Errand& errand = errands_[number];
    ++errand.tries;
    errand.token = by_token_.size();
    by_token_.push_back(number);
    const auto patience = patient_           ? 30'000ms
                          : chance_.hit(200) ? chance_.between(50ms, 1'000ms)
                                             : chance_.between(2'000ms, 15'000ms);
    errand.alarm = world_.after(patience, [this, number] {
        errands_[number].token = 0;  // it hangs up
        if (!patient_ && chance_.hit(dose_.client_leaves)) return end(number);
        again(number, chance_.between(10ms, 1'000ms));
    });
    front_.send(errand.intent, errand.token);
}

void Callers::again(std::size_t number, std::chrono::nanoseconds pause) {
    Errand& errand = errands_[number];
    errand.token = 0;
    world_.cancel(errand.alarm);
    const std::chrono::nanoseconds step =
        std::min<std::chrono::nanoseconds>(pause * (1 + errand.tries), 10s);
    errand.alarm = world_.after(step, [this, number] { ask(number); });
}

void Callers::end(std::size_t number) {
    Errand& errand = errands_[number];
    world_.cancel(errand.alarm);
    errand.over = true;
    errand.token = 0;
    --waiting_;
}

void Callers::hear(std::uint64_t token, const Answered* answered) {
    const std::size_t number = by_token_[token];
    Errand& errand = errands_[number];
    if (errand.over || errand.token != token) return;  // it hung up before
    if (answered == nullptr) {
        if (!patient_ && chance_.hit(dose_.client_leaves)) return end(number);
        return again(number, chance_.between(10ms, 500ms));
    }
    switch (answered->tone) {
        case Tone::settled:
        case Tone::mismatch:
        case Tone::stale:
        case Tone::expired:
        case Tone::malformed:
        case Tone::forbidden:
        case Tone::strange:
            return end(number);
        case Tone::released:
            if (chance_.hit(500)) return end(number);
            return again(number, chance_.between(100ms, 1'000ms));
        case Tone::doubtful:
        case Tone::uncertain:
            return again(number, chance_.between(500ms, 3'000ms));
        case Tone::in_progress:
        case Tone::limited:
        case Tone::unavailable:
            return again(number, chance_.between(100ms, 1'500ms));
    }
}

std::vector<Number> Callers::waiting_names() const {
    std::vector<Number> names;
    for (const Errand& errand : errands_)
        if (!errand.over) names.push_back(book_.intent(errand.intent).name);
    return names;
}

}  // namespace pawl::sim
