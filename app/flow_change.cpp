// SPDX-License-Identifier: Apache-2.0
#include "app/flow_change.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/graph.hpp"

namespace pawl::app {
namespace {

constexpr std::size_t kPage = 500;

// From these states what is reserved can still be confirmed or released.
flow::StateSet moves_stock(const flow::Definition& flow, const flow::Graph& graph) {
    flow::StateSet moves(flow.states.size(), false);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const flow::StateSet next = graph.reachable(i);
        for (const flow::EventRule& event : flow.events)
            for (const flow::Transition& one : event.transitions) {
                const bool ends =
                    one.stock == stock::Action::confirm || one.stock == stock::Action::release;
                moves[i] =
                    moves[i] || (ends && std::ranges::any_of(one.from, [&](const auto& from) {
                                     return next[graph.index_of(from)];
                                 }));
            }
    }
    return moves;
}

std::vector<std::string> stuck_between(const flow::Definition& was, const flow::Definition& is) {
    const flow::Graph before(was);
    const flow::Graph after(is);
    const flow::StateSet moved = moves_stock(was, before);
    const flow::StateSet moves = moves_stock(is, after);
    std::vector<std::string> stuck;
    for (std::size_t i = 0; i < was.states.size(); ++i) {
        const std::size_t now = after.index_of(was.states[i].name);
        if (moved[i] && now != flow::Graph::kNone && !moves[now])
            stuck.push_back(was.states[i].name);
    }
    return stuck;
}

std::vector<std::string> final_states(const flow::Definition& flow) {
    std::vector<std::string> names;
    for (const flow::StateRule& state : flow.states)
        if (state.final) names.push_back(state.name);
    return names;
}

void add_losses(const flow::Definition& was, const flow::Definition& is,
                std::vector<Loss>& losses) {
    for (const flow::StateRule& state : was.states)
        if (std::ranges::find(is.states, state.name, &flow::StateRule::name) == is.states.end())
            losses.push_back({Loss::Kind::state, was.name, state.name});
    for (const flow::Field& field : was.fields) {
        const auto now = std::ranges::find(is.fields, field.name, &flow::Field::name);
        if (now != is.fields.end() && now->type != field.type)
            losses.push_back({Loss::Kind::field, was.name, field.name, final_states(was)});
    }
    if (auto stuck = stuck_between(was, is); !stuck.empty())
        losses.push_back({Loss::Kind::stock, was.name, {}, std::move(stuck)});
}

}  // namespace

std::vector<Loss> losses_between(const engine::Machines& former, const engine::Machines& next) {
    std::vector<Loss> losses;
    for (const auto& [name, machine] : former.all())
        if (const flow::Machine* now = next.find(name))
            add_losses(machine.definition(), now->definition(), losses);
        else
            losses.push_back({Loss::Kind::flow, name});
    return losses;
}

std::string described(const Loss& loss) {
    switch (loss.kind) {
        case Loss::Kind::flow:
            return fmt::format("flow `{}` is not there any more", loss.flow);
        case Loss::Kind::state:
            return fmt::format("state `{}` of flow `{}` is not there any more", loss.name,
                               loss.flow);
        case Loss::Kind::field:
            return fmt::format("field `{}` of flow `{}` is of another type", loss.name, loss.flow);
        case Loss::Kind::stock:
            break;
    }
    return fmt::format("flow `{}` confirms and releases nothing any more that is held in `{}`",
                       loss.flow, fmt::join(loss.states, "`, `"));
}

std::string remedy_of(const Loss& loss) {
    switch (loss.kind) {
        case Loss::Kind::field:
            return "give the new one another name, or wait until those that have it have ended";
        case Loss::Kind::stock:
            return "put `items` and the stock actions back, or bring what holds stock to its end "
                   "first";
        case Loss::Kind::flow:
        case Loss::Kind::state:
            break;
    }
    return "put it back, or bring what is in it elsewhere first";
}

std::string lost_by(const flow::Entity& entity, const Loss& loss) {
    switch (loss.kind) {
        case Loss::Kind::flow:
            break;
        case Loss::Kind::state:
            if (entity.state != loss.name) return {};
            break;
        case Loss::Kind::field:
            if (!entity.fields.contains(loss.name) || flow::holds(loss.states, entity.state))
                return {};
            return fmt::format("has one and is in `{}`", entity.state);
        case Loss::Kind::stock:
            if (!flow::holds(loss.states, entity.state)) return {};
            for (const flow::HeldStock& held : entity.stock)
                if (const auto open = stock::open_of(held.reservation); open > 0)
                    return fmt::format("holds {} of `{}` in `{}`", open, held.sku.code,
                                       entity.state);
            return {};
    }
    return fmt::format("is in `{}`", entity.state);
}

Task<Result<std::string>> loser_of(store::Flows& flows, std::string tenant, Loss loss) {
    std::string after;
    for (std::size_t seen = 0; seen < kLookedAtMax;) {
        const auto page = co_await flows.page({tenant, loss.flow, after, kPage});
        if (!page) co_return fail(page.error());
        for (const flow::Entity& entity : *page)
            if (const std::string lost = lost_by(entity, loss); !lost.empty())
                co_return fmt::format("{} {} {}", loss.flow, entity.id, lost);
        if (page->size() < kPage) break;
        seen += page->size();
        after = page->back().id;
    }
    co_return std::string();
}

}  // namespace pawl::app
