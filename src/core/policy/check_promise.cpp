// SPDX-License-Identifier: Apache-2.0
// What the upstream promises and what the numbers allow: how an unknown outcome ends, and whether leases,
// waits and retentions leave room for each other.
#include <fmt/format.h>

#include "core/policy/limits.hpp"
#include "core/policy/names.hpp"
#include "core/policy/profile.hpp"
#include "core/policy/read_request.hpp"
#include "core/policy/replay_headers.hpp"
#include "core/policy/route_findings.hpp"
#include "core/policy/settle_request.hpp"
#include "core/policy/units.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

std::string shown(std::chrono::milliseconds duration) { return format_duration(duration); }

void check_uncertain_ends(RouteFindings& found) {
    const Route& route = found.route();
    const bool ends = !route.uncertain.close.empty() || route.uncertain.callback ||
                      route.rerunnable() || route.declares_outcome;
    if (!ends && route.profile == Profile::strict_money)
        found.warn(
            "uncertain",
            "an unknown outcome cannot end by itself: the route has neither a closing probe, nor "
            "`upstream_remembers`, nor a `callback`, nor `declares_outcome`",
            "write `uncertain: { close: \"POST /orders/close/{operation_key}\" }` when the "
            "upstream can refuse an "
            "attempt, `upstream_remembers: 24h` when it honours the operation key, or "
            "`declares_outcome: true` "
            "when it sends Pawl-Outcome");
    if (!route.uncertain.effect_horizon && route.uncertain.close.empty())
        found.warn(
            "uncertain",
            "nobody can say `not applied`, because nothing tells how long a request may still land",
            "write `uncertain: { effect_horizon: 60s }`, the longest time from the end of an "
            "attempt to its effect");
    if (route.uncertain.effect_horizon && route.uncertain.effect_horizon->count() == 0)
        found.warn("uncertain.effect_horizon",
                   "with no effect horizon a late request can act after `not applied` was taken",
                   "write the longest time from the end of an attempt to its effect");
}

// Where money moves, a client that comes back for a refusal must find it as long as it would find a result.
void check_refused(RouteFindings& found) {
    const Route& route = found.route();
    const Retention& keep = route.retention;
    if (!keep.refused) return;
    if (*keep.refused < keep.result && route.profile == Profile::strict_money)
        found.error("retention.refused",
                    fmt::format("`strict-money` keeps a refusal ({}) as long as a result ({})",
                                shown(*keep.refused), shown(keep.result)),
                    fmt::format("write `refused: {}`, or another `profile`", shown(keep.result)));
    else if (*keep.refused < kResultRetentionMin)
        found.error(
            "retention.refused",
            fmt::format("a refusal kept for {} is gone before a retry comes", shown(*keep.refused)),
            fmt::format("write `refused: {}` or more", shown(kResultRetentionMin)));
    if (keep.key && *keep.refused > *keep.key)
        found.error("retention.refused",
                    fmt::format("the key ({}) would be forgotten before its refusal ({})",
                                shown(*keep.key), shown(*keep.refused)),
                    fmt::format("write `refused: {}` or less", shown(*keep.key)));
}

void check_retention(RouteFindings& found) {
    const Route& route = found.route();
    const Retention& keep = route.retention;
    if (keep.key && *keep.key < keep.result)
        found.error("retention.key",
                    fmt::format("the key ({}) would be forgotten before its result ({})",
                                shown(*keep.key), shown(keep.result)),
                    fmt::format("write `key: {}` or more", shown(keep.result)));
    if (keep.result < kResultRetentionMin)
        found.error(
            "retention.result",
            fmt::format("a result kept for {} is gone before a retry comes", shown(keep.result)),
            fmt::format("write `result: {}` or more", shown(kResultRetentionMin)));
    else if (keep.result < kMoneyResultRetentionAdvised && route.profile == Profile::strict_money)
        found.warn("retention.result",
                   fmt::format("after {} a retry is answered 410 instead of its result",
                               shown(keep.result)),
                   "write `result: 24h`");
    check_refused(found);
}

void check_sizes(RouteFindings& found) {
    const Route& route = found.route();
    if (route.body_bytes_max > kBodyBytesLimit)
        found.error("body_bytes_max",
                    fmt::format("{} is more than a protected request may have",
                                format_size(route.body_bytes_max)),
                    fmt::format("write at most `{}`", format_size(kBodyBytesLimit)));
    if (route.answer_bytes_max > kAnswerBytesLimit)
        found.error(
            "answer_bytes_max",
            fmt::format("{} is more than the store keeps", format_size(route.answer_bytes_max)),
            fmt::format("write at most `{}`", format_size(kAnswerBytesLimit)));
}

}  // namespace

