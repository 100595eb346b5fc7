// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "surface/cli/resolving.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

json::object parsed(std::string_view text) { return json::parse(text).as_object(); }

constexpr std::string_view kUncertain = R"({"records":[{"operation_ref":"op_x","state":"uncertain",
    "meaning":"uncertain for 4 s: what happened is not known","operation":"create-order","key":"k1",
    "fence":"4","attempts":1,"owner":"node:8080","age_seconds":4,"trace_id":"abc","caller":"1a2b3c4d",
    "timeline":[{"at":"2026-11-29T14:47:32.123Z","step":"claim","outcome":"acquired",
                 "detail":"by node:8080"},
                {"at":"2026-11-29T14:47:33.123Z","step":"replay","outcome":"replayed","fence":"4",
                 "count":3}],
    "next":[{"action":"look","allowed":true,"why":"ask the upstream"},
            {"action":"resolve_not_applied","allowed":false,
             "command":"pawl resolve op_x --not-applied","from":"2026-11-29T15:00:00.000Z",
             "why":"not yet"}]}],
    "more":true})";

TEST(Render, ExplainedReadsFromTopToBottom) {
    EXPECT_EQ(render_explained(parsed(kUncertain), {}),
              "k1  create-order\n"
              "uncertain for 4 s: what happened is not known\n"
              "\n"
              "  state        uncertain\n"
              "  reference    op_x\n"
              "  caller       1a2b3c4d\n"
              "  attempts     1, the last on node:8080 under fence 4\n"
              "  trace        abc\n"
              "\n"
              "  timeline (UTC)\n"
              "  at                       step    outcome   fence\n"
              "  2026-11-29 14:47:32.123  claim   acquired         by node:8080\n"
              "  2026-11-29 14:47:33.123  replay  replayed  4      3 times\n"
              "\n"
              "  what may be done next\n"
              "  + look\n"
              "    ask the upstream\n"
              "  - pawl resolve op_x --not-applied\n"
              "    not yet\n");
}

TEST(Render, UncertainIsATableThatSaysHowEachIsResolved) {
    EXPECT_EQ(
        render_uncertain(parsed(kUncertain), {}),
        "reference  age  caller    key  operation     resolve with\n"
        "op_x       4 s  1a2b3c4d  k1   create-order  --applied, or --not-applied from 2026-11-29 "
        "15:00:00.000\n"
        "There are more; --limit N shows them.\n");
    EXPECT_EQ(render_uncertain(parsed(R"({"records":[],"more":false})"), {}),
              "Every operation is settled: no outcome is unknown.\n");
    EXPECT_EQ(render_uncertain(parsed(R"({"records":[],"more":false,"in_all":0})"), {}),
              "Every operation is settled: no outcome is unknown.\n");
    EXPECT_EQ(render_uncertain(parsed(R"({"records":[],"more":false,"in_all":3})"), {}),
              "None matches this filter (3 uncertain in all).\n");
}

TEST(Render, ColourIsOnlyAddedNeverPartOfTheText) {
    const std::string plain = render_explained(parsed(kUncertain), {});
    std::string painted = render_explained(parsed(kUncertain), Paint{true});
    EXPECT_NE(plain, painted);
    for (std::size_t at = painted.find('\x1b'); at != std::string::npos; at = painted.find('\x1b'))
        painted.erase(at, painted.find('m', at) - at + 1);
    EXPECT_EQ(plain, painted);
}

