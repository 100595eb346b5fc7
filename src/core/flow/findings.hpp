// SPDX-License-Identifier: Apache-2.0
// Collects what is found about one flow and knows what it declares. The rules are one function per subject;
// a name that is not declared is found once, by `check_references`, and left out by the others.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/flow/definition.hpp"
#include "core/flow/finding.hpp"

namespace pawl::flow {

class Findings {
  public:
    explicit Findings(const Definition& definition) : definition_(definition) {}

    void error(std::string path, std::string what, std::string remedy) {
        found_.push_back(
            {policy::Severity::error, std::move(path), std::move(what), std::move(remedy)});
    }
    void warn(std::string path, std::string what, std::string remedy) {
        found_.push_back(
            {policy::Severity::warning, std::move(path), std::move(what), std::move(remedy)});
    }
    const Definition& definition() const { return definition_; }
    bool has_errors() const {
        return std::ranges::any_of(
            found_, [](const Finding& one) { return one.severity == policy::Severity::error; });
    }
    std::vector<Finding> take() { return std::move(found_); }

  private:
    const Definition& definition_;  // outlives it
    std::vector<Finding> found_;
};

// Every transition with its path: "events.pay" of a single one, "events.cancel.transitions[1]" of several,
// "create".
using Visit = std::function<void(const EventRule&, const Transition&, const std::string& path)>;
void each_transition(const Definition& definition, const Visit& visit);
std::string path_of(const EventRule& event);
// nullptr: it is not declared.
const EventRule* event_named(const Definition& definition, const std::string& name);

// The type of a field that an event may carry, or that its entity has; nullopt: not declared.
std::optional<FieldType> type_of(const Definition& definition, const EventRule& event,
                                 std::string_view field);

void check_names(Findings& found);
void check_references(Findings& found);
void check_guards(Findings& found);
void check_answers(Findings& found);
void check_graph(Findings& found);
void check_deadlines(Findings& found);
void check_timers(Findings& found);
void check_caps(Findings& found);
void check_exits(Findings& found);
void check_stock(Findings& found);
void check_branches(Findings& found);
void check_payments(Findings& found);
void check_saga_keys(Findings& found);
void check_calls(Findings& found);
void check_probes(Findings& found);
void check_tokens(Findings& found);
void check_reversed(Findings& found);  // what they name
void check_money(Findings& found);

}  // namespace pawl::flow
