// SPDX-License-Identifier: Apache-2.0
// Each row: one change to a route that has no finding, and the whole of what is then said (rulings 1).
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/policy/check.hpp"

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

Route good() {
    Route route;
    route.name = "create-order";
    route.method = "POST";
    route.path = "/orders";
    route.upstream = {"127.0.0.1", 3000, false, false};
    route.key.source = KeyRule::Source::header;
    route.caller = {CallerRule::Source::header, "X-User"};
    route.uncertain.close = "POST /orders/close/{operation_key}";
    route.line = 7;
    route.column = 5;
    return route;
}

std::vector<std::string> said(const std::vector<Finding>& findings) {
    std::vector<std::string> lines;
    for (const Finding& one : findings)
        lines.push_back((one.severity == Severity::error ? "error: " : "warning: ") + one.what);
    return lines;
}

struct Row {
    std::string name;
    std::function<void(Route&)> change;
    std::string said;  // the beginning of the one finding
};

void version_by(Route& r, std::string header) {
    r.upstream_remembers = 24h;
    r.version = {VersionRule::Source::header, std::move(header), ""};
}

std::vector<Row> version_rows() {
    return {
        {"version_not_rerunnable",
         [](Route& r) { r.version = {VersionRule::Source::header, "Pawl-Version", ""}; },
         "error: a newer version runs the operation again, which is a second effect"},
        {"version_blank", [](Route& r) { version_by(r, "a b"); },
         "error: `a b` is not the name of a header"},
        {"version_of_pawl", [](Route& r) { version_by(r, "pawl-fence"); },
         "error: `pawl-fence` says something else"},
        {"version_is_key", [](Route& r) { version_by(r, "idempotency-key"); },
         "error: `idempotency-key` carries the key already"},
        {"version_is_caller", [](Route& r) { version_by(r, "x-user"); },
         "error: `x-user` carries the caller already"},
        {"version_path",
         [](Route& r) {
             r.upstream_remembers = 24h;
             r.version = {VersionRule::Source::json, "", "revision"};
         },
         "error: "},
        {"version_whole_body",
         [](Route& r) {
             r.upstream_remembers = 24h;
             r.version = {VersionRule::Source::json, "", "$"};
         },
         "error: `$` is the whole body"},
        {"version_without_key",
         [](Route& r) {
             r.profile = Profile::ietf;
             r.key.required = false;
             version_by(r, "Pawl-Version");
         },
         "error: versions are of one key"},
        {"version_of_guard",
         [](Route& r) {
             r.key = {.source = KeyRule::Source::derived, .derive = {"$.id"}, .window = 3s};
             version_by(r, "Pawl-Version");
         },
         "error: versions are of one key"},
        {"version_in_body_in_key",
         [](Route& r) {
             r.key = {
                 .source = KeyRule::Source::derived, .derive = {"$.id", "$.rev"}, .window = 0ms};
             r.upstream_remembers = 24h;
             r.version = {VersionRule::Source::json, "", "$.rev"};
         },
         "error: `$.rev` is part of the key and changes with the version"},
        {"version_and_body_in_key",
         [](Route& r) {
             r.key = {
                 .source = KeyRule::Source::derived, .derive = {"$.id", "body"}, .window = 0ms};
             version_by(r, "Pawl-Version");
         },
         "error: `body` is part of the key and changes"},
        {"version_header_in_key",
         [](Route& r) {
             r.key = {.source = KeyRule::Source::derived,
                      .derive = {"$.id", "header:x-rev"},
                      .window = 0ms};
             version_by(r, "X-Rev");
         },
         "error: `header:x-rev` is part of the key and changes"},
    };
}

TEST(CheckVersion, EachMistakeIsFoundAlone) {
    for (const Row& row : version_rows()) {
        Route route = good();
        row.change(route);
        EXPECT_THAT(said(check_routes({route})), ElementsAre(StartsWith(row.said))) << row.name;
    }
}

TEST(CheckVersion, AVersionedRouteWhoseUpstreamRemembersHasNoFinding) {
    Route route = good();
    version_by(route, "Pawl-Version");
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    version_by(route, "X-Order-Revision");
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    route.key = {.source = KeyRule::Source::derived, .derive = {"caller", "$.id"}, .window = 0ms};
    route.version = {VersionRule::Source::json, "", "$.revision"};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
}

}  // namespace
}  // namespace pawl::policy
