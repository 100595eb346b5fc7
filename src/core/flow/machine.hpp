// SPDX-License-Identifier: Apache-2.0
// A flow that runs: its definition, checked, with the answer of every state to every event worked out.
// Immutable once it serves; every loop has its own copy.
#pragma once

#include <expected>
#include <memory>
#include <string_view>
#include <vector>

#include "core/flow/answers.hpp"
#include "core/flow/definition.hpp"
#include "core/flow/finding.hpp"
#include "core/flow/scan_token.hpp"

namespace pawl::flow {

class Machine {
  public:
    // Errors: all findings of `check`, when one of them is an error.
    static std::expected<Machine, std::vector<Finding>> compile(Definition definition);

    const Definition& definition() const { return *definition_; }
    // nullptr: not declared. What is returned lives as long as any copy of the machine.
    const EventRule* event(std::string_view name) const;
    const StateRule* state(std::string_view name) const;
    const SagaRule* saga(std::string_view name) const;
    const Probe* probe(std::string_view name) const;
    // The event of some deadline: its timer may always send it, and by default nobody else.
    bool is_of_a_deadline(const EventRule& event) const;
    // Whose scans are signed, and with what; empty: nobody's are.
    const Stations& stations() const { return *stations_; }
    void know(std::shared_ptr<const Stations> stations) { stations_ = std::move(stations); }
    // Precondition: both are declared.
    const Answer& answer(std::string_view state, const EventRule& event) const;

  private:
    explicit Machine(Definition definition);

    std::shared_ptr<const Definition> definition_;  // answers point into it, and copies share it
    std::vector<std::vector<Answer>> answers_;      // by state, then by event
    std::shared_ptr<const Stations> stations_ = std::make_shared<const Stations>();
};

}  // namespace pawl::flow
