// SPDX-License-Identifier: Apache-2.0
// Where an event leads whose stock, or whose slot, is not to be had: to no state that an entity is in only when it has
// it, and from there on to none without taking it. Else goods are shipped that are not there.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/graph.hpp"

namespace pawl::flow {
namespace {

// What is taken: stock or a slot.
struct Thing {
    std::string_view name;  // in a sentence
    std::string_view branch;
    std::string_view remedy;
    bool (*takes)(const Transition&);
    const std::optional<Branch>& (*branch_of)(const Transition&);
};

bool takes_stock(const Transition& way) {
    return way.stock == stock::Action::reserve || way.stock == stock::Action::confirm;
}
bool takes_slot(const Transition& way) { return way.exclusive.has_value(); }
const std::optional<Branch>& short_of(const Transition& way) { return way.short_of; }
const std::optional<Branch>& taken(const Transition& way) { return way.taken; }

constexpr Thing kThings[] = {{"stock", "short", "stock: confirm", takes_stock, short_of},
                             {"slot", "taken", "exclusive", takes_slot, taken}};

bool undoes(const Definition& flow, const std::string& saga) {
    if (saga.empty()) return false;
    for (const StateRule& state : flow.states)
        for (const Late& late : state.late)
            if (late.saga == saga) return true;
    return std::ranges::any_of(flow.events, [&](const EventRule& event) {
        return std::ranges::any_of(event.transitions, [&](const Transition& one) {
            return (one.short_of && one.short_of->saga == saga) ||
                   (one.taken && one.taken->saga == saga);
        });
    });
}

// The states of a flow in which an entity has the thing, whichever way it came there.
class Having {
  public:
    Having(const Definition& flow, const Graph& graph, const Thing& thing)
        : flow_(flow), graph_(graph), thing_(thing), states_(flow.states.size(), Is::never) {
        const std::size_t initial = graph.index_of(flow.initial);
        if (initial == Graph::kNone) return;
        states_[initial] = after(flow.create.transitions.front(), Is::without, initial);
        while (grow()) {
        }
    }

    bool operator[](std::size_t state) const { return states_[state] == Is::with; }

  private:
    enum class Is : std::uint8_t { never, with, without };

    bool grow() {
        bool changed = false;
        for (const EventRule& event : flow_.events)
            for (const Transition& way : event.transitions)
                for (const std::string& from : way.from) {
                    const std::size_t source = graph_.index_of(from);
                    const std::size_t target = way.to == kSame ? source : graph_.index_of(way.to);
                    if (source == Graph::kNone || target == Graph::kNone) continue;
                    if (states_[source] == Is::never || states_[target] == Is::without) continue;
                    const Is is = after(way, states_[source], target);
                    changed = changed || is != states_[target];
                    states_[target] = is;
                }
        return changed;
    }
    Is after(const Transition& way, Is before, std::size_t target) const {
        if (thing_.takes(way)) return is_kept(target) ? Is::with : Is::without;
        const bool gives_back = way.stock == stock::Action::release ||
                                way.stock == stock::Action::return_sold || undoes(flow_, way.saga);
        return gives_back || !is_kept(target) ? Is::without : before;
    }
    // A slot is free again in every other state.
    bool is_kept(std::size_t state) const {
        if (thing_.takes != takes_slot) return true;
        bool kept = false;
        each_transition(flow_, [&](const EventRule&, const Transition& way, const std::string&) {
            kept =
                kept || (way.exclusive && holds(way.exclusive->while_in, flow_.states[state].name));
        });
        return kept;
    }

    const Definition& flow_;
    const Graph& graph_;
    const Thing& thing_;
    std::vector<Is> states_;
};

class Branches {
  public:
    Branches(Findings& found, const Thing& thing)
        : found_(found),
          flow_(found.definition()),
          graph_(flow_),
          thing_(thing),
          having_(flow_, graph_, thing_) {}

    void check(const EventRule& event, const Transition& way, const std::string& path) {
        const std::optional<Branch>& branch = thing_.branch_of(way);
        const std::size_t start = branch ? graph_.index_of(branch->to) : Graph::kNone;
        if (start == Graph::kNone || !thing_.takes(way)) return;
        const bool stays = way.to == kSame && holds(way.from, branch->to);
        if (stays || way.to == branch->to)
            found_.error(place(path),
                         fmt::format("`{}` leads to `{}` with its {} and without: nothing tells "
                                     "them apart there",
                                     event.name, branch->to, thing_.name),
                         remedy());
        else if (having_[start])
            found_.error(place(path),
                         fmt::format("`{}` has its {} wherever it came from, and `{}` leads there "
                                     "without",
                                     branch->to, thing_.name, event.name),
                         remedy());
        else
            follow(event, start, place(path));
    }

  private:
    // What leads on from there, and takes nothing.
    void follow(const EventRule& event, std::size_t start, const std::string& path) {
        StateSet seen(flow_.states.size(), false);
        std::vector<std::size_t> next{start};
        while (!next.empty()) {
            const std::size_t at = next.back();
            next.pop_back();
            if (seen[at]) continue;
            seen[at] = true;
            for (const EventRule& one : flow_.events)
                for (const Transition& way : one.transitions) {
                    const std::size_t to = graph_.index_of(way.to);
                    if (to == Graph::kNone || thing_.takes(way) ||
                        !holds(way.from, flow_.states[at].name))
                        continue;
                    if (having_[to]) return leads_on(event, one, {at, to}, path);
                    next.push_back(to);
                }
        }
    }
    void leads_on(const EventRule& event, const EventRule& next,
                  std::pair<std::size_t, std::size_t> way, const std::string& path) {
        const std::string& from = flow_.states[way.first].name;
        const std::string& to = flow_.states[way.second].name;
        found_.error(path,
                     fmt::format("after a `{}` without its {}, `{}` leads from `{}` to `{}`, as if "
                                 "it had it",
                                 event.name, thing_.name, next.name, from, to),
                     fmt::format("write `{}` at `{}`, or take `{}` out of its `from`",
                                 thing_.remedy, path_of(next), from));
    }
    std::string place(const std::string& path) const {
        return fmt::format("{}.{}.to", path, thing_.branch);
    }
    std::string remedy() const {
        return fmt::format("name a state of its own for what has no {}", thing_.name);
    }

    Findings& found_;
    const Definition& flow_;
    Graph graph_;
    const Thing& thing_;
    Having having_;
};

}  // namespace

void check_branches(Findings& found) {
    for (const Thing& thing : kThings) {
        Branches branches(found, thing);
        each_transition(found.definition(), [&](const EventRule& event, const Transition& way,
                                                const std::string& path) {
            if (event.name != "create") branches.check(event, way, path);
        });
    }
}

}  // namespace pawl::flow
