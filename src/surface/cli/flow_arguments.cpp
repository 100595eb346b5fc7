// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/flow_arguments.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "surface/api/flow_lists.hpp"

namespace pawl::cli {
namespace {

constexpr std::string_view kVerbs[] = {"check", "show", "list", "timeline", "find", "scan"};

void add_files(CLI::App& flow, FlowWords& words) {
    CLI::App* check = flow.add_subcommand("check", "Judge a flow file");
    check->add_option("file", words.check.file, "The flow file, or a name such as `order`")
        ->type_name("FILE");
    check->add_flag("--schema", words.check.schema,
                    "Print the JSON Schema of flow files, for editors");
    CLI::App* show = flow.add_subcommand("show", "Print the machine as a Mermaid state diagram");
    show->add_option("file", words.show.file, "The flow file, or a name such as `order`")
        ->required()
        ->type_name("FILE");
}

void add_entities(CLI::App& flow, FlowWords& words) {
    LookAtEntities& listed = words.list;
    CLI::App* list = flow.add_subcommand("list", "The entities of a flow, newest first");
    list->add_option("--after", listed.after, "Those behind this id")->type_name("ID");
    list->add_option("--limit", listed.limit, "At most so many")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, api::kFlowsListedMax));
    list->add_flag("--waiting", listed.waiting,
                   "Facts that wait for an entity, or for it to come so far, and until when");
    LookAtEntities& explained = words.timeline;
    CLI::App* timeline = flow.add_subcommand("timeline", "One entity, and all that happened to it");
    for (const auto& [command, wanted] :
         {std::pair{list, &listed}, std::pair{timeline, &explained}}) {
        command->add_option("flow", wanted->flow, "Its name")->required()->type_name("FLOW");
        command->add_option("--tenant", wanted->tenant, "Of this tenant")->type_name("NAME");
    }
    timeline->add_option("which", explained.which, "Its id, alone or with its check code")
        ->required()
        ->type_name("ID");
    timeline->add_flag("--key", explained.by_key, "ID is a business key");
    CLI::App* find =
        flow.add_subcommand("find", "What happened to this order? By whatever is at hand of it");
    find->add_option("what", words.find.what,
                     "An id, the merchant's or the provider's number, a trace id, a support id")
        ->required()
        ->type_name("WORD");
    find->add_option("--tenant", words.find.tenant, "Of this tenant")->type_name("NAME");
}

void add_scan(CLI::App& flow, FlowWords& words) {
    CLI::App* scan = flow.add_subcommand(
        "scan", "Print the body of a scan, as a station's scanner makes it, of this moment");
    scan->add_option("flow", words.scan.flow, "The flow")->required()->type_name("FLOW");
    scan->add_option("event", words.scan.event, "Its event that takes a scan token")
        ->required()
        ->type_name("EVENT");
    scan->add_option("values", words.scanned, "What was scanned")->type_name("NAME=VALUE");
    scan->add_option("--station", words.scan.station,
                     "Signed by this one of the stations in --config")
        ->type_name("NAME");
}

}  // namespace

void add_flow(CLI::App& app, FlowWords& words) {
    CLI::App* flow = app.add_subcommand(
        "flow", "Flow files, judged and drawn; what runs of them, listed, found and explained");
    flow->require_subcommand(1);
    add_files(*flow, words);
    add_entities(*flow, words);
    add_scan(*flow, words);
}

bool is_flow_verb(std::string_view verb) {
    return std::ranges::find(kVerbs, verb) != std::end(kVerbs);
}

FlowCommand flow_command_of(const CLI::App& app, FlowWords& words) {
    if (app.got_subcommand("show")) return words.show;
    if (app.got_subcommand("list")) return words.list;
    if (app.got_subcommand("timeline")) return words.timeline;
    if (app.got_subcommand("find")) return words.find;
    if (app.got_subcommand("scan")) {
        for (const std::string& word : words.scanned) {
            const auto equals = word.find('=');
            if (equals == std::string::npos || equals == 0)
                throw CLI::ValidationError("flow scan",
                                           "write what was scanned as NAME=VALUE, as in box=X1");
            words.scan.values.emplace_back(word.substr(0, equals), word.substr(equals + 1));
        }
        return words.scan;
    }
    if (words.check.file.empty() && !words.check.schema)
        throw CLI::ValidationError("flow check", "name a file");
    return words.check;
}

std::string_view missing_of_flow(std::string_view command) {
    if (command == "flow list") return "say of which flow, as in `pawl flow list order`";
    if (command == "flow timeline")
        return "say of which flow and entity, as in `pawl flow timeline order 17`";
    if (command == "flow find") return "say what to look for, as in `pawl flow find B-1001`";
    if (command == "flow scan")
        return "say of which flow and event, as in `pawl flow scan packing pack box=X1`";
    return "say which file, as in `pawl flow show flows/order.yaml`";
}

}  // namespace pawl::cli
