// SPDX-License-Identifier: Apache-2.0
#include "surface/api/hit_rate.hpp"

namespace pawl::api {

using gateway::Seen;

void HitRate::sample(const gateway::Routes& routes, MonotonicTime now) {
    Sample sample{now, {}};
    for (std::size_t i = 0; i < routes.figures.size(); ++i) {
        const gateway::RouteFigures& figures = routes.figures[i];
        Count& count = sample.counts[routes.table.routes()[i].route.name];
        for (const Counter& counter : figures.requests) count.all += counter.value();
        count.hits += figures.requests[static_cast<std::size_t>(Seen::replay)].value() +
                      figures.requests[static_cast<std::size_t>(Seen::waited)].value();
    }
    samples_.push_back(std::move(sample));
    while (samples_.size() > 2 && now - samples_[1].at >= kWindow) samples_.pop_front();
}

std::optional<double> HitRate::of(const std::string& route) const {
    if (samples_.size() < 2) return std::nullopt;
    const auto last = samples_.back().counts.find(route);
    if (last == samples_.back().counts.end()) return std::nullopt;
    Count before;
    const auto first = samples_.front().counts.find(route);
    if (first != samples_.front().counts.end() && first->second.all <= last->second.all)
        before = first->second;
    const std::uint64_t all = last->second.all - before.all;
    if (all == 0) return std::nullopt;
    return static_cast<double>(last->second.hits - std::min(before.hits, last->second.hits)) /
           static_cast<double>(all);
}

}  // namespace pawl::api
