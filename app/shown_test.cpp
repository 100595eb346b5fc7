// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "app/greeting.hpp"
#include "app/request_lines.hpp"
#include "core/record/row.hpp"

namespace pawl::app {
namespace {

using namespace std::chrono_literals;

gateway::RequestNote note_of(gateway::Seen seen) {
    gateway::RequestNote note;
    note.method = "POST";
    note.path = "/orders";
    note.key = "k1";
    note.identity.bytes.fill(9);
    note.seen = seen;
    note.status = 201;
    note.elapsed = 12'345us;
    return note;
}

TEST(RequestLine, SaysHowTheRequestCameOut) {
    EXPECT_EQ(request_line(note_of(gateway::Seen::first)), "POST /orders k1 first 201 12 ms");
    EXPECT_EQ(request_line(note_of(gateway::Seen::waited)), "POST /orders k1 waited 201 12 ms");
}

TEST(RequestLine, NamesWhatIsUncertainAndTheCodeOfARefusal) {
    EXPECT_EQ(request_line(note_of(gateway::Seen::uncertain)),
              "POST /orders k1 uncertain 201 12 ms  " + record::reference_of(note_of({}).identity));
    gateway::RequestNote refused = note_of(gateway::Seen::refused);
    refused.code = "key_missing";
    refused.key = {};
    refused.elapsed = 340us;
    EXPECT_EQ(request_line(refused), "POST /orders - refused 201 0.3 ms  key_missing");
}

TEST(RequestLine, ShowsControlCharactersOfAKeyAsText) {
    gateway::RequestNote note = note_of(gateway::Seen::first);
    note.key = "a\x1b[2J\n";
    EXPECT_EQ(request_line(note), "POST /orders a\\x1b[2J\\x0a first 201 12 ms");
}

TEST(PassedLine, SaysWhereARequestWithoutARecordWent) {
    EXPECT_EQ(passed_line({"GET", "/orders", true, 200}), "GET /orders passed on 200");
    EXPECT_EQ(passed_line({"GET", "/v1/flows/order", true, 200, true}),
              "GET /v1/flows/order served 200");
    EXPECT_EQ(passed_line({"GET", "/n\x1b[2J", false, 404}), "GET /n\\x1b[2J no route 404");
}

Welcome welcome() {
    Welcome welcome;
    welcome.version = "1.2.3";
    welcome.took = 41ms;
    welcome.reached = {{"127.0.0.1", 8080}, {"127.0.0.1", 8081}, {"127.0.0.1", 4000}, 2, 1};
    welcome.store_path = "pawl.db";
    welcome.strength = "as strong as can be";
    welcome.key = "order-1d33";
    welcome.program = "build/release/pawl";
    welcome.store_goes = true;
    return welcome;
}

TEST(Greeting, WithoutAFileIsATourOfLinesToPaste) {
    EXPECT_EQ(
        greeting(welcome(), {}),
        "pawl 1.2.3 ready in 41 ms\n"
        "  requests   http://127.0.0.1:8080  1 route, 2 loops\n"
        "  admin      http://127.0.0.1:8081  /readyz /metrics\n"
        "  store      pawl.db  as strong as can be\n"
        "  upstream   http://127.0.0.1:4000  built in, for this demonstration\n"
        "  end        Ctrl-C; orders and records of this demonstration are forgotten together\n"
        "\n"
        "  order a book; paste it twice: one order, the second answer is a replay\n"
        "    curl -i http://127.0.0.1:8080/orders -H 'Idempotency-Key: order-1d33' --json "
        "'{\"item\":\"book\"}'\n"
        "  the same key for something else: 422, and nothing is ordered\n"
        "    curl -i http://127.0.0.1:8080/orders -H 'Idempotency-Key: order-1d33' --json "
        "'{\"item\":\"lamp\"}'\n"
        "  what was ordered: one book\n"
        "    curl http://127.0.0.1:8080/orders\n"
        "  what became of the key\n"
        "    build/release/pawl explain order-1d33\n"
        "\n");
}

TEST(Greeting, WithAFileSaysWhereItIsAndNoMore) {
    Welcome own = welcome();
    own.config_path = "pawl.yaml";
    own.store_goes = false;
    own.reached.demo.port = 0;
    own.dev = true;
    EXPECT_EQ(greeting(own, {}),
              "pawl 1.2.3 ready in 41 ms\n"
              "  requests   http://127.0.0.1:8080  1 route, 2 loops\n"
              "  admin      http://127.0.0.1:8081  /readyz /metrics\n"
              "  store      pawl.db  as strong as can be\n"
              "  mode       dev: a line per request, a person's word counts at once\n");
    own.reached.unresolved = 1;
    EXPECT_NE(greeting(own, {}).find("  uncertain  1 operation of earlier; `pawl uncertain list` "
                                     "shows them\n"),
              std::string::npos);
}

}  // namespace
}  // namespace pawl::app
