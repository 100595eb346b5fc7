// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/commands.hpp"
#include "surface/cli/api_key.hpp"

#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>
#include <boost/json.hpp>

#include "net/http/problem.hpp"
#include "runtime/task/run_here.hpp"
#include "surface/api/entity_looks.hpp"
#include "surface/api/look_up.hpp"
#include "surface/api/query.hpp"
#include "surface/cli/admin_answer.hpp"
#include "surface/cli/connect.hpp"
#include "surface/cli/make_scan.hpp"
#include "surface/cli/render.hpp"
#include "surface/cli/render_coverage.hpp"
#include "surface/cli/render_flow.hpp"
#include "surface/cli/resolving.hpp"
#include "surface/cli/run_errand.hpp"
#include "surface/cli/run_flow.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

// The document that a look ends with, from the server or from the file.
using Document = Result<json::object>;

// Errors: unavailable, there is no file either.
Status says_that_it_reads(const Error& unreached, const Places& places) {
    if (!std::filesystem::exists(places.store_path))
        return fail(Code::unavailable, fmt::format("{}, and there is no store at {}. Start "
                                                   "`pawl serve`, or say --admin or --store",
                                                   unreached.text, places.store_path));
    fmt::print(stderr, "pawl: {}; reading {} instead\n", unreached.text, places.store_path);
    return {};
}

class Looks {
  public:
    Looks(const Places& places, const Surroundings& surroundings)
        : places_(places), surroundings_(surroundings) {}

    // `target` for the server, `read` for the file.
    template <class Read>
    Document look(std::string target, Read read) {
        AdminClient client(places_.admin);
        auto response = client.get(std::move(target));
        if (response) return admin_document(*response, client.place(), "records");
        if (response.error().code != Code::unavailable || !places_.may_read_store)
            return fail(response.error());
        if (Status there = says_that_it_reads(response.error(), places_); !there)
            return fail(there.error());
        SystemLoop system;
        auto records = surroundings_.open_store(places_.store_path, system.loop());
        if (!records) return fail(records.error());
        return run_here(system, read(**records, system.loop().clock().wall()));
    }

  private:
    const Places& places_;
    const Surroundings& surroundings_;
};

int show(const Document& document, const Asked& asked,
         std::string (*render)(const json::object&, const Paint&)) {
    if (!document) return show_error(document.error(), asked.common.json);
    if (document->contains("code")) return show_problem(*document, asked.common.json);
    if (asked.common.json)
        fmt::print("{}\n", json::serialize(*document));
    else
        fmt::print("{}", render(*document, Paint{wants_colour(STDOUT_FILENO)}));
    return 0;
}

int run(const Explain& explain, const Asked& asked, const Places& places,
        const Surroundings& surroundings) {
    Looks looks(places, surroundings);
    const auto read = [&explain](store::Records& records, WallTime now) {
        return api::explain(records, {api::Sought::By::anything, explain.what, explain.caller},
                            now);
    };
    std::string target = "/admin/v1/explain?q=" + api::percent_encoded(explain.what);
    if (!explain.caller.empty()) target += "&caller=" + api::percent_encoded(explain.caller);
    return show(looks.look(std::move(target), read), asked, render_explained);
}

int run(const ListUncertain& list, const Asked& asked, const Places& places,
        const Surroundings& surroundings) {
    Looks looks(places, surroundings);
    const auto read = [&list](store::Records& records, WallTime now) {
        store::UnresolvedQuery query;
        query.operation = list.route;
        query.older_than_ms = list.older ? list.older->count() : 0;
        query.limit = list.limit;
        query.uncertain_only = !list.open;
        return api::list_unresolved(records, std::move(query), now);
    };
    return show(looks.look(uncertain_target(list), read), asked, render_uncertain);
}

// Only a running server has seen anything.
int run(const ShowShadow& shadow, const Asked& asked, const Places& places) {
    AdminClient client(places.admin);
    std::string target = "/admin/v1/shadow";
    if (!shadow.route.empty()) target += "?route=" + api::percent_encoded(shadow.route);
    const auto response = client.get(std::move(target));
    if (!response) return show_error(response.error(), asked.common.json);
    return show(admin_document(*response, client.place(), "routes"), asked, render_shadow);
}

// As the server's loops see them, on the file.
Task<Document> look_at_file(FlowsToRead& file, std::shared_ptr<const engine::Machines> machines,
                            api::Query query) {
    co_return co_await api::look_at_entities(&file.flows(), &file.flows(), file.records(),
                                             std::move(machines), std::move(query));
}