void check_settling(RouteFindings& found) {
    const Route& route = found.route();
    for (const auto& [field, text] : {std::pair{"uncertain.probe", &route.uncertain.probe},
                                      std::pair{"uncertain.close", &route.uncertain.close}}) {
        if (text->empty()) continue;
        if (const auto request = SettleRequest::parse(*text); !request)
            found.error(field, request.error().text, "");
    }
    check_uncertain_ends(found);
    if (route.transactional &&
        (route.profile == Profile::ietf || route.profile == Profile::stripe_v1))
        found.warn("transactional",
                   fmt::format("profile {} stores every 5xx answer, rolled back or not",
                               name_of(route.profile)),
                   "remove `transactional`, or write `profile: strict-money`");
    if (route.upstream_remembers && *route.upstream_remembers <= route.hold_max)
        found.error(
            "upstream_remembers",
            fmt::format("the upstream would forget an operation ({}) while it may still run ({})",
                        shown(*route.upstream_remembers), shown(route.hold_max)),
            "write a longer `upstream_remembers` or a shorter `hold_max`");
}

void check_numbers(RouteFindings& found) {
    const Route& route = found.route();
    if (route.lease < kLeaseMin)
        found.error("lease",
                    fmt::format("a lease of {} cannot be renewed in time", shown(route.lease)),
                    fmt::format("write `lease: {}` or more", shown(kLeaseMin)));
    if (route.hold_max > kHoldLimit)
        found.error("hold_max",
                    fmt::format("{} is too long to wait for one answer", shown(route.hold_max)),
                    fmt::format("write at most `{}`", shown(kHoldLimit)));
    if (route.lease > route.hold_max)
        found.error("lease",
                    fmt::format("the lease ({}) is longer than an attempt is held ({})",
                                shown(route.lease), shown(route.hold_max)),
                    "write a shorter `lease` or a longer `hold_max`");
    if (route.wait > kWaitLimit)
        found.error("wait", fmt::format("a client would be kept waiting for {}", shown(route.wait)),
                    fmt::format("write at most `{}`; repeats are answered 409 after it",
                                shown(kWaitLimit)));
    if (route.wait > route.hold_max)
        found.error("wait",
                    fmt::format("a repeat would wait ({}) longer than an attempt is held ({})",
                                shown(route.wait), shown(route.hold_max)),
                    "write a shorter `wait` or a longer `hold_max`");
    check_retention(found);
    check_sizes(found);
}

void check_offered(RouteFindings& found) {
    const Route& route = found.route();
    if (route.strategy != Strategy::strict)
        found.error("strategy",
                    fmt::format("`{}` needs {}, which this build does not have yet",
                                name_of(route.strategy),
                                route.strategy == Strategy::eventual ? "Kafka" : "Redis"),
                    "write `strategy: strict`");
    if (profile_row(route.profile).runs_without_key && !route.key.required &&
        route.key.source != KeyRule::Source::header)
        found.error("key",
                    fmt::format("`{}` passes on what has no key, which only a header can tell",
                                name_of(route.profile)),
                    "write `key: { header: Idempotency-Key }`, or `required: true`");
    if (route.in_progress_status != 409 && profile_row(route.profile).dialect != Dialect::problem)
        found.error("in_progress_status",
                    fmt::format("clients of `{}` know 409 only", name_of(route.profile)),
                    "remove `in_progress_status`");
    else if (route.in_progress_status != 409 && route.in_progress_status != 423)
        found.error("in_progress_status",
                    fmt::format("{} does not say that the first request still runs",
                                route.in_progress_status),
                    "write 409 or 423");
    const bool usual = equal_ignoring_case(route.replay_header, Route{}.replay_header);
    const bool kept =
        !replay_headers({{route.replay_header, "true"}}, route.replay_headers).empty();
    if (!usual &&
        (kept || !is_field_name(route.replay_header) || never_stored(route.replay_header)))
        found.error("replay_header",
                    fmt::format("`{}` cannot be the header of a replay", route.replay_header),
                    "write `Idempotent-Replayed` or `Idempotency-Replayed`");
}

void check_repeats(RouteFindings& found) {
    const Route& route = found.route();
    if (route.on_repeat != OnRepeat::current) return;
    const auto request = ReadRequest::parse(route.read, route.path);
    if (!request) {
        found.error("on_repeat.current", request.error().text, "");
        return;
    }
    const bool has_key = route.key.required && (route.key.source == KeyRule::Source::header ||
                                                route.key.source == KeyRule::Source::json);
    if (request->needs_key() && !has_key)
        found.error("on_repeat.current", "`{key}` is not known of every request of this route",
                    "write `key: { header: Idempotency-Key, required: true }`, or read by "
                    "`{location}`");
}

}  // namespace pawl::policy
