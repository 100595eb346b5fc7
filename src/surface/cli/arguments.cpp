// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/policy/units.hpp"
#include "runtime/result/error.hpp"
#include "surface/api/look_up.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::cli {
namespace {

constexpr const char* kFooter =
    "Exit codes:\n"
    "  0 done   1 failed   2 bad input   3 refused by the state of things\n"
    "  4 unavailable, try again   5 store unusable\n"
    "\n"
    "Environment:\n"
    "  PAWL_ADMIN          where the server's admin port is, HOST:PORT\n"
    "  PAWL_ADMIN_TOKEN    the token that port asks for\n"
    "  NO_COLOR            no colour";

constexpr const char* kCommon =
    "Options of every command:\n"
    "  --config FILE       the configuration; docs/configuration.md describes every setting\n"
    "  --admin HOST:PORT   the admin port: to listen on (serve), to ask (all others)\n"
    "  --store FILE        the store's file\n"
    "  --json              print JSON\n"
    "\n";

// The words of one run, as CLI11 fills them in.
struct Words {
    Common common;
    Serve serve;
    Check check;
    Explain explain;
    Resolve resolve;
    Forget forget;
    ListUncertain uncertain;
    ShowShadow shadow;
    NewApiKey api_key;
    FlowWords flow;
    ErrandWords errands;
    bool not_applied = false;
    int status = 0;
    std::string resolve_older;
    std::string resolve_looked;
    std::string uncertain_older;
    std::vector<std::string> headers;
};

// An option that is named has a value.
std::string refuse_nothing(const std::string& value) {
    return value.empty() ? "the value is empty; write one, or leave the option out" : "";
}

void add_common(CLI::App& app, Common& common) {
    app.add_option("--config", common.config, "The configuration file")
        ->type_name("FILE")
        ->check(refuse_nothing);
    app.add_option("--admin", common.admin,
                   "The admin port: to listen on (serve), to ask (all others)")
        ->type_name("HOST:PORT")
        ->check(refuse_nothing);
    app.add_option("--store", common.store, "The store's file")
        ->type_name("FILE")
        ->check(refuse_nothing);
    app.add_flag("--json", common.json, "Print JSON");
}

void add_serve(CLI::App& app, Words& words) {
    CLI::App* serve = app.add_subcommand(
        "serve", "Start the gateway; without --config, with a demonstration behind it");
    serve->add_flag("--dev", words.serve.dev,
                    "One line per request; a person's word counts at once");
    serve->add_option("--listen", words.serve.listen, "Where to take requests")
        ->type_name("HOST:PORT")
        ->check(refuse_nothing);
    CLI::App* check =
        app.add_subcommand("check", "Judge a configuration and print what is in effect");
    check->add_option("file", words.check.file, "The configuration file")->type_name("FILE");
    check
        ->add_option("--against", words.check.against,
                     "The configuration that runs: say what the new one does to its records")
        ->type_name("FILE")
        ->check(refuse_nothing);
    check->add_flag("--schema", words.check.schema,
                    "Print the JSON Schema of the configuration, for editors");
    check->add_flag("--suggest", words.check.suggest,
                    "Print routes in shadow for the writes that a running Pawl passes on");
    check
        ->add_option("--log", words.check.log,
                     "With --suggest: take them from an access log of nginx or Apache")
        ->type_name("FILE")
        ->check(refuse_nothing);
}

void add_looks(CLI::App& app, Words& words) {
    CLI::App* explain = app.add_subcommand("explain", "Everything that is known of one operation");
    explain->add_option("what", words.explain.what, "A key, an operation reference or a trace id")
        ->required()
        ->type_name("KEY|REF|TRACE");
    explain->add_option("--caller", words.explain.caller, "Only of this caller: a name, or a tag")
        ->type_name("NAME")
        ->check(refuse_nothing);
    CLI::App* uncertain = app.add_subcommand("uncertain", "Operations whose outcome is not known");
    uncertain->require_subcommand(1);
    CLI::App* list = uncertain->add_subcommand("list", "List them");
    list->add_option("--limit", words.uncertain.limit, "At most so many")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, api::kListedMax));
    list->add_option("--route", words.uncertain.route, "Of this route")
        ->type_name("NAME")
        ->check(refuse_nothing);
    list->add_option("--older", words.uncertain_older, "Unchanged for so long: 30s, 10m, 2h")
        ->type_name("DURATION");
    list->add_flag("--open", words.uncertain.open, "Also those that wait for a retry");
    CLI::App* shadow = app.add_subcommand(
        "shadow", "What protecting the routes with `protect: shadow` would have done");
    shadow->add_option("--route", words.shadow.route, "Only this route")
        ->type_name("NAME")
        ->check(refuse_nothing);
    CLI::App* api_key =
        app.add_subcommand("api-key", "Make an API key for a caller; it is shown once");
    api_key->add_option("set", words.api_key.set, "The set of `callers:` in --config")
        ->required()
        ->type_name("SET");
    api_key->add_option("--caller", words.api_key.caller, "Whose key it is")
        ->required()
        ->type_name("NAME");
    app.add_subcommand("version", "What this program is");
}

