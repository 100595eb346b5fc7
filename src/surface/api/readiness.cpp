// SPDX-License-Identifier: Apache-2.0
#include "surface/api/readiness.hpp"

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "runtime/task/within.hpp"

namespace pawl::api {

// Asks the writer, not a reader: a probe passes through its queue.
Task<Readiness> readiness(ReadinessParts parts, bool leaving) {
    Readiness found;
    if (leaving) found.reasons.emplace_back("this node is shutting down");
    std::int64_t settling = 0;
    for (const gateway::HomeFigures* home : parts.homes) settling += home->settling.value();
    if (settling > 0)
        found.reasons.push_back(fmt::format(
            "{} finished operations wait for the store to take their result", settling));
    const auto reply = co_await within(parts.loop, parts.group, parts.loop.now() + kStorePatience,
                                       parts.records.probe());
    if (!reply)
        found.reasons.emplace_back("the store has not answered for a second");
    else if (!*reply)
        found.reasons.push_back(fmt::format("the store refuses: {}", reply->error().text));
    co_return found;
}

boost::json::object readiness_json(const Readiness& readiness) {
    boost::json::array reasons;
    for (const std::string& reason : readiness.reasons) reasons.emplace_back(reason);
    return {{"ready", readiness.ready()}, {"reasons", std::move(reasons)}};
}

}  // namespace pawl::api
