// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/arguments.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

using namespace std::chrono_literals;

template <class T>
T command(std::vector<std::string> words) {
    const auto parsed = parse_arguments(std::move(words));
    if (const auto* refused = std::get_if<Refused>(&parsed)) {
        ADD_FAILURE() << refused->text;
        return {};
    }
    return std::get<T>(std::get<Asked>(parsed).command);
}

Common common(std::vector<std::string> words) {
    return std::get<Asked>(parse_arguments(std::move(words))).common;
}

std::string refusal(std::vector<std::string> words) {
    const auto parsed = parse_arguments(std::move(words));
    const auto* refused = std::get_if<Refused>(&parsed);
    if (refused == nullptr) return "(taken)";
    EXPECT_EQ(refused->exit_code, 2);
    return refused->text;
}

bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(Arguments, CommonOptionsStandBeforeOrBehindTheCommand) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--config", "a.yaml", "--json", "--admin", "h:1", "uncertain",
                                   "list"},
          std::vector<std::string>{"uncertain", "list", "--admin", "h:1", "--config", "a.yaml",
                                   "--json"}}) {
        const Common asked = common(words);
        EXPECT_EQ(asked.config, "a.yaml");
        EXPECT_EQ(asked.admin, "h:1");
        EXPECT_TRUE(asked.json);
    }
}

TEST(Arguments, ServeTakesAnAddressAndDev) {
    const Serve serve = command<Serve>({"serve", "--dev", "--listen", "127.0.0.1:0"});
    EXPECT_TRUE(serve.dev);
    EXPECT_EQ(serve.listen, "127.0.0.1:0");
}

TEST(Arguments, CheckTakesItsFileEitherWay) {
    EXPECT_EQ(command<Check>({"check", "a.yaml"}).file, "a.yaml");
    EXPECT_EQ(command<Check>({"check", "--config", "a.yaml"}).file, "a.yaml");
    EXPECT_TRUE(says(refusal({"check"}), "name a file"));
}

TEST(Arguments, ResolveOneWithAnAnswer) {
    const Resolve resolve =
        command<Resolve>({"resolve", "op_x", "--applied", "--status", "201", "--body", "b.json",
                          "--header", "Location: /orders/1", "--header", "X:", "--reason", "seen"});
    EXPECT_EQ(resolve.reference, "op_x");
    EXPECT_TRUE(resolve.applied);
    EXPECT_EQ(resolve.status, 201);
    EXPECT_EQ(resolve.body_file, "b.json");
    const std::vector<std::pair<std::string, std::string>> headers{{"Location", "/orders/1"},
                                                                   {"X", ""}};
    EXPECT_EQ(resolve.headers, headers);
}

TEST(Arguments, ResolveInBulk) {
    const Resolve resolve = command<Resolve>({"resolve", "--route", "orders", "--older", "10m",
                                              "--not-applied", "--force", "--reason", "drill"});
    EXPECT_EQ(resolve.route, "orders");
    EXPECT_EQ(resolve.older, std::chrono::milliseconds(10min));
    EXPECT_FALSE(resolve.applied);
    EXPECT_TRUE(resolve.force);
}

TEST(Arguments, ResolveThatCouldBeHalfUnderstoodIsRefused) {
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--reason", "r"}), "--applied or --not-applied"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--applied", "--not-applied", "--reason", "r"}),
                     "not both"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--dry-run"}), "--route or --older"));
    EXPECT_TRUE(says(refusal({"resolve", "--applied", "--reason", "r"}), "name one operation"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--route", "a", "--applied", "--reason", "r"}),
                     "name one operation"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--applied"}), "--reason"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--applied", "--body", "f", "--reason", "r"}),
                     "go with --status"));
    EXPECT_TRUE(
        says(refusal({"resolve", "op_x", "--not-applied", "--status", "201", "--reason", "r"}),
             "goes with --applied"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--applied", "--force", "--reason", "r"}),
                     "--force goes with"));
    EXPECT_TRUE(
        says(refusal({"resolve", "--older", "10", "--not-applied", "--reason", "r"}), "duration"));
    EXPECT_TRUE(says(refusal({"resolve", "op_x", "--applied", "--status", "1", "--header",
                              "no colon", "--reason", "r"}),
                     "NAME: VALUE"));
}

TEST(Arguments, UncertainListHasItsBounds) {
    const ListUncertain list = command<ListUncertain>(
        {"uncertain", "list", "--limit", "5", "--route", "a", "--older", "30s"});
    EXPECT_EQ(list.limit, 5U);
    EXPECT_EQ(list.route, "a");
    EXPECT_EQ(list.older, std::chrono::milliseconds(30s));
    EXPECT_EQ(command<ListUncertain>({"uncertain", "list"}).limit, 100U);
}

TEST(Arguments, HelpEndsWellAndNamesTheExitCodes) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                  {"resolve", "--help"},
                                                  {"uncertain", "list", "--help"}}) {
        const auto parsed = parse_arguments(words);
        ASSERT_TRUE(std::holds_alternative<Refused>(parsed));
        EXPECT_EQ(std::get<Refused>(parsed).exit_code, 0);
        EXPECT_TRUE(says(std::get<Refused>(parsed).text, "Exit codes:"));
    }
}

