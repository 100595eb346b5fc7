// SPDX-License-Identifier: Apache-2.0
#include "core/flow/machine.hpp"

#include <algorithm>

#include "core/flow/check.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::flow {
namespace {

template <class List>
auto find_named(const List& list, std::string_view name) -> decltype(list.data()) {
    for (const auto& one : list)
        if (one.name == name) return &one;
    return nullptr;
}

}  // namespace

std::expected<Machine, std::vector<Finding>> Machine::compile(Definition definition) {
    std::vector<Finding> found = check(definition);
    const auto is_error = [](const Finding& one) {
        return one.severity == policy::Severity::error;
    };
    if (std::ranges::any_of(found, is_error)) return std::unexpected(std::move(found));
    return Machine(std::move(definition));
}

Machine::Machine(Definition definition)
    : definition_(std::make_shared<const Definition>(std::move(definition))) {
    const Graph graph(*definition_);
    for (std::size_t i = 0; i < definition_->states.size(); ++i) {
        std::vector<Answer>& row = answers_.emplace_back();
        for (const EventRule& event : definition_->events)
            row.push_back(answer_of(*definition_, graph, i, event));
    }
}

const EventRule* Machine::event(std::string_view name) const {
    return name == definition_->create.name ? &definition_->create
                                            : find_named(definition_->events, name);
}
const StateRule* Machine::state(std::string_view name) const {
    return find_named(definition_->states, name);
}
const SagaRule* Machine::saga(std::string_view name) const {
    return find_named(definition_->sagas, name);
}
const Probe* Machine::probe(std::string_view name) const {
    return find_named(definition_->probes, name);
}

bool Machine::is_of_a_deadline(const EventRule& event) const {
    return std::ranges::any_of(definition_->states,
                               [&](const StateRule& state) {
                                   return state.deadline && state.deadline->event == event.name;
                               }) ||
           std::ranges::any_of(definition_->deadlines, [&](const FlowDeadline& deadline) {
               return deadline.rule.event == event.name;
           });
}

const Answer& Machine::answer(std::string_view state, const EventRule& event) const {
    const StateRule* at = this->state(state);
    const EventRule* what = find_named(definition_->events, event.name);
    PAWL_ASSERT(at != nullptr && what != nullptr);
    return answers_[static_cast<std::size_t>(at - definition_->states.data())]
                   [static_cast<std::size_t>(what - definition_->events.data())];
}

}  // namespace pawl::flow
