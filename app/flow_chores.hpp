// SPDX-License-Identifier: Apache-2.0
// What there is once of all flows, on the first loop: due deadlines are fired, facts that wait are sent again,
// and what has ended long ago is taken away.
#pragma once

#include "app/flow_states.hpp"
#include "app/flow_station.hpp"
#include "app/report.hpp"
#include "engine/fact_figures.hpp"
#include "engine/parking.hpp"
#include "engine/sweeper.hpp"
#include "store/port/damage.hpp"

namespace pawl::app {

class FlowChores final : public engine::Observer, public engine::NotificationWatch {
  public:
    // `first`: of the first loop. Both outlive it.
    FlowChores(Loop& loop, Report& report) : loop_(loop), report_(report) {}

    // From any loop.
    void decided(const engine::Sent& sent, const engine::Outcome& outcome) override;
    void contended(const store::FlowSubject& subject) override;
    void unsound(const store::FlowSubject& subject) override;
    void paced(const timer::Plan& plan) override;
    void heard(const engine::HeardNotification& one) override;
    // A deadline runs that is due then. Unit: store time, by which `loop` is told apart from those of others.
    void hint(Loop& from, std::int64_t next_due_ms);

    // Before anything is decided. Called from any loop after a commit that sinks may want to hear of.
    void tell_of_commits(std::function<void()> told) { committed_ = std::move(told); }
    // On the first loop, after its station is open.
    void start(FlowStation& first, std::optional<std::chrono::milliseconds> finished);
    const engine::SweepFigures* sweep_figures() const {
        return sweeper_ ? &sweeper_->figures() : nullptr;
    }
    const engine::ParkingFigures* parking_figures() const {
        return parking_ ? &parking_->figures() : nullptr;
    }
    const engine::FactFigures& fact_figures() const { return facts_; }
    // One step of what is taken away; true: there is more.
    Task<bool> retire();
    // Looks through all entities for states that are gone; `rest` as find_stranded has it.
    Task<void> tell_of_states(std::shared_ptr<const engine::Machines> machines,
                              std::function<Task<bool>()> rest);
    void tell_of_damage(const std::vector<store::DamagedRow>& rows);
    Task<bool> end(MonotonicTime deadline);

  private:
    Loop& loop_;
    Report& report_;
    engine::FactFigures facts_;
    std::function<void()> committed_;
    FlowStation* first_ = nullptr;
    std::optional<std::chrono::milliseconds> finished_;
    std::unique_ptr<engine::Sweeper> sweeper_;
    std::unique_ptr<engine::Parking> parking_;
};

}  // namespace pawl::app