TEST(Arguments, ADryRunNeedsNoWord) {
    const Resolve resolve = command<Resolve>({"resolve", "--route", "orders", "--dry-run"});
    EXPECT_TRUE(resolve.dry_run);
    EXPECT_EQ(resolve.route, "orders");
}

TEST(Arguments, HelpAndVersionAreFoundHoweverOneAsks) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"help"},
                                                  {"help", "explain"},
                                                  {"serve", "--help"},
                                                  {"-h"},
                                                  {"uncertain", "list", "--help"}}) {
        const auto parsed = parse_arguments(words);
        ASSERT_TRUE(std::holds_alternative<Refused>(parsed)) << words.front();
        const Refused& shown = std::get<Refused>(parsed);
        EXPECT_EQ(shown.exit_code, 0) << shown.text;
        EXPECT_TRUE(says(shown.text, "Usage: pawl")) << shown.text;
        for (const std::string_view option : {"--config", "--admin", "--store", "--json"})
            EXPECT_TRUE(says(shown.text, option)) << option << " in\n" << shown.text;
    }
    command<Version>({"--version"});
    command<Version>({"version"});
}

TEST(Arguments, AFlowFileIsJudgedOrDrawn) {
    EXPECT_TRUE(command<LookAtFlow>({"flow", "show", "order.yaml"}).show);
    const auto judged = command<LookAtFlow>({"flow", "check", "order.yaml"});
    EXPECT_FALSE(judged.show);
    EXPECT_EQ(judged.file, "order.yaml");
    EXPECT_TRUE(command<LookAtFlow>({"flow", "check", "--schema"}).schema);
    EXPECT_TRUE(says(refusal({"flow"}), "`pawl flow show flows/order.yaml`. `pawl flow --help`"));
    EXPECT_TRUE(says(refusal({"flow", "show"}), "`pawl flow show --help`"));
    EXPECT_TRUE(says(refusal({"flow", "check"}), "name a file"));
}

TEST(Arguments, AScanIsOfAFlowAnEventAndWhatWasScanned) {
    const auto scan = command<MakeScan>(
        {"flow", "scan", "packing", "pack", "box=X1", "note=a=b", "--station", "north"});
    EXPECT_EQ(scan.flow, "packing");
    EXPECT_EQ(scan.event, "pack");
    EXPECT_EQ(scan.station, "north");
    EXPECT_EQ(scan.values,
              (std::vector<std::pair<std::string, std::string>>{{"box", "X1"}, {"note", "a=b"}}));
    EXPECT_TRUE(says(refusal({"flow", "scan", "packing", "pack", "X1"}), "NAME=VALUE"));
    EXPECT_TRUE(says(refusal({"flow", "scan", "packing"}), "`pawl flow scan --help`"));
}

TEST(Arguments, WhatIsAtHandOfAnOrderIsOneWord) {
    const auto find = command<FindEntities>({"flow", "find", "B-1001", "--tenant", "acme"});
    EXPECT_EQ(find.what, "B-1001");
    EXPECT_EQ(find.tenant, "acme");
    EXPECT_TRUE(says(refusal({"flow", "find"}), "say what to look for"));
}

TEST(Arguments, AWrongWordIsNamedAndTheRightOneGuessed) {
    EXPECT_TRUE(says(refusal({"bogus"}), "no command `bogus`."));
    EXPECT_TRUE(says(refusal({"exlpain", "x"}), "no command `exlpain`; did you mean `explain`?"));
    EXPECT_TRUE(says(refusal({"--config", "a.yaml", "chekc"}), "did you mean `check`?"));
    EXPECT_TRUE(says(refusal({"help", "srve"}), "did you mean `serve`?"));
}

TEST(Arguments, WhatIsMissingIsSaidWithTheHelpOfItsCommand) {
    EXPECT_TRUE(says(refusal({"explain"}), "`pawl explain order-17`. `pawl explain --help`"));
    EXPECT_TRUE(says(refusal({"uncertain"}), "`pawl uncertain list`. `pawl uncertain --help`"));
    EXPECT_TRUE(says(refusal({"uncertain", "list", "--x"}), "`pawl uncertain list --help`"));
    EXPECT_TRUE(says(refusal({"forget"}), "--reason"));
    EXPECT_TRUE(says(refusal({}), "say what to do. `pawl --help`"));
}

TEST(Arguments, ANamedOptionHasAValueWithinItsBounds) {
    for (const char* option : {"--config", "--admin", "--store", "--listen"})
        EXPECT_TRUE(says(refusal({"serve", option, ""}), "the value is empty")) << option;
    EXPECT_TRUE(says(refusal({"uncertain", "list", "--limit", "0"}), "--limit"));
    EXPECT_TRUE(says(refusal({"uncertain", "list", "--limit", "10001"}), "--limit"));
    EXPECT_EQ(command<ListUncertain>({"uncertain", "list", "--limit", "10000"}).limit, 10'000U);
    EXPECT_EQ(command<Explain>({"explain", "k", "--caller", "ada"}).caller, "ada");
}

TEST(Arguments, NothingAndNonsenseAreBadInput) {
    EXPECT_NE(refusal({}), "(taken)");
    EXPECT_NE(refusal({"explain"}), "(taken)");
    EXPECT_NE(refusal({"explode"}), "(taken)");
    EXPECT_NE(refusal({"serve", "--fast"}), "(taken)");
    EXPECT_NE(refusal({"uncertain"}), "(taken)");
}

}  // namespace
}  // namespace pawl::cli
