// SPDX-License-Identifier: Apache-2.0
#include "surface/api/look_up.hpp"

#include <boost/json/array.hpp>

#include "surface/api/operation_view.hpp"

namespace pawl::api {
namespace {

using By = Sought::By;
using Found = Result<std::vector<Digest>>;

Task<Found> find(store::Records& records, Sought sought) {
    if (sought.by == By::anything || sought.by == By::reference) {
        if (const auto identity = record::identity_from(sought.value))
            co_return std::vector{*identity};
        if (sought.by == By::reference)
            co_return fail(
                Code::request_invalid,
                "This is no operation reference; it begins with `op_` and has 46 characters.");
    }
    static constexpr std::array kKinds{std::pair{By::key, store::LookUp::key},
                                       std::pair{By::trace_id, store::LookUp::trace_id},
                                       std::pair{By::business_id, store::LookUp::business_id}};
    for (const auto& [by, kind] : kKinds) {
        if (sought.by != by && sought.by != By::anything) continue;
        Found found = co_await records.find(kind, sought.value, kFoundMax);
        if (!found || !found->empty()) co_return found;
    }
    co_return std::vector<Digest>{};
}

bool is_of(const record::Row& row, std::string_view caller) {
    return row.caller == record::caller_digest(row.tenant, caller) ||
           caller_tag(row.caller) == caller;
}

// A row that is gone may still have a timeline.
Task<Result<store::Stored>> read_or_absent(store::Records& records, Digest identity) {
    auto stored = co_await records.read(identity);
    if (!stored) co_return fail(std::move(stored.error()));
    if (*stored) co_return std::move(**stored);
    store::Stored absent;
    absent.row.identity = identity;
    co_return absent;
}

}  // namespace

Task<Result<boost::json::object>> explain(store::Records& records, Sought sought, WallTime now) {
    const std::string caller = sought.caller;
    const Found found = co_await find(records, std::move(sought));
    if (!found) co_return fail(found.error());
    boost::json::array shown;
    for (const Digest& identity : *found) {
        const auto stored = co_await read_or_absent(records, identity);
        if (!stored) co_return fail(stored.error());
        const auto journal = co_await records.timeline(identity);
        if (!journal) co_return fail(journal.error());
        if (stored->row.state == record::State::absent && journal->empty()) continue;
        if (!caller.empty() && !is_of(stored->row, caller)) continue;
        shown.emplace_back(operation_json(*stored, *journal, milliseconds_of(now)));
    }
    if (shown.empty())
        co_return fail(
            Code::not_found,
            caller.empty()
                ? "Nothing is recorded under this key, reference or trace id."
                : "Nothing of this caller is recorded under this key, reference or trace id.");
    co_return boost::json::object{{"records", std::move(shown)}};
}

Task<Result<boost::json::object>> list_unresolved(store::Records& records,
                                                  store::UnresolvedQuery query, WallTime now) {
    const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, kListedMax);
    query.limit = limit + 1;
    const bool uncertain_only = query.uncertain_only;
    const auto rows = co_await records.unresolved(std::move(query));
    if (!rows) co_return fail(rows.error());
    boost::json::array shown;
    for (const record::Row& row : *rows) {
        if (shown.size() == limit) break;
        boost::json::object one = summary_json(row, milliseconds_of(now));
        one["next"] = next_steps(row, milliseconds_of(now));
        shown.emplace_back(std::move(one));
    }
    const auto totals = co_await records.totals();
    if (!totals) co_return fail(totals.error());
    co_return boost::json::object{
        {"records", std::move(shown)},
        {"more", rows->size() > limit},
        {"in_all", uncertain_only ? totals->uncertain : totals->uncertain + totals->open}};
}

}  // namespace pawl::api