// `member`: what the server's document has.
Document look_at_flows(std::string target, std::string_view member, const Places& places,
                       const Surroundings& surroundings) {
    AdminClient client(places.admin);
    const auto response = client.get(target);
    if (response) return admin_document(*response, client.place(), member);
    if (response.error().code != Code::unavailable || !places.may_read_store)
        return fail(response.error());
    if (Status there = says_that_it_reads(response.error(), places); !there)
        return fail(there.error());
    auto query = api::parse_query(target);
    if (!query) return fail(query.error());
    SystemLoop system;
    auto file = surroundings.open_flows(places.config, system.loop());
    if (!file) return fail(file.error());
    auto machines = std::make_shared<const engine::Machines>(places.config.flows.machines);
    return run_here(system, look_at_file(**file, std::move(machines), *std::move(query)));
}

int run(const LookAtEntities& wanted, const Asked& asked, const Places& places,
        const Surroundings& surroundings) {
    const bool lists = wanted.which.empty();
    const std::string_view page = wanted.waiting ? "/waiting" : lists ? "" : "/timeline";
    std::string target =
        fmt::format("/admin/v1/flows{}?flow={}", page, api::percent_encoded(wanted.flow));
    const auto add = [&target](std::string_view name, const std::string& value) {
        if (!value.empty()) target += fmt::format("&{}={}", name, api::percent_encoded(value));
    };
    add("tenant", wanted.tenant);
    add(wanted.by_key ? "business_key" : "id", wanted.which);
    add("after", wanted.after);
    if (lists) add("limit", std::to_string(wanted.limit));
    const std::string_view member = wanted.waiting ? "facts" : lists ? "entities" : "steps";
    return show(look_at_flows(std::move(target), member, places, surroundings), asked,
                wanted.waiting ? render_waiting
                : lists        ? render_entities
                               : render_entity);
}

int run(const FindEntities& wanted, const Asked& asked, const Places& places,
        const Surroundings& surroundings) {
    std::string target = "/admin/v1/flows/find?q=" + api::percent_encoded(wanted.what);
    if (!wanted.tenant.empty()) target += "&tenant=" + api::percent_encoded(wanted.tenant);
    return show(look_at_flows(std::move(target), "found", places, surroundings), asked,
                render_found);
}

int run(const Resolve& resolve, const Asked& asked, const Places& places,
        const Surroundings& surroundings) {
    return run_resolve(resolve, asked.common.json, places, surroundings.user);
}

int run(const Forget& forget, const Asked& asked, const Places& places,
        const Surroundings& surroundings) {
    return run_forget(forget, asked.common.json, places, surroundings.user);
}

int run_version(const Asked& asked, const Surroundings& surroundings) {
    if (asked.common.json)
        fmt::print("{}\n", json::serialize(json::object{{"version", surroundings.version}}));
    else
        fmt::print("pawl {}\n", surroundings.version);
    return 0;
}

}  // namespace

int run_command(const Asked& asked, const Surroundings& surroundings) {
    if (std::holds_alternative<Version>(asked.command)) return run_version(asked, surroundings);
    if (const auto* wanted = std::get_if<NewApiKey>(&asked.command))
        return run_new_api_key(*wanted, asked.common, surroundings.environment);
    if (const auto* wanted = std::get_if<LookAtFlow>(&asked.command))
        return run_flow(*wanted, asked.common.json, std::cout, std::cerr);
    if (const auto* wanted = std::get_if<MakeScan>(&asked.command))
        return run_make_scan(*wanted, asked.common, surroundings.environment);
    const auto places = find_places(asked.common, surroundings.environment);
    if (!places) return show_error(places.error(), asked.common.json);
    if (const auto* explain = std::get_if<Explain>(&asked.command))
        return run(*explain, asked, *places, surroundings);
    if (const auto* list = std::get_if<ListUncertain>(&asked.command))
        return run(*list, asked, *places, surroundings);
    if (const auto* shadow = std::get_if<ShowShadow>(&asked.command))
        return run(*shadow, asked, *places);
    if (const auto* wanted = std::get_if<LookAtEntities>(&asked.command))
        return run(*wanted, asked, *places, surroundings);
    if (const auto* wanted = std::get_if<FindEntities>(&asked.command))
        return run(*wanted, asked, *places, surroundings);
    if (const auto* errand = std::get_if<Errand>(&asked.command))
        return run_errand(*errand, asked.common.json, *places, surroundings.user);
    if (const auto* resolve = std::get_if<Resolve>(&asked.command))
        return run(*resolve, asked, *places, surroundings);
    return run(std::get<Forget>(asked.command), asked, *places, surroundings);
}

}  // namespace pawl::cli
