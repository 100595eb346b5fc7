// SPDX-License-Identifier: Apache-2.0
#include "net/http/reader.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include "net/http/framing.hpp"
#include "net/http/head_scan.hpp"
#include "net/http/limits.hpp"

namespace pawl::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using Field = beast::http::field;

constexpr std::size_t kUsualLines = 12;  // more than most heads have: one allocation for them all

// What the parser has told so far.
struct Told {
    RequestHead request;
    ResponseHead response;
    Headers trailers;
    FramingLines lines;
    bool head_done = false;
    const char* piece = nullptr;
    std::size_t piece_size = 0;

    void clear() {
        request.headers.clear();
        response.headers.clear();
        trailers.clear();
        lines = {};
        head_done = false;
    }
};

template <bool kRequest>
class Parser final : public beast::http::basic_parser<kRequest> {
  public:
    explicit Parser(Told& told) : told_(told) {
        this->header_limit(
            std::numeric_limits<std::uint32_t>::max());  // bounded before it gets here
        this->body_limit(boost::none);
    }

  private:
    using Text = beast::string_view;

    void on_request_impl(beast::http::verb, Text method, Text target, int version,
                         error_code&) override {
        told_.request.method.assign(method);
        told_.request.target.assign(target);
        told_.request.minor_version = version % 10;
    }
    void on_response_impl(int status, Text reason, int version, error_code&) override {
        told_.response.status = status;
        told_.response.reason.assign(reason);
        told_.response.minor_version = version % 10;
    }
    void on_field_impl(Field field, Text name, Text value, error_code&) override {
        if (told_.head_done) {
            told_.trailers.emplace_back(name, value);
            return;
        }
        Headers& headers = kRequest ? told_.request.headers : told_.response.headers;
        if (headers.capacity() == 0) headers.reserve(kUsualLines);
        headers.emplace_back(name, value);
        note(field, value);
    }
    void on_header_impl(error_code&) override { told_.head_done = true; }
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    std::size_t on_body_impl(Text body, error_code&) override { return keep(body); }
    void on_chunk_header_impl(std::uint64_t, Text, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, Text body, error_code&) override {
        return keep(body);
    }
    void on_finish_impl(error_code&) override {}

    void note(Field field, Text value) {
        FramingLines& lines = told_.lines;
        switch (field) {
            case Field::host:
                ++lines.hosts;
                lines.host_valid = lines.host_valid && is_valid_host(value);
                break;
            case Field::content_length:
                ++lines.content_lengths;
                lines.length_valid = lines.length_valid && is_number(value);
                break;
            case Field::transfer_encoding:
                ++lines.transfer_encodings;
                lines.only_chunked = lines.only_chunked && is_chunked(value);
                break;
            case Field::expect:
                lines.expects_continue |= is_continue(value);
                break;
            default:
                break;
        }
    }
    std::size_t keep(Text body) {
        told_.piece = body.data();
        told_.piece_size = body.size();
        return body.size();
    }

    Told& told_;
};

constexpr std::size_t kStatusLineWithoutReason = std::string_view("HTTP/1.1 200\r\n").size();
// A chunked body is at least this long; with fewer bytes Beast 1.81 trips over an assertion of its own.
constexpr std::size_t kShortestChunked = std::string_view("0\r\n\r\n").size();

Flaw flaw_of(HeadScan::Verdict verdict) {
    if (verdict == HeadScan::Verdict::folded) return {400, "A header line is folded."};
    return {400, "A line does not end in carriage return and line feed."};
}

// "... HTTP/2.0": well-formed, but not ours to speak.
bool names_other_version(std::string_view head) {
    const std::string_view line = head.substr(0, head.find('\r'));
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || std::ranges::count(line, ' ') != 2) return false;
    const std::string_view version = line.substr(blank + 1);
    return version.size() == 8 && version.starts_with("HTTP/") && is_number(version.substr(5, 1)) &&
           version[6] == '.' && is_number(version.substr(7));
}

Flaw flaw_of(error_code error, std::string_view head = {}) {
    using beast::http::error;
    if (error == error::bad_version && names_other_version(head))
        return {505, "This HTTP version is not spoken here."};
    if (error == error::bad_chunk || error == error::bad_chunk_extension)
        return {400, "A chunk is malformed."};
    if (error == error::bad_content_length || error == error::multiple_content_length ||
        error == error::bad_transfer_encoding)
        return {400, "The message's length is contradictory."};
    return {400, "The message is malformed."};
}

}  // namespace

struct MessageReader::State {
    State(Side side_, std::size_t bytes_max)
        : side(side_), head_bytes_max(bytes_max), scan(side == Side::response) {}

    const Side side;
    const std::size_t head_bytes_max;
    Told told;
    Framing framing;
    Flaw flaw;
    HeadScan scan;
    bool begun = false;
    bool line_skipped = false;
    bool chunk_seen = false;
    std::optional<Parser<true>> request;
    std::optional<Parser<false>> response;

    Event broken(Flaw why) {
        flaw = why;
        return Event::broken;
    }
    Event read_head(std::string_view head);
    Event judge_head();
    template <bool kRequest>
    Event put_head(Parser<kRequest>& parser, std::string_view head);
    template <bool kRequest>
    Step put_body(Parser<kRequest>& parser, std::string_view bytes);
};

MessageReader::MessageReader(Side side, std::size_t head_bytes_max)
    : state_(std::make_unique<State>(side, head_bytes_max)) {
    restart();
}
MessageReader::~MessageReader() = default;
MessageReader::MessageReader(MessageReader&&) noexcept = default;
MessageReader& MessageReader::operator=(MessageReader&&) noexcept = default;

