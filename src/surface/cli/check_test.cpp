// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/check.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

namespace pawl::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kWarned = R"(default_upstream: http://127.0.0.1:1
routes:
  - match: POST /orders
    upstream: http://127.0.0.1:3000
    key: { header: Idempotency-Key }
    uncertain: { close: "POST /c/{operation_key}" }
  - { match: PUT /notes, upstream: demo, protect: false, name: put-note }
  - { match: GET /notes, upstream: demo, protect: false }
)";

class Check : public testing::Test {
  protected:
    void SetUp() override {
        order_.file = testing::TempDir() + "pawl_check_" + std::to_string(::getpid()) + ".yaml";
    }
    void TearDown() override { std::filesystem::remove(order_.file); }
    int check(std::string_view text) {
        std::ofstream(order_.file, std::ios::binary) << text;
        out_.str("");
        err_.str("");
        return run_check(order_, out_, err_);
    }
    CheckOrder order_;
    std::ostringstream out_;
    std::ostringstream err_;
};

TEST_F(Check, TlsFilesThatCannotBeServedWithAreToldOf) {
    EXPECT_EQ(check("tls: { certificate: /nowhere/chain.pem, key: /nowhere/key.pem }\n" +
                    std::string(kWarned)),
              0);
    EXPECT_THAT(err_.str(),
                HasSubstr("the file `/nowhere/chain.pem` of `tls.certificate` cannot be read"));
    EXPECT_THAT(err_.str(), HasSubstr("`pawl serve` would not start"));
    EXPECT_EQ(
        check(std::string(kWarned).replace(std::string(kWarned).find("http://127.0.0.1:3000"), 21,
                                           "https://a\n    upstream_tls: { ca: /nowhere/ca.pem }")),
        0);
    EXPECT_THAT(err_.str(),
                HasSubstr("the file `/nowhere/ca.pem` of `upstream_tls.ca` cannot be read"));
}

TEST_F(Check, AGoodFileShowsItsEffectiveValuesAndEndsWithZero) {
    EXPECT_EQ(check(kWarned), 0);
    EXPECT_THAT(out_.str(), HasSubstr("wait: 10s"));
    EXPECT_THAT(out_.str(), HasSubstr("profile: strict-money"));
    EXPECT_EQ(
        err_.str(),
        order_.file +
            ":3:5: warning: all callers share one space of keys: who knows a key gets its answer; "
            "write `caller: { header: X-User }`, set by what authenticates in front of Pawl\n" +
            order_.file + ": 0 errors, 1 warning\n");
}

TEST_F(Check, ASecretThatServeWouldNotFindIsWarnedOf) {
    const std::string text =
        std::string("admin_token: { file: /nowhere/token }\n") + std::string(kWarned);
    EXPECT_EQ(check(text), 0);
    EXPECT_THAT(err_.str(), HasSubstr("warning: the file `/nowhere/token` of `admin_token`"));
    EXPECT_THAT(err_.str(), HasSubstr("check as the user who serves"));
}

// R-COVERAGE
TEST_F(Check, UnprotectedWritesAreListed) {
    EXPECT_EQ(check(kWarned), 0);
    EXPECT_THAT(
        out_.str(),
        HasSubstr("# 1 protected route; unprotected writes: put-note, and what no route matches "
                  "(goes to http://127.0.0.1:1)\n"));
    EXPECT_EQ(check("routes:\n  - { match: POST /a, upstream: demo, key: { header: K } }\n"), 0);
    EXPECT_THAT(out_.str(), HasSubstr("# 1 protected route; unprotected writes: no route\n"));
}

TEST_F(Check, ABrokenFileEndsWithTheCodeOfTheErrorTableAndShowsNoValues) {
    EXPECT_EQ(check("lisen: x\n"), row_of(Code::config_invalid).exit_code);
    EXPECT_EQ(out_.str(), "");
    EXPECT_EQ(err_.str(), order_.file +
                              ":1:1: error: `lisen` is not known here; did you mean `listen`?\n" +
                              order_.file + ": 1 error, 0 warnings\n");
}

