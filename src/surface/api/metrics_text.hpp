// SPDX-License-Identifier: Apache-2.0
// The figures of one node in the text format of Prometheus. Labels are few: routes by name, and how requests
// came out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/parking.hpp"
#include "engine/sweeper.hpp"
#include "gateway/callbacks.hpp"
#include "gateway/home.hpp"
#include "gateway/routes.hpp"
#include "store/port/records.hpp"
#include "surface/api/hit_rate.hpp"
#include "surface/api/process_figures.hpp"

namespace pawl::api {

// What a store counts itself, where it does.
struct StoreFigures {
    const LatencyHistogram* commit_seconds = nullptr;
    const Counter* commits = nullptr;
    const Counter* calls = nullptr;  // that these commits carried
    const Gauge* stored_bytes = nullptr;
    const Counter* upkeep_failures = nullptr;
    const Gauge* damaged_rows = nullptr;
};

struct Measured {
    const gateway::Routes* routes = nullptr;
    // Of the operations of flows, by name.
    std::vector<std::pair<std::string, const gateway::RouteFigures*>> flows;
    const engine::SweepFigures* deadlines = nullptr;
    const engine::ParkingFigures* parking = nullptr;
    const HitRate* hit_rate = nullptr;
    std::vector<const gateway::HomeFigures*> homes;
    std::optional<store::Totals>
        totals;  // none: the store did not answer, and the figures are left out
    const gateway::CallbackFigures* callbacks = nullptr;
    StoreFigures store;
    ProcessFigures process;
    std::string version;
    WallTime started{};
};

std::string metrics_text(const Measured& measured);

}  // namespace pawl::api
