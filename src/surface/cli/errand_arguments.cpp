// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/errand_arguments.hpp"

#include <limits>

#include <CLI/CLI.hpp>

#include "surface/api/attention_list.hpp"
#include "surface/api/errands.hpp"

namespace pawl::cli {
namespace {

void add_limit(CLI::App& app, std::size_t& limit, std::size_t most = api::kErrandsListedMax) {
    app.add_option("--limit", limit, "At most so many")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, most));
}

void add_reason(CLI::App& app, std::string& reason) {
    app.add_option("--reason", reason, "Why; it is kept")->required()->type_name("TEXT");
}

void add_sink(CLI::App& outbox, const std::string& name, const std::string& what,
              SpeakOfSink& word) {
    CLI::App* one = outbox.add_subcommand(name, what);
    one->add_option("sink", word.sink, "The sink")->required()->type_name("NAME");
    add_reason(*one, word.reason);
}

void add_move(CLI::App& saga, const std::string& name, const std::string& what, MoveSaga& move) {
    CLI::App* one = saga.add_subcommand(name, what);
    one->add_option("saga", move.number, "Its number, as `pawl saga list` shows it")
        ->required()
        ->type_name("NUMBER")
        ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
    add_reason(*one, move.reason);
}

void add_attention(CLI::App& app, ErrandWords& words) {
    CLI::App* attention = app.add_subcommand("attention", "What a person has to look at");
    attention->require_subcommand(1);
    ListAttention& listed = words.attention_list;
    CLI::App* list = attention->add_subcommand("list", "Entries that are open, oldest first");
    list->add_flag("--closed", listed.closed,
                   "Those that are closed, the latest closed first: by whom, how and why");
    list->add_option("--after", listed.after, "Those behind this entry")->type_name("NUMBER");
    add_limit(*list, listed.limit, api::kEntriesListedMax);
    CLI::App* close = attention->add_subcommand(
        "close", "You see to it: close first, and pay back only when it says closed");
    close
        ->add_option("entry", words.attention_close.number,
                     "Its number, as `pawl attention list` shows it")
        ->required()
        ->type_name("NUMBER")
        ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
    close->add_flag("--left", words.attention_close.leaves,
                    "Nothing is done by hand: the flow may take the fact when it is told again");
    add_reason(*close, words.attention_close.reason);
}

}  // namespace

void add_errands(CLI::App& app, ErrandWords& words) {
    CLI::App* outbox = app.add_subcommand("outbox", "Events on their way to sinks");
    outbox->require_subcommand(1);
    CLI::App* rows = outbox->add_subcommand("list", "How each sink stands, and what is parked");
    rows->add_option("--sink", words.outbox_list.sink, "Only this one")->type_name("NAME");
    add_limit(*rows, words.outbox_list.limit);
    add_sink(*outbox, "redrive", "Send again what is parked, and to what had stopped",
             words.outbox_redrive);
    add_sink(*outbox, "drop", "Keep nothing any more for a sink that is not configured any more",
             words.outbox_drop);

    CLI::App* saga = app.add_subcommand("saga", "Compensations: refunds and what else undoes");
    saga->require_subcommand(1);
    CLI::App* sagas = saga->add_subcommand("list", "Those that are not done; others by --state");
    sagas->add_option("--state", words.saga_list.state, "Only in this state")
        ->type_name("running|done|needs_attention|all")
        ->check(CLI::IsMember({"running", "done", "needs_attention", "all"}));
    add_limit(*sagas, words.saga_list.limit);
    add_move(*saga, "retry", "Ask its service again", words.saga_retry);
    add_move(*saga, "skip", "It is settled otherwise: ask nobody any more", words.saga_skip);
    add_attention(app, words);
}

bool is_errand(std::string_view command) {
    return command == "outbox" || command == "saga" || command == "attention";
}

Errand errand_of(CLI::App& app, const ErrandWords& words) {
    const CLI::App* chosen = app.get_subcommands().front();
    const std::string verb = chosen->get_subcommands().front()->get_name();
    if (chosen->get_name() == "outbox") {
        if (verb == "list") return words.outbox_list;
        return verb == "drop" ? words.outbox_drop : words.outbox_redrive;
    }
    if (chosen->get_name() == "attention") {
        if (verb == "list") return words.attention_list;
        return words.attention_close;
    }
    if (verb == "list") return words.saga_list;
    return verb == "skip" ? words.saga_skip : words.saga_retry;
}

std::string_view missing_of_errand(std::string_view command) {
    if (command.starts_with("outbox"))
        return "say `pawl outbox list`, or `pawl outbox redrive SINK --reason 'it is mended'`";
    if (command.starts_with("attention"))
        return "say `pawl attention list`, or `pawl attention close NUMBER --reason 'paid back by "
               "hand'`";
    return "say `pawl saga list`, or `pawl saga retry NUMBER --reason 'it is mended'`";
}

}  // namespace pawl::cli
