// SPDX-License-Identifier: Apache-2.0
// Versions of one operation (rulings 1).
#include "core/policy/check_fixture.hpp"

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

void version_by(Route& r, std::string header) {
    r.upstream_remembers = 24h;
    r.version = {VersionRule::Source::header, std::move(header), ""};
}

std::vector<Mistake> version_rows() {
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

INSTANTIATE_TEST_SUITE_P(Versions, CheckFinds, testing::ValuesIn(version_rows()), name_of_mistake);

TEST(CheckVersion, AVersionedRouteWhoseUpstreamRemembersHasNoFinding) {
    Route route = good_route();
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
