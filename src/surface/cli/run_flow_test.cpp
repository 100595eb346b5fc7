// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/run_flow.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Said {
    int exit_code = 0;
    std::string out;
    std::string err;
};

Said run(const std::string& text, bool show, bool json = false) {
    const auto path = std::filesystem::path(testing::TempDir()) / "flow_of_a_test.yaml";
    std::ofstream(path) << text;
    std::ostringstream out;
    std::ostringstream err;
    const int code = run_flow({path.string(), show, false}, json, out, err);
    std::filesystem::remove(path);
    return {code, out.str(), err.str()};
}

constexpr const char* kGood =
    "flow: job\ninitial: open\nstates: { open: {}, done: { final: true } }\nevents: { finish: { "
    "from: open, to: done } }\n";
constexpr const char* kBroken =
    "flow: job\ninitial: open\nstates: { open: {}, done: { final: true } }\nevents: { finish: { "
    "from: open, to: gone } }\n";

TEST(RunFlow, ShowsADiagram) {
    const Said shown = run(kGood, true);
    EXPECT_EQ(shown.exit_code, 0);
    EXPECT_EQ(shown.out,
              "stateDiagram-v2\n    [*] --> open\n    open --> done: finish\n    done --> [*]\n");
    EXPECT_EQ(shown.err, "");
}

TEST(RunFlow, SaysThatAllIsWell) {
    EXPECT_EQ(run(kGood, false).out, "flow job: 2 states, 1 events\n");
}

TEST(RunFlow, SaysWhereTheMistakeIsAndShowsNothing) {
    for (const bool show : {false, true}) {
        const Said broken = run(kBroken, show);
        EXPECT_EQ(broken.exit_code, 2);
        EXPECT_EQ(broken.out, "");
        EXPECT_THAT(broken.err, HasSubstr("flow_of_a_test.yaml:4:"));
        EXPECT_THAT(broken.err,
                    HasSubstr("`gone` is not a state of this flow; write one of open, done"));
    }
}

TEST(RunFlow, SaysTheSameInJson) {
    EXPECT_THAT(run(kBroken, true, true).out,
                StartsWith(R"({"ok":false,"findings":[{"severity":"error","line":4,)"));
    EXPECT_THAT(run(kGood, true, true).out, HasSubstr(R"("mermaid":"stateDiagram-v2\n)"));
}

TEST(RunFlow, JudgesAFlowThatComesWithPawlByItsName) {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(run_flow({"order", false, false}, false, out, err), 0);
    EXPECT_THAT(out.str(), StartsWith("flow order: "));
    EXPECT_EQ(run_flow({"ordr", false, false}, false, out, err), 2);
    EXPECT_THAT(err.str(), HasSubstr("ordr: error: there is no such file, and no flow of this name "
                                     "comes with Pawl; did you mean `order`?"));
    EXPECT_EQ(run_flow({"nothing_like_it", false, false}, false, out, err), 2);
    EXPECT_THAT(err.str(), HasSubstr("write the path of a file, or one of order, payment, booking, "
                                     "packing"));
}

TEST(RunFlow, PrintsTheSchema) {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(run_flow({"", false, true}, false, out, err), 0);
    EXPECT_THAT(out.str(), HasSubstr("urn:pawl:schema:flow"));
}

}  // namespace
}  // namespace pawl::cli
