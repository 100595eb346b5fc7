// SPDX-License-Identifier: Apache-2.0
// Out of every state that is not final leads an event that somebody can send.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/findings.hpp"
#include "core/flow/places.hpp"

namespace pawl::flow {
namespace {

bool leaves(const EventRule& event, const std::string& state) {
    return std::ranges::any_of(event.transitions, [&](const Transition& one) {
        const bool moves = one.to != kSame || one.short_of || one.taken;
        return moves && holds(one.from, state);
    });
}

// Asked before another event, it tells this one where it finds it.
bool is_probed(const Definition& flow, const EventRule& event, const std::string& state) {
    return std::ranges::any_of(flow.events, [&](const EventRule& other) {
        return std::ranges::any_of(other.transitions, [&](const Transition& one) {
            const auto probe = std::ranges::find(flow.probes, one.before, &Probe::name);
            return probe != flow.probes.end() && probe->event == event.name &&
                   holds(one.from, state);
        });
    });
}

struct Unsent {
    std::string why;
    std::string remedy;
};

class Exits {
  public:
    explicit Exits(const Definition& flow) : flow_(flow), places_(places_of(flow)) {}

    // nullopt: somebody can send it there.
    std::optional<Unsent> unsent(const EventRule& event, std::size_t at) const {
        const std::string& state = flow_.states[at].name;
        const bool by_callers =
            std::ranges::any_of(event.allow, [](const auto& who) { return who != "callback"; });
        if (by_callers) return std::nullopt;
        if (event.external) {
            if (flow_.correlate || is_probed(flow_, event, state)) return std::nullopt;
            return Unsent{"notifications tell it, and none finds its entity",
                          "write `correlate: { callback: out_trade_no, field: business_key }`"};
        }
        if (!is_for_deadlines_only(event, places_)) return std::nullopt;
        const Place* ended = nullptr;
        for (const Place& place : places_) {
            if (place.rule->event != event.name) continue;
            if (place.surely_runs(at)) return std::nullopt;
            if (place.runs[at]) ended = &place;
        }
        std::string remedy = fmt::format("write `{}: {{ deadline: {{ after: 1h, event: {} }} }}`",
                                         state, event.name);
        if (ended == nullptr)
            return Unsent{"deadlines send it, and none runs there", std::move(remedy)};
        return Unsent{
            fmt::format("deadlines send it, and `{}` may have ended before", ended->rule->name),
            std::move(remedy)};
    }

  private:
    const Definition& flow_;
    std::vector<Place> places_;
};

void check_state(Findings& found, const Exits& exits, std::size_t at) {
    const Definition& flow = found.definition();
    const StateRule& state = flow.states[at];
    Names names;
    std::optional<Unsent> first;
    const EventRule* event = nullptr;
    for (const EventRule& one : flow.events) {
        if (!leaves(one, state.name)) continue;
        const auto unsent = exits.unsent(one, at);
        if (!unsent) return;
        names.push_back(one.name);
        if (first) continue;
        first = unsent;
        event = &one;
    }
    if (!first || state.final) return;
    const bool alone = names.size() == 1;
    found.error(fmt::format("states.{}", state.name),
                alone
                    ? fmt::format("only `{}` leaves `{}`; {}", event->name, state.name, first->why)
                    : fmt::format("only `{}` leave `{}`, and nobody can send them: of `{}`, {}",
                                  fmt::join(names, "`, `"), state.name, event->name, first->why),
                fmt::format("{}, or `allow: [anyone]` at `{}`", first->remedy, path_of(*event)));
}

}  // namespace

void check_exits(Findings& found) {
    const Exits exits(found.definition());
    for (std::size_t i = 0; i < found.definition().states.size(); ++i) check_state(found, exits, i);
}

}  // namespace pawl::flow