void add_words(CLI::App& app, Words& words) {
    CLI::App* resolve = app.add_subcommand("resolve", "Say what became of an operation");
    Resolve& asked = words.resolve;
    resolve
        ->add_option("reference", asked.reference,
                     "The operation; without it, all that --route and --older name")
        ->type_name("REF");
    resolve->add_option("--route", asked.route, "In bulk: the uncertain operations of this route")
        ->type_name("NAME")
        ->check(refuse_nothing);
    resolve->add_option("--older", words.resolve_older, "In bulk: unchanged for so long")
        ->type_name("DURATION");
    resolve->add_flag("--dry-run", asked.dry_run, "In bulk: show which, say nothing of them");
    resolve->add_flag("--applied", asked.applied, "It took effect");
    resolve->add_flag("--not-applied", words.not_applied,
                      "It did not take effect and cannot any more");
    resolve->add_flag("--force", asked.force,
                      "With --not-applied: whatever the owner and the effect horizon say");
    resolve
        ->add_option("--status", words.status,
                     "With --applied: the status that repeats are answered")
        ->type_name("N");
    resolve
        ->add_option("--body", asked.body_file, "With --status: the body that repeats are answered")
        ->type_name("FILE");
    resolve->add_option("--header", words.headers, "With --status: a header line of that answer")
        ->type_name("'NAME: VALUE'");
    resolve
        ->add_option("--looked", words.resolve_looked,
                     "With --not-applied: how long ago you looked; not said: just now")
        ->type_name("DURATION");
    resolve->add_option("--reason", asked.reason, "Why; it stays in the timeline")
        ->type_name("TEXT");
    CLI::App* forget = app.add_subcommand("forget", "Remove a settled record: its key becomes new");
    forget->add_option("reference", words.forget.reference, "The operation")
        ->required()
        ->type_name("REF");
    forget->add_option("--reason", words.forget.reason, "Why; it stays in the timeline")
        ->required()
        ->type_name("TEXT");
}

std::optional<std::chrono::milliseconds> duration_of(const std::string& text, const char* option) {
    if (text.empty()) return std::nullopt;
    const auto duration = policy::parse_duration(text);
    if (!duration) throw CLI::ValidationError(option, duration.error().text);
    return *duration;
}

void finish_resolve(const CLI::App& app, Words& words) {
    Resolve& asked = words.resolve;
    asked.older = duration_of(words.resolve_older, "--older");
    const bool bulk = !asked.route.empty() || asked.older;
    if (asked.reference.empty() != bulk)
        throw CLI::ValidationError(
            "resolve", "name one operation, or for all that fit --route, --older, or both");
    if (asked.dry_run && !bulk)
        throw CLI::ValidationError("resolve", "--dry-run goes with --route or --older");
    if (asked.applied && words.not_applied)
        throw CLI::ValidationError("resolve", "say --applied or --not-applied, not both");
    if (!asked.applied && !words.not_applied && !asked.dry_run)
        throw CLI::ValidationError("resolve", "say --applied or --not-applied");
    if (asked.reason.empty() && !asked.dry_run)
        throw CLI::ValidationError("resolve", "say why: --reason TEXT");
    if (app.count("--status") > 0) asked.status = words.status;
    const bool has_answer = asked.status || !asked.body_file.empty() || !words.headers.empty();
    if (has_answer && !asked.status)
        throw CLI::ValidationError("resolve", "--body and --header go with --status");
    if (asked.status && !asked.applied)
        throw CLI::ValidationError("resolve", "--status goes with --applied");
    asked.looked = duration_of(words.resolve_looked, "--looked");
    if (asked.looked && (asked.applied || asked.force))
        throw CLI::ValidationError("resolve", "--looked goes with --not-applied without --force");
    if (asked.force && asked.applied)
        throw CLI::ValidationError("resolve", "--force goes with --not-applied");
    for (const std::string& line : words.headers) {
        const auto colon = line.find(':');
        if (colon == std::string::npos || colon == 0)
            throw CLI::ValidationError("--header", "write 'NAME: VALUE'");
        const auto value = line.find_first_not_of(' ', colon + 1);
        asked.headers.emplace_back(line.substr(0, colon),
                                   value == std::string::npos ? "" : line.substr(value));
    }
}

