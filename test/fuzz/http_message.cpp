// SPDX-License-Identifier: Apache-2.0
// Any bytes on a connection: requests (first byte even) or answers (odd), read at once and in portions of the
// first byte's size. Both readings agree on every message and on where it ends, and a request that is taken
// says the same when it is written again as a relay would.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/http/forwarding.hpp"
#include "net/http/reader.hpp"
#include "net/http/writer.hpp"
#include "runtime/result/assert.hpp"

namespace {

using namespace pawl::http;
using Event = MessageReader::Event;
using Side = MessageReader::Side;

constexpr std::size_t kHeadMax = 1000;

struct Read {
    std::string first_line;
    Headers headers;
    std::string body;
    Headers trailers;
    bool whole = false;
    bool operator==(const Read&) const = default;
};

struct Reading {
    std::vector<Read> messages;
    Event last = Event::more;
    std::size_t taken = 0;
    bool operator==(const Reading&) const = default;
};

Reading read_all(Side side, std::string_view bytes, std::size_t portion) {
    MessageReader reader(side, kHeadMax);
    Reading reading;
    std::size_t received = std::min(portion, bytes.size());
    for (;;) {
        const std::string_view waiting = bytes.substr(reading.taken, received - reading.taken);
        const auto step = reader.next(waiting);
        PAWL_ASSERT(step.taken <= waiting.size());
        PAWL_ASSERT(step.piece_offset + step.piece_size <= waiting.size());
        reading.taken += step.taken;
        reading.last = step.event;
        if (step.event == Event::broken) {
            PAWL_ASSERT(reader.flaw().status >= 400 && *reader.flaw().text != '\0');
            return reading;
        }
        if (step.event == Event::head) {
            Read& message = reading.messages.emplace_back();
            message.first_line =
                side == Side::request
                    ? reader.request().method + " " + reader.request().target
                    : std::to_string(reader.response().status) + reader.response().reason;
            message.headers =
                side == Side::request ? reader.request().headers : reader.response().headers;
        }
        if (step.event == Event::piece)
            reading.messages.back().body += waiting.substr(step.piece_offset, step.piece_size);
        if (step.event == Event::end) {
            reading.messages.back().trailers = reader.trailers();
            reading.messages.back().whole = true;
            reader.restart();
        }
        if (step.event != Event::more) continue;
        if (received == bytes.size()) return reading;
        received = std::min(bytes.size(), received + portion);
    }
}

void expect_same_when_relayed(const Read& message) {
    RequestHead head;
    const std::size_t blank = message.first_line.find(' ');
    head.method = message.first_line.substr(0, blank);
    head.target = message.first_line.substr(blank + 1);
    head.headers = message.headers;
    remove_hop_by_hop(head.headers);
    remove_all(head.headers, "content-length");
    if (first_of(head.headers, "host").empty()) {
        remove_all(head.headers, "host");
        head.headers.emplace_back("Host", "h");
    }
    head.headers.emplace_back("Content-Length", std::to_string(message.body.size()));
    std::string bytes;
    append_request_head(bytes, head);
    bytes += message.body;
    if (bytes.size() - message.body.size() > kHeadMax) return;
    const Reading again = read_all(Side::request, bytes, bytes.size());
    PAWL_ASSERT(again.messages.size() == 1 && again.messages[0].whole &&
                again.taken == bytes.size());
    PAWL_ASSERT(again.messages[0].first_line == message.first_line);
    PAWL_ASSERT(again.messages[0].headers == head.headers);
    PAWL_ASSERT(again.messages[0].body == message.body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const Side side = bytes[0] % 2 == 0 ? Side::request : Side::response;
    const std::string_view input(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    const Reading whole = read_all(side, input, std::max<std::size_t>(input.size(), 1));
    const Reading portions = read_all(side, input, 1U + bytes[0] / 2);
    PAWL_ASSERT(whole == portions);
    for (const Read& message : whole.messages)
        if (side == Side::request && message.whole) expect_same_when_relayed(message);
    return 0;
}