TEST(Render, AKeyCannotMoveTheCursor) {
    const std::string shown = render_explained(
        parsed(
            R"({"records":[{"key":"a\u001b[2Jb\u009b\n","operation":"x","state":"freed","meaning":"m"}]})"),
        {});
    EXPECT_EQ(shown.find('\x1b'), std::string::npos);
    EXPECT_EQ(shown.substr(0, shown.find("  x")), "a\\x1b[2Jb\\x9b\\x0a");
}

TEST(Render, DoneAndRefusedSayWhatFollows) {
    EXPECT_EQ(
        render_done(
            parsed(
                R"({"outcome":"not_applied","record":{"operation_ref":"op_x","meaning":"free again"}})"),
            {}),
        "op_x not applied: free again.\n");
    EXPECT_EQ(
        render_done(parsed(R"({"outcome":"forgotten","record":{"operation_ref":"op_x"}})"), {}),
        "op_x forgotten: the next request with this key is a first one.\n");
    EXPECT_EQ(render_problem(parsed(R"({"code":"too_early","detail":"in 3 s","title":"t"})"), {}),
              "pawl: too_early: in 3 s\n");
}

TEST(Terminal, WidthCountsCharactersNotBytes) {
    EXPECT_EQ(width_of("caf\xc3\xa9"), 4U);
    EXPECT_EQ(table({{"a", "b"}, {"\xc3\xa9\xc3\xa9", "c"}}, {}), "a   b\n\xc3\xa9\xc3\xa9  c\n");
    EXPECT_EQ(visible("caf\xc3\xa9\t\x7f"), "caf\xc3\xa9\\x09\\x7f");
    EXPECT_EQ(visible_lines("a\nb\x01"), "a\nb\\x01");
}

TEST(Terminal, WhatTurnsALineAroundOrIsNotSeenIsSpelledOut) {
    EXPECT_EQ(visible("k\u202egpj.exe"), "k\\u202egpj.exe");
    for (const auto& [text, shown] : {std::pair{"\u202a", "\\u202a"},
                                      {"\u2066", "\\u2066"},
                                      {"\u2069", "\\u2069"},
                                      {"\u200b", "\\u200b"},
                                      {"\u200f", "\\u200f"},
                                      {"\u2028", "\\u2028"},
                                      {"\u061c", "\\u061c"},
                                      {"\ufeff", "\\ufeff"},
                                      {"\u00ad", "\\xad"},
                                      {"\u0085", "\\x85"},
                                      {"\u2060", "\\u2060"}})
        EXPECT_EQ(visible(text), shown);
    for (const std::string_view plain :
         {"\u00e9", "\u4f60\u597d", "\u2013", "\U0001f600", "\u200a", "\u2030"})
        EXPECT_EQ(visible(plain), plain);
    EXPECT_EQ(visible("\xe2\x80"), "\xe2\x80") << "cut short: no character";
    EXPECT_EQ(visible("\xff\x80z"), "\xff\x80z");
}

TEST(Resolving, SendsBytesAsTheyAre) {
    Resolve resolve;
    resolve.applied = true;
    resolve.status = 201;
    resolve.reason = "seen";
    resolve.headers = {{"Location", "/orders/1"}};
    EXPECT_EQ(
        json::serialize(resolve_document(resolve, "op_x", std::string("\0\xff", 2), "ada")),
        R"({"ref":"op_x","outcome":"applied","reason":"seen","by":"ada","status":201,"body_base64":"AP8=",)"
        R"("headers":[["Location","/orders/1"]]})");
}

TEST(Resolving, AsksForWhatTheListNames) {
    ListUncertain list;
    list.limit = 7;
    list.route = "a b&c";
    list.older = std::chrono::seconds(10);
    list.open = true;
    EXPECT_EQ(uncertain_target(list),
              "/admin/v1/uncertain?limit=7&route=a%20b%26c&older_ms=10000&open=true");
}

TEST(Resolving, CodesOfProblemsHaveTheExitCodesOfTheTable) {
    EXPECT_EQ(row_of(code_of(parsed(R"({"code":"too_early"})"))).exit_code, 3);
    EXPECT_EQ(row_of(code_of(parsed(R"({"code":"unavailable"})"))).exit_code, 4);
    EXPECT_EQ(code_of(parsed(R"({"code":"something_new"})")), Code::internal);
    EXPECT_EQ(code_of({}), Code::internal);
}

}  // namespace
}  // namespace pawl::cli
