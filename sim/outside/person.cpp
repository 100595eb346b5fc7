// SPDX-License-Identifier: Apache-2.0
#include "sim/outside/person.hpp"

#include "core/key/identity.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

void Person::come() {
    if (Node* node = fleet_.some(chance_))
        node->visit([this](const store::Stored& stored) { return decide(stored); });
    world_.after(chance_.between(500ms, 5'000ms), [this] { come(); });
}

// Meanwhile the record may have moved on.
void Person::say_later(record::Settle word) {
    world_.after(chance_.between(1'000ms, 15'000ms), [this, kept = std::move(word)] {
        if (Node* node = fleet_.some(chance_)) node->say(kept);
    });
}

std::optional<record::Settle> Person::decide(const store::Stored& stored) {
    const record::Row& row = stored.row;
    if (row.state == record::State::in_progress || chance_.hit(200)) return std::nullopt;
    record::Settle word;
    word.identity = row.identity;
    word.fence = row.fence;
    word.source = record::Source::person;
    word.looked_ms = stored.now_ms;
    if (upstream_.took_effect(key::derived_key(row.identity, row.stamp ? row.stamp->canonical : ""),
                              row.fence))
        word.basis = record::Basis::seen;
    else {
        // The worst that a person can do: override while the owner is about to hear from the upstream.
        const bool owner_lives = std::ranges::any_of(
            fleet_.nodes(), [&row](const auto& node) { return node->boot() == row.owner.boot; });
        const bool worst = owner_lives && row.owner_gone_ms == 0 && dose_.person_forces > 0;
        const std::uint32_t forces = worst ? 600 : dose_.person_forces;
        word.basis = chance_.hit(forces) ? record::Basis::forced : record::Basis::quiet;
    }
    if (!chance_.hit(300)) return word;
    say_later(std::move(word));
    return std::nullopt;
}

}  // namespace pawl::sim