void MessageReader::restart(bool to_head) {
    State& state = *state_;
    state.told.clear();
    state.framing = {};
    state.scan = HeadScan(state.side == Side::response);
    state.begun = state.line_skipped = state.chunk_seen = false;
    if (state.side == Side::request) {
        state.request.emplace(state.told);
    } else {
        state.response.emplace(state.told);
        state.response->skip(to_head);
    }
}

MessageReader::Step MessageReader::next(std::string_view bytes) {
    State& state = *state_;
    if (state.told.head_done)
        return state.side == Side::request ? state.put_body(*state.request, bytes)
                                           : state.put_body(*state.response, bytes);
    if (bytes.empty()) return {};
    // One empty line before a request is skipped (RFC 9112, 2.2); what cannot begin a message is not read on.
    std::size_t skipped = 0;
    if (!state.begun) {
        if (state.side == Side::request && !state.line_skipped && bytes.starts_with('\r')) {
            if (bytes.size() < 2) return {};
            if (bytes[1] == '\n') skipped = 2;
            state.line_skipped = true;
        }
        if (bytes.size() == skipped) return {.taken = skipped};
        if (!is_token_char(bytes[skipped]))
            return {state.broken({400, "This is not HTTP."}), skipped};
        state.begun = true;
        bytes.remove_prefix(skipped);
    }
    const auto verdict = state.scan.look(bytes);
    if (state.scan.length() > state.head_bytes_max ||
        (verdict == HeadScan::Verdict::more && bytes.size() >= state.head_bytes_max))
        return {state.broken({431, "The request's head is too long."}), skipped};
    if (verdict == HeadScan::Verdict::more) return {Event::more, skipped};
    if (verdict != HeadScan::Verdict::whole) return {state.broken(flaw_of(verdict)), skipped};
    const std::size_t length = state.scan.length();
    return {state.read_head(bytes.substr(0, length)), skipped + length};
}

MessageReader::Event MessageReader::State::read_head(std::string_view head) {
    if (side == Side::request) return put_head(*request, head);
    // "HTTP/1.1 200" without the blank before an empty reason is common enough to be mended.
    if (head.find('\r') + 2 != kStatusLineWithoutReason) return put_head(*response, head);
    std::string mended(head);
    mended.insert(kStatusLineWithoutReason - 2, 1, ' ');
    return put_head(*response, mended);
}

template <bool kRequest>
MessageReader::Event MessageReader::State::put_head(Parser<kRequest>& parser,
                                                    std::string_view head) {
    error_code error;
    const std::size_t used = parser.put(boost::asio::buffer(head), error);
    if (error) return broken(flaw_of(error, head));
    if (!told.head_done || used != head.size()) return broken({400, "The message is malformed."});
    if (const Flaw why =
            kRequest ? flaw_in(told.request, told.lines) : flaw_in(told.response, told.lines);
        why.status != 0)
        return broken(why);
    framing.keep_alive = parser.keep_alive();
    framing.upgrade = parser.upgrade();
    framing.expects_continue = told.lines.expects_continue && told.request.minor_version > 0;
    if (parser.is_done()) {
        framing.body = Framing::Body::none;
    } else if (parser.chunked()) {
        framing.body = Framing::Body::chunked;
    } else if (const auto length = parser.content_length()) {
        framing.body = Framing::Body::length;
        framing.length = *length;
    } else {
        framing.body = Framing::Body::until_close;
    }
    return Event::head;
}

template <bool kRequest>
MessageReader::Step MessageReader::State::put_body(Parser<kRequest>& parser,
                                                   std::string_view bytes) {
    Step step;
    const bool chunked = framing.body == Framing::Body::chunked;
    for (;;) {
        if (parser.is_done()) {
            step.event = Event::end;
            return step;
        }
        const std::string_view rest = bytes.substr(step.taken);
        if (rest.empty() || (chunked && !chunk_seen && rest.size() < kShortestChunked)) return step;
        error_code error;
        told.piece_size = 0;
        step.taken += parser.put(boost::asio::buffer(rest), error);
        if (error == beast::http::error::need_more) {
            if (rest.size() >= kChunkLineBytesMax)
                step.event = broken({400, "A chunk's head is too long."});
            return step;
        }
        if (error) {
            step.event = broken(flaw_of(error));
            return step;
        }
        chunk_seen = true;
        if (told.piece_size == 0) continue;
        step.event = Event::piece;
        step.piece_offset = static_cast<std::size_t>(told.piece - bytes.data());
        step.piece_size = told.piece_size;
        return step;
    }
}

MessageReader::Event MessageReader::finish() {
    State& state = *state_;
    if (!state.told.head_done)
        return state.broken({400, "The connection ended within a message's head."});
    if (state.framing.body == Framing::Body::until_close ||
        state.framing.body == Framing::Body::none)
        return Event::end;
    const bool done =
        state.side == Side::request ? state.request->is_done() : state.response->is_done();
    return done ? Event::end : state.broken({400, "The connection ended within a message's body."});
}

bool MessageReader::begun() const { return state_->begun; }
RequestHead& MessageReader::request() { return state_->told.request; }
ResponseHead& MessageReader::response() { return state_->told.response; }
const Framing& MessageReader::framing() const { return state_->framing; }
Headers& MessageReader::trailers() { return state_->told.trailers; }
const Flaw& MessageReader::flaw() const { return state_->flaw; }

}  // namespace pawl::http
