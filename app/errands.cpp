// SPDX-License-Identifier: Apache-2.0
#include "app/errands.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gateway/routes.hpp"
#include "stream/file_sink.hpp"
#include "stream/webhook_sink.hpp"
#include "surface/config/read_sinks.hpp"

namespace pawl::app {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds kWatchEvery = 5s;
constexpr std::chrono::milliseconds kLateAfter = 1min;

}  // namespace

Errands::Errands(std::unique_ptr<SystemLoop> system, std::unique_ptr<store::FlowStore> flows,
                 Report& report)
    : system_(std::move(system)),
      loop_(system_->loop()),
      flows_(std::move(flows)),
      report_(report),
      upstreams_(loop_),
      asker_(upstreams_),
      runner_(
          loop_, *flows_, *flows_, asker_, saga_figures_,
          [this](const store::SagaRow& row) {
              report_.error(fmt::format(
                  "{} of {} {} needs a person: {}; `pawl saga retry {}` or `pawl saga skip {}`",
                  row.start.name, row.subject.flow, row.subject.id, row.said, row.number,
                  row.number));
          },
          {},
          [this](const store::SagaRow& row) {
              report_.warn(fmt::format(
                  "{} of {} {} failed and is tried again: {}; `pawl saga list` shows saga {}",
                  row.start.name, row.subject.flow, row.subject.id, row.said, row.number));
          }),
      leaving_(loop_),
      group_(loop_) {}

Status Errands::build(const config::Config& config) {
    std::vector<stream::SinkPlan> plans;
    for (const auto& [name, setting] : config.sinks) {
        stream::SinkPlan plan;
        plan.setup = {name, setting.flows, setting.types, setting.from_the_beginning, {}};
        plan.setup.limits.tries_max = static_cast<std::uint32_t>(setting.tries);
        if (!setting.webhook) {
            plan.sink = std::make_unique<stream::FileSink>(setting.file);
        } else {
            auto secrets = config::signing_secrets_of(name, *setting.webhook);
            if (!secrets) return fail(std::move(secrets.error()));
            plan.sink = std::make_unique<stream::WebhookSink>(
                loop_, asker_,
                stream::WebhookSetup{gateway::target_of(setting.webhook->upstream),
                                     setting.webhook->path, *std::move(secrets),
                                     setting.webhook->parallel, setting.webhook->timeout});
        }
        plans.push_back(std::move(plan));
    }
    relays_ = std::make_unique<stream::Relays>(loop_, *flows_, std::move(plans));
    return {};
}

api::ErrandDesk Errands::desk(Loop& here, store::FlowStore& own) {
    return {here,
            own,
            own,
            own,
            *relays_,
            runner_,
            [this](const std::string& line) { report_.info(line); }};
}

// Sagas begin rarely; their runner looks every second.
void Errands::hint_from_anywhere() { relays_->hint_from_anywhere(); }

Task<void> Errands::begin(std::shared_ptr<const engine::Machines> machines,
                          std::shared_ptr<const engine::Services> services) {
    runner_.reload(std::move(machines), std::move(services));
    group_.spawn(runner_.run());
    group_.spawn(relays_->run());
    group_.spawn(watch());
    co_return;
}

Task<void> Errands::reload(std::shared_ptr<const engine::Machines> machines,
                           std::shared_ptr<const engine::Services> services) {
    runner_.reload(std::move(machines), std::move(services));
    co_return;
}

Task<bool> Errands::drain(MonotonicTime deadline) {
    if (!leaving_.is_set()) leaving_.set(true);
    runner_.stop();
    relays_->stop();
    const bool ended = co_await group_.drain(deadline);
    upstreams_.close_idle();
    co_return ended;
}

// Events are kept for a sink until somebody says that it is no more.
Task<void> Errands::tell_of_removed_sinks() {
    const auto known = co_await flows_->sinks();
    if (!known) co_return;
    const std::vector<std::string> served = relays_->names();
    for (const std::string& name : *known) {
        if (std::ranges::find(served, name) != served.end()) continue;
        const auto figures = co_await flows_->outbox_figures(name);
        if (!figures) continue;
        const std::uint64_t kept = figures->unsent + figures->parked;
        report_.warn(fmt::format(
            "sink {} is not configured any more: {}{} events are kept for it, and entities with "
            "them. Put it back, or give them up with `pawl outbox drop {}`",
            name, figures->unsent >= store::kUnsentCountedMax ? "more than " : "", kept, name));
    }
}

Task<void> Errands::watch() {
    co_await tell_of_removed_sinks();
    while (!co_await leaving_.wait(loop_.now() + kWatchEvery))
        for (const std::string& name : relays_->names()) co_await watch_sink(name);
}

// What an operator should hear of without looking, once each.
Task<void> Errands::watch_sink(std::string name) {
    const std::uint64_t parked = relays_->figures(name).parked.value();
    if (parked > std::exchange(parked_[name], parked))
        report_.warn(
            fmt::format("sink {}: events are parked; `pawl outbox list` shows which", name));
    const auto figures = co_await flows_->outbox_figures(name);
    if (!figures) co_return;
    const bool late = figures->oldest_age_ms() > kLateAfter.count();
    if (late == std::exchange(is_late_[name], late)) co_return;
    const stream::Standing standing = relays_->find(name)->standing();
    if (late)
        report_.warn(fmt::format("sink {} is behind: its oldest event is older than a minute{}{}",
                                 name, standing.said.empty() ? "" : ": ", standing.said));
    else
        report_.info(fmt::format("sink {} has caught up", name));
}

}  // namespace pawl::app
