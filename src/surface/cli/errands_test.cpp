// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "surface/cli/arguments.hpp"
#include "surface/cli/run_errand.hpp"

namespace pawl::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

Errand asked(std::vector<std::string> words) {
    return std::get<Errand>(std::get<Asked>(parse_arguments(std::move(words))).command);
}

std::string refusal(std::vector<std::string> words) {
    const auto parsed = parse_arguments(std::move(words));
    const auto* refused = std::get_if<Refused>(&parsed);
    return refused == nullptr ? "" : refused->text;
}

TEST(ErrandArguments, OfTheOutbox) {
    const auto list = std::get<ListOutbox>(asked({"outbox", "list", "--sink", "shop"}));
    EXPECT_EQ(target_of(list), "/admin/v1/outbox?limit=100&sink=shop");
    const auto redrive =
        std::get<SpeakOfSink>(asked({"outbox", "redrive", "shop", "--reason", "mended"}));
    EXPECT_EQ(redrive.sink, "shop");
    EXPECT_FALSE(redrive.drops);
    EXPECT_TRUE(std::get<SpeakOfSink>(asked({"outbox", "drop", "shop", "--reason", "r"})).drops);
    EXPECT_EQ(redrive.reason, "mended");
}

TEST(ErrandArguments, OfSagas) {
    EXPECT_EQ(target_of(std::get<ListSagas>(asked({"saga", "list"}))),
              "/admin/v1/sagas?limit=100&state=open");
    EXPECT_EQ(
        target_of(std::get<ListSagas>(asked({"saga", "list", "--state", "all", "--limit", "5"}))),
        "/admin/v1/sagas?limit=5");
    const auto retry = std::get<MoveSaga>(asked({"saga", "retry", "17", "--reason", "mended"}));
    EXPECT_EQ(retry.number, 17U);
    EXPECT_FALSE(retry.skips);
    EXPECT_TRUE(std::get<MoveSaga>(asked({"saga", "skip", "17", "--reason", "by hand"})).skips);
}

TEST(ErrandArguments, OfTheAttentionList) {
    EXPECT_EQ(target_of(std::get<ListAttention>(asked({"attention", "list", "--limit", "5"}))),
              "/admin/v1/attention?limit=5");
    const auto close =
        std::get<CloseEntry>(asked({"attention", "close", "17", "--reason", "paid back"}));
    EXPECT_EQ(close.number, 17U);
    EXPECT_FALSE(close.leaves);
    EXPECT_TRUE(std::get<CloseEntry>(
                    asked({"attention", "close", "17", "--left", "--reason", "it comes anew"}))
                    .leaves);
    EXPECT_THAT(refusal({"attention", "close", "17"}), HasSubstr("pawl attention close NUMBER"));
    EXPECT_NE(refusal({"attention", "list", "--limit", "501"}), "");
    EXPECT_EQ(target_of(std::get<ListAttention>(
                  asked({"attention", "list", "--closed", "--after", "17"}))),
              "/admin/v1/attention?limit=100&after=17&closed=true");
}

TEST(ErrandView, WhatAPersonHasToLookAt) {
    const auto document =
        boost::json::parse(R"({"entries":[{"number":"17","flow":"order","id":"7301",
        "at":"2026-01-01T00:00:00Z","reason":"amount_mismatch: \u001b[2J","event":{"name":"pay",
        "sender":"probe","values":{"transaction_id":"T1","amount":"99"}}},
        {"number":"18","flow":"order","reason":"it names no order"}],"more":false})")
            .as_object();
    const std::string shown = render_attention(document, Paint{});
    EXPECT_THAT(shown, HasSubstr("17"));
    EXPECT_THAT(shown, HasSubstr("pay by probe: transaction_id T1, amount 99"));
    EXPECT_THAT(shown, HasSubstr("(of no entity)"));
    EXPECT_THAT(shown, HasSubstr("close first"));
    EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
    EXPECT_EQ(render_attention({{"entries", boost::json::array{}}}, Paint{}), "None.\n");
}

TEST(ErrandView, WhatIsClosedSaysByWhomHowAndWhy) {
    const auto closed = [](std::string_view how) {
        return render_attention(boost::json::parse(R"({"entries":[{"number":"17","flow":"order",
            "at":"2026-01-01T00:00:00Z","reason":"amount_mismatch","closed":
            {"at":"2026-01-02T00:00:00Z",)" + std::string(how) +
                                                   R"(}}],"more":true})")
                                    .as_object(),
                                Paint{});
    };
    const std::string settled = closed(R"("as":"settled","by":"ann","reason":"paid back")");
    EXPECT_THAT(settled, HasSubstr("    the amount or currency differs\n"));
    EXPECT_THAT(settled, HasSubstr("2026-01-02T00:00:00Z  settled by hand by ann: paid back\n"));
    EXPECT_THAT(settled, HasSubstr("there are more: --after 17"));
    EXPECT_THAT(settled, Not(HasSubstr("close first"))) << "none is open";
    EXPECT_THAT(closed(R"("as":"left","by":"ann","reason":"it comes anew")"),
                HasSubstr("left to the flow by ann: it comes anew"));
    EXPECT_THAT(closed(R"("as":"taken","by":"bob","reason":"with entry 3: paid back")"),
                HasSubstr("closed by bob with entry 3: paid back"));
    EXPECT_THAT(closed(R"("as":"taken")"), HasSubstr("closed: the flow has taken its fact"));
}

TEST(ErrandArguments, AWordNeedsItsReason) {
    EXPECT_THAT(refusal({"saga", "skip", "17"}), HasSubstr("pawl saga retry NUMBER --reason"));
    EXPECT_THAT(refusal({"outbox", "redrive", "shop"}), HasSubstr("pawl outbox redrive SINK"));
    EXPECT_THAT(refusal({"outbox"}), HasSubstr("pawl outbox list"));
    EXPECT_NE(refusal({"saga", "skip", "0", "--reason", "r"}), "");
    EXPECT_NE(refusal({"saga", "list", "--state", "lost"}), "");
    EXPECT_NE(refusal({"outbox", "list", "--limit", "1001"}), "");
}

TEST(ErrandView, SinksAndWhatIsParked) {
    const auto document = boost::json::parse(R"({"sinks":[{"sink":"shop","standing":"paused",
        "said":"it is\u001b[2J down","unsent":3,"parked":1,"sent_since_start":9}],"parked":[{"sink":"shop",
        "event_id":"e1","type":"order.paid","flow":"order","id":"7301","version":3,"tries":12,
        "said":"the receiver answered 422"}]})")
                              .as_object();
    const std::string shown = render_outbox(document, Paint{});
    EXPECT_THAT(shown, HasSubstr("paused"));
    EXPECT_THAT(shown, HasSubstr("the receiver answered 422"));
    EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
    EXPECT_THAT(render_outbox({{"sinks", boost::json::array{}}}, Paint{}),
                HasSubstr("No sink is configured"));
}

TEST(ErrandView, Sagas) {
    const auto document = boost::json::parse(R"({"sagas":[{"saga":"17","name":"refund",
        "state":"needs_attention","flow":"order","id":"7301","tries":3,"said":"its service answered 422"}],
        "more":true})")
                              .as_object();
    const std::string shown = render_sagas(document, Paint{});
    EXPECT_THAT(shown, HasSubstr("needs_attention"));
    EXPECT_THAT(shown, HasSubstr("there are more"));
    EXPECT_EQ(render_sagas({{"sagas", boost::json::array{}}}, Paint{}), "None.\n");
}

}  // namespace
}  // namespace pawl::cli
