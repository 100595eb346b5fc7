// SPDX-License-Identifier: Apache-2.0
#include "gateway/shadow_book.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pawl::gateway {

std::string_view name_of(ShadowSeen seen) {
    static constexpr std::array<std::string_view, kShadowSeenCount> kNames{
        "first",   "replay",      "mismatch",    "in_flight",      "uncertain",
        "natural", "key_missing", "key_invalid", "caller_unknown", "not_judged"};
    return kNames[static_cast<std::size_t>(seen)];
}

std::uint64_t ShadowRoute::total() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

ShadowSeen ShadowBook::take(const ShadowNote& note) {
    const ShadowSeen seen = note.seen == ShadowSeen::first ? compare(note) : note.seen;
    ShadowRoute& route = routes_[note.route];
    ++route.counts[static_cast<std::size_t>(seen)];
    if (seen == ShadowSeen::first || note.key_tag.empty()) return seen;
    std::vector<std::string>& examples = route.examples[static_cast<std::size_t>(seen)];
    std::erase(examples, note.key_tag);
    if (examples.size() == kShadowExamplesMax) examples.erase(examples.begin());
    examples.push_back(note.key_tag);
    return seen;
}

ShadowSeen ShadowBook::compare(const ShadowNote& note) {
    const auto found = entries_.find(note.identity);
    if (found == entries_.end()) {
        remember(note);
        return ShadowSeen::first;
    }
    Entry& known = found->second;
    const bool together = note.began < known.ended && known.began < note.ended;
    const bool over = note.window.count() > 0 && note.began >= known.ended + note.window;
    const bool released = known.outcome == policy::OutcomeClass::release;
    if (!together && (over || released)) {
        drop(found);
        remember(note);
        return ShadowSeen::first;
    }
    if (known.fingerprint != note.fingerprint) return ShadowSeen::mismatch;
    if (together) return ShadowSeen::in_flight;
    if (known.outcome == policy::OutcomeClass::uncertain) return ShadowSeen::uncertain;
    return note.window.count() > 0 ? ShadowSeen::natural : ShadowSeen::replay;
}

void ShadowBook::remember(const ShadowNote& note) {
    if (keys_max_ == 0) return;
    if (entries_.size() == keys_max_) {
        drop(entries_.find(ages_.front()));
        ++forgotten_;
    }
    const auto age = ages_.insert(ages_.end(), note.identity);
    entries_.emplace(note.identity,
                     Entry{note.fingerprint, note.outcome, note.began, note.ended, age});
}

void ShadowBook::drop(std::unordered_map<Digest, Entry, DigestHash>::iterator entry) {
    ages_.erase(entry->second.age);
    entries_.erase(entry);
}

void ShadowBook::keep_only(const std::vector<std::string>& routes) {
    std::erase_if(routes_, [&routes](const auto& entry) {
        return std::ranges::find(routes, entry.first) == routes.end();
    });
}

std::string shadow_sentence(const ShadowRoute& route) {
    using enum ShadowSeen;
    const auto counted = [](std::uint64_t count, std::string_view what) {
        return fmt::format("{} {}", count, what);
    };
    std::vector<std::string> spared;
    std::vector<std::string> refused;
    // `of_many` is left out where it is the same.
    const auto add = [&](std::vector<std::string>& list, ShadowSeen seen, std::string_view of_one,
                         std::string_view of_many = {}) {
        const std::uint64_t count = route.of(seen);
        const bool one = count == 1 || of_many.empty();
        if (count > 0) list.push_back(counted(count, one ? of_one : of_many));
    };
    add(spared, replay, "repeat after the answer", "repeats after the answer");
    add(spared, in_flight, "copy while the first ran", "copies while the first ran");
    add(spared, natural, "equal request without a key", "equal requests without a key");
    add(refused, uncertain, "repeat of what nobody knows the outcome of (409)",
        "repeats of what nobody knows the outcome of (409)");
    add(refused, mismatch, "other request under a known key (422)",
        "other requests under a known key (422)");
    add(refused, key_missing, "without the key (400)");
    add(refused, key_invalid, "with a malformed key (400)");
    add(refused, caller_unknown, "whose caller is not known (401)");
    const std::uint64_t total = route.total();
    if (total == 0) return "No request has come yet.";
    const std::string requests = counted(total, total == 1 ? "request" : "requests");
    if (spared.empty() && refused.empty())
        return fmt::format("Protecting it would have changed nothing for {}.", requests);
    std::string text = fmt::format("Of {}, protecting it would have ", requests);
    if (!spared.empty())
        text += fmt::format("kept from running again: {}", fmt::join(spared, ", "));
    if (!spared.empty() && !refused.empty()) text += "; ";
    if (!refused.empty()) text += fmt::format("refused: {}", fmt::join(refused, ", "));
    return text + ".";
}

}  // namespace pawl::gateway
