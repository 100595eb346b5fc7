// SPDX-License-Identifier: Apache-2.0
// Versions of one operation (rulings 1). Replacing a result is a second effect on purpose: the upstream has to
// expect it, and what it orders has to be one key.
#include <fmt/format.h>

#include "core/policy/compiled_route.hpp"
#include "core/policy/replay_headers.hpp"
#include "core/policy/route_findings.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

constexpr std::string_view kCarrier = "Pawl-Version";

void check_carrier(RouteFindings& found) {
    const Route& route = found.route();
    if (route.version.source == VersionRule::Source::json) {
        const auto path = key::parse_json_path(route.version.json_path);
        if (!path)
            found.error("version.json", path.error().text, "write a path such as `$.revision`");
        else if (path->steps.empty())
            found.error("version.json", "`$` is the whole body",
                        "name the member that says the version");
        return;
    }
    const std::string& name = route.version.header;
    const bool of_pawl = name.size() >= 5 && equal_ignoring_case(name.substr(0, 5), "pawl-");
    if (!is_field_name(name))
        found.error("version.header", fmt::format("`{}` is not the name of a header", name),
                    fmt::format("write `{}`", kCarrier));
    else if (of_pawl && !equal_ignoring_case(name, kCarrier))
        found.error("version.header", fmt::format("`{}` says something else", name),
                    fmt::format("write `{}`, or a header of your own", kCarrier));
    const bool by_key_header =
        route.key.source == KeyRule::Source::header && equal_ignoring_case(name, route.key.header);
    const bool by_caller_header = route.caller.source == CallerRule::Source::header &&
                                  equal_ignoring_case(name, route.caller.name);
    if (by_key_header || by_caller_header)
        found.error(
            "version.header",
            fmt::format("`{}` carries the {} already", name, by_key_header ? "key" : "caller"),
            fmt::format("write `{}`", kCarrier));
}

// A correction has to find the operation that it corrects: its key may hold nothing that it changes.
bool changes_with_the_version(const KeyPart& part, const Route& route) {
    if (part.kind == KeyPart::Kind::body) return true;
    if (part.kind == KeyPart::Kind::json) return part.json.text == route.version.json_path;
    return part.kind == KeyPart::Kind::header &&
           route.version.source == VersionRule::Source::header &&
           equal_ignoring_case(part.header, route.version.header);
}

}  // namespace

void check_version(RouteFindings& found) {
    const Route& route = found.route();
    if (!route.has_versions()) return;
    if (!route.rerunnable())
        found.error(
            "version",
            "a newer version runs the operation again, which is a second effect where the "
            "upstream does not promise to tell operations apart",
            "write `upstream_remembers: 400d` where it honours the operation key and lets a "
            "higher `Pawl-Version` replace a lower one, or remove `version`");
    check_carrier(found);
    const bool named =
        route.key.source == KeyRule::Source::header || route.key.source == KeyRule::Source::json;
    const bool always =
        named ? route.key.required
              : route.key.source == KeyRule::Source::derived && route.key.window.count() == 0;
    if (!always)
        found.error("version", "versions are of one key, and requests here may have none",
                    "write `key: { header: Idempotency-Key, required: true }`");
    if (route.key.source != KeyRule::Source::derived) return;
    for (const std::string& text : route.key.derive)
        if (const auto part = parse_key_part(text); part && changes_with_the_version(*part, route))
            found.error("version",
                        fmt::format("`{}` is part of the key and changes with the version, so no "
                                    "correction would find its operation",
                                    text),
                        "derive the key from what all versions share");
}

}  // namespace pawl::policy