TEST_F(Check, AMissingFileIsAnError) {
    order_.file += ".none";
    EXPECT_EQ(run_check(order_, out_, err_), row_of(Code::config_invalid).exit_code);
    EXPECT_THAT(err_.str(), HasSubstr("error: the file cannot be read"));
}

TEST_F(Check, TheEnvironmentIsApplied) {
    order_.environment = {{"PAWL_LISTEN", "127.0.0.1:7"}};
    EXPECT_EQ(check(kWarned), 0);
    EXPECT_THAT(out_.str(), HasSubstr("listen: \"127.0.0.1:7\""));
}

TEST_F(Check, ColourIsOnlyForTerminals) {
    check(kWarned);
    EXPECT_THAT(err_.str(), Not(HasSubstr("\x1b")));
    order_.colour = true;
    check(kWarned);
    EXPECT_THAT(err_.str(), HasSubstr("\x1b[33m"));
    check("lisen: x\n");
    EXPECT_THAT(err_.str(), HasSubstr("\x1b[31m"));
    EXPECT_THAT(out_.str(), Not(HasSubstr("\x1b")));
}

TEST_F(Check, JsonIsOneObjectAndNothingElse) {
    order_.json = true;
    EXPECT_EQ(check(kWarned), 0);
    EXPECT_EQ(err_.str(), "");
    const auto report = boost::json::parse(out_.str()).as_object();
    EXPECT_EQ(report.at("ok"), true);
    EXPECT_EQ(report.at("findings").as_array().size(), 1U);
    EXPECT_EQ(report.at("findings").at(0).at("severity"), "warning");
    EXPECT_EQ(report.at("findings").at(0).at("line"), 3);
    EXPECT_EQ(report.at("coverage").at("protected_routes"), 1);
    EXPECT_EQ(report.at("coverage").at("unprotected_writes").at(0), "put-note");
    EXPECT_THAT(std::string(report.at("effective").as_string()), HasSubstr("hold_max: 10m"));
}

TEST_F(Check, JsonOfABrokenFileHasItsFindings) {
    order_.json = true;
    EXPECT_EQ(check("routes: [\n"), row_of(Code::config_invalid).exit_code);
    const auto report = boost::json::parse(out_.str()).as_object();
    EXPECT_EQ(report.at("ok"), false);
    EXPECT_EQ(report.at("findings").at(0).at("severity"), "error");
    EXPECT_FALSE(report.contains("effective"));
}

TEST_F(Check, AgainstTheFormerFileItSaysWhatHappensToRecords) {
    const std::string before = order_.file + ".before";
    std::ofstream(before) << kWarned;
    std::string changed(kWarned);
    changed.replace(changed.find("Idempotency-Key"), 15, "X-Key");
    EXPECT_EQ(check(changed), 0);
    EXPECT_THAT(err_.str(), Not(HasSubstr("repeats of them run again")));
    order_.against = before;
    EXPECT_EQ(check(changed), 0);
    EXPECT_THAT(err_.str(), HasSubstr(":5:"));
    EXPECT_THAT(err_.str(),
                HasSubstr("was `header Idempotency-Key` and is `header X-Key`; change it "
                          "when no client retries"));
    EXPECT_EQ(check(kWarned), 0);
    EXPECT_THAT(err_.str(), Not(HasSubstr("run again")));
    changed = kWarned;
    changed.replace(changed.find("    key:"), 0, "    protect: shadow\n");
    EXPECT_EQ(check(changed), 0);
    EXPECT_THAT(err_.str(), HasSubstr(":5:"));
    EXPECT_THAT(err_.str(), HasSubstr("`protect` of `POST /orders` was `true` and is `shadow`; "
                                      "change it when no client retries"));
    std::ofstream(before) << "routes: 7";
    EXPECT_NE(check(changed), 0);
    EXPECT_THAT(err_.str(), HasSubstr("the file of --against, has errors"));
    std::filesystem::remove(before);
}

}  // namespace
}  // namespace pawl::cli