Command command_of(CLI::App& app, Words& words) {
    const std::string name = app.get_subcommands().front()->get_name();
    if (name == "serve") return words.serve;
    if (name == "explain") return words.explain;
    if (name == "forget") return words.forget;
    if (name == "shadow") return words.shadow;
    if (name == "version") return Version{};
    if (is_errand(name)) return errand_of(app, words.errands);
    if (name == "flow")
        return std::visit([](auto command) -> Command { return command; },
                          flow_command_of(*app.get_subcommand("flow"), words.flow));
    if (name == "api-key") {
        if (words.common.config.empty())
            throw CLI::ValidationError("api-key", "name the file: --config FILE");
        return words.api_key;
    }
    if (name == "resolve") {
        finish_resolve(*app.get_subcommand("resolve"), words);
        return words.resolve;
    }
    if (name == "uncertain") {
        words.uncertain.older = duration_of(words.uncertain_older, "--older");
        return words.uncertain;
    }
    if (words.check.schema) return words.check;
    if (words.check.file.empty()) words.check.file = words.common.config;
    if (words.check.file.empty()) throw CLI::ValidationError("check", "name a file");
    if (!words.check.log.empty() && !words.check.suggest)
        throw CLI::ValidationError("check", "--log goes with --suggest");
    return words.check;
}

// The words that name the command, "uncertain list" and "flow show" among them; empty where none is named.
std::string command_in(const std::vector<std::string>& words) {
    std::string command;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--config" || word == "--admin" || word == "--store") ++i;
        if (word.starts_with('-')) continue;
        if (!command.empty()) {
            const bool is_two = (command == "uncertain" && word == "list") || is_errand(command) ||
                                (command == "flow" && is_flow_verb(word));
            return is_two ? command + " " + word : command;
        }
        command = word;
    }
    return command;
}

// `help`, `help COMMAND` and `--version` as everybody tries them.
std::vector<std::string> translated(std::vector<std::string> words) {
    if (words.empty()) return words;
    if (words.front() == "--version" || words.front() == "-V") words.front() = "version";
    if (words.front() != "help") return words;
    words.erase(words.begin());
    words.emplace_back("--help");
    return words;
}

std::vector<std::string> names_of(CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands([](CLI::App*) { return true; }))
        names.push_back(one->get_name());
    return names;
}

void add_footers(CLI::App& app) {
    for (CLI::App* one : app.get_subcommands([](CLI::App*) { return true; })) {
        one->footer(std::string(kCommon) + kFooter);
        add_footers(*one);
    }
}

// What is missing, as a person would say it; empty: CLI11's own words do.
std::string_view what_is_missing(std::string_view command) {
    if (command.empty()) return "say what to do";
    if (command == "explain") return "say what to look for, as in `pawl explain order-17`";
    if (command == "uncertain") return "say `pawl uncertain list`";
    if (is_errand(command.substr(0, command.find(' ')))) return missing_of_errand(command);
    if (command.starts_with("flow")) return missing_of_flow(command);
    if (command == "forget")
        return "say which operation and why, as in `pawl forget op_... --reason 'a test'`";
    return "";
}

Refused refused(const CLI::ParseError& error, const std::string& command) {
    std::string what = error.what();
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        if (const auto missing = what_is_missing(command); !missing.empty()) what = missing;
    return {row_of(Code::request_invalid).exit_code,
            fmt::format("pawl: {}. `pawl {}{}--help` shows what can be said.\n", what, command,
                        command.empty() ? "" : " ")};
}

}  // namespace

std::variant<Asked, Refused> parse_arguments(std::vector<std::string> words_given) {
    CLI::App app("Pawl makes HTTP operations take effect exactly once.", "pawl");
    app.footer(kFooter);
    app.require_subcommand(1);
    app.fallthrough();
    app.get_formatter()->column_width(30);
    Words words;
    add_common(app, words.common);
    add_serve(app, words);
    add_looks(app, words);
    add_words(app, words);
    add_flow(app, words.flow);
    add_errands(app, words.errands);
    add_footers(app);
    words_given = translated(std::move(words_given));
    const std::string command_words = command_in(words_given);
    const std::string first = command_words.substr(0, command_words.find(' '));
    const std::vector<std::string> known = names_of(app);
    if (!first.empty() && std::ranges::find(known, first) == known.end()) {
        const auto meant = yaml::nearest(first, known);
        return Refused{
            row_of(Code::request_invalid).exit_code,
            fmt::format("pawl: there is no command `{}`{} `pawl --help` shows them all.\n", first,
                        meant ? fmt::format("; did you mean `{}`?", *meant) : ".")};
    }
    std::ranges::reverse(words_given);  // CLI11 takes them from the back
    try {
        app.parse(std::move(words_given));
        Command command = command_of(app, words);
        return Asked{std::move(command), std::move(words.common)};
    } catch (const CLI::CallForHelp&) {
        return Refused{0, app.help()};
    } catch (const CLI::ParseError& error) {
        return refused(error, command_words);
    }
}

}  // namespace pawl::cli
