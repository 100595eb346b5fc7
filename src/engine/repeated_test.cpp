// SPDX-License-Identifier: Apache-2.0
// Unique values that come again under another key, and what their sender is told.
#include <gmock/gmock.h>

#include <boost/asio/detached.hpp>

#include "engine/engine_fixture.hpp"
#include "net/http/message.hpp"

namespace pawl::engine {
namespace {

using testing::HasSubstr;
using testing::Not;

flow::Definition carts() {
    flow::Definition flow = touched_order();
    flow.fields.push_back({"cart", flow::FieldType::text});
    flow.create.unique = {{{"cart"}, {}}};
    auto& touch = flow::named(flow.events, "touch");
    touch.fields = {{"number", flow::FieldType::text}, {"note", flow::FieldType::text}};
    touch.unique = {{{"number"}, {}}};
    return flow;
}

class UniqueValues : public EngineTest {
  protected:
    UniqueValues() : EngineTest(carts()) {}

    Sent cart(const std::string& key, const std::string& name, std::string amount = "12.50") {
        Sent sent = keyed(creation(name), key);
        sent.event.values["cart"] = "c-1";
        sent.event.values["amount"] = std::move(amount);
        return sent;
    }
    Sent touch(const std::string& key, const std::string& name, std::string note = "red") {
        Sent sent = keyed(request(name, "touch"), key);
        sent.event.values = {{"number", "n-1"}, {"note", std::move(note)}};
        return sent;
    }
    Sent other_cart(const std::string& key, const std::string& name) {
        Sent sent = cart(key, name);
        sent.event.values["cart"] = "c-2";
        return sent;
    }
    Task<void> away_after(std::chrono::milliseconds time) {
        co_await hand_.loop().sleep_for(time);
        server_.set_reachable(false);
    }
    static std::string header(const Outcome& outcome, std::string_view name) {
        return std::string(http::first_of(outcome.answer->headers, name));
    }
};

TEST_F(UniqueValues, OfTheSameCreationGetTheFirstAnswer) {
    const auto first = send(cart("k1", "B1"));
    ASSERT_EQ(told(first), "applied created");
    const auto again = send(cart("k2", "B1", "12.5"));
    EXPECT_EQ(told(again), "repeated");
    EXPECT_EQ(again->answer, first->answer);
}

TEST_F(UniqueValues, OfAnotherCreationAreRefusedUnderTheirKey) {
    const auto first = send(cart("k1", "B1"));
    const auto other = send(cart("k2", "B1", "99"));
    ASSERT_EQ(told(other), "refused duplicate_request");
    EXPECT_EQ(other->answer->status, 409);
    EXPECT_EQ(header(*other, "Location"), "/v1/flows/order/1001");
    EXPECT_THAT(other->answer->body, HasSubstr("with another `amount`"));
    EXPECT_THAT(other->answer->body, HasSubstr("first_seen_at"));
    EXPECT_THAT(other->answer->body, Not(HasSubstr("12.50")));
    const auto again = send(cart("k2", "B1", "99"));
    EXPECT_EQ(told(again), "repeated") << "as every refusal of what there is";
    EXPECT_EQ(again->answer, other->answer);
    EXPECT_EQ(told(send(cart("k3", "B2"))), "refused duplicate_request");
    EXPECT_EQ(version("B2"), 0U);
    EXPECT_EQ(version("B1"), 1U);
}

TEST_F(UniqueValues, OfAnotherEntityAreRefusedAndNothingHappensHere) {
    send(cart("k1", "B1"));
    send(other_cart("k2", "B2"));
    ASSERT_EQ(say(touch("k3", "B1")), "applied created");
    const auto refused = send(touch("k4", "B2"));
    ASSERT_EQ(told(refused), "refused duplicate_request");
    EXPECT_EQ(refused->answer->status, 409);
    EXPECT_EQ(header(*refused, "Location"), "/v1/flows/order/1001");
    EXPECT_EQ(header(*refused, "Content-Location"), "/v1/flows/order/1002");
    EXPECT_THAT(refused->answer->body, HasSubstr("Its unique values belong to 1001"));
    EXPECT_EQ(version("B2"), 1U);
    const auto again = send(touch("k4", "B2"));
    EXPECT_EQ(again->answer, refused->answer);
    EXPECT_EQ(again->id, "1002") << "the refusal speaks about this one";
}

TEST_F(UniqueValues, OfTheSameEventGetTheFirstAnswerAndWithOthersNone) {
    send(cart("k1", "B1"));
    const auto first = send(touch("k2", "B1"));
    say(request("B1", "begin_payment"));
    const auto again = send(touch("k3", "B1"));
    EXPECT_EQ(told(again), "repeated");
    EXPECT_EQ(again->answer, first->answer);
    EXPECT_EQ(told(send(touch("k4", "B1", "blue"))), "refused duplicate_request");
    Sent reader = touch("k5", "B1", "blue");
    reader.event.caller = "bob";
    reader.may_read = true;
    EXPECT_EQ(say(reader), "refused duplicate_request") << "it is not the first one for a reader";
    EXPECT_EQ(version("B1"), 3U);
}

// Nobody would know then whether it is the same.
TEST_F(UniqueValues, AreNoRepeatWhileTheFirstOneCannotBeRead) {
    send(cart("k1", "B1"));
    ASSERT_EQ(say(touch("k2", "B1")), "applied created");
    server_.set_profile({.delay_min = 5ms, .delay_max = 5ms});
    boost::asio::co_spawn(hand_.loop().executor(), away_after(12ms), boost::asio::detached);
    EXPECT_EQ(say(touch("k3", "B1", "blue")), "unavailable");
    server_.set_reachable(true);
    server_.set_profile({});
    EXPECT_EQ(say(touch("k3", "B1", "blue")), "refused duplicate_request");
    EXPECT_EQ(say(touch("k4", "B1")), "repeated");
}

}  // namespace
}  // namespace pawl::engine
