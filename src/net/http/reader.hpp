// SPDX-License-Identifier: Apache-2.0
// Reads one HTTP/1 message after the other from bytes as they come. Beast's parser does the grammar; what it
// lets pass although two readers could frame it differently (RFC 9112, 6.3 and 11.2) is refused here: several
// Content-Lengths, Content-Length with Transfer-Encoding, a coding other than chunked, lone line feeds,
// folded lines, no or several Hosts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/http/message.hpp"

namespace pawl::http {

struct ResponseHead {
    int status = 0;
    std::string reason;
    int minor_version = 1;
    Headers headers;
};

struct Framing {
    enum class Body : std::uint8_t { none, length, chunked, until_close };
    Body body = Body::none;
    std::uint64_t length = 0;  // with Body::length
    bool keep_alive = false;   // the sender will take, or send, another message
    bool expects_continue = false;
    bool upgrade = false;
};

// Why a message is refused: the status of the answer, and a sentence of ours.
struct Flaw {
    int status = 0;
    const char* text = "";
};

class MessageReader {
  public:
    enum class Side : std::uint8_t { request, response };
    enum class Event : std::uint8_t {
        more,    // nothing further without more bytes
        head,    // head and framing can be read
        piece,   // bytes of the body
        end,     // the message is whole
        broken,  // flaw() says why; no further message can be read from this connection
    };
    struct Step {
        Event event = Event::more;
        std::size_t taken = 0;  // of the given bytes, done with; also with `more` and `broken`
        std::size_t piece_offset = 0;  // into the given bytes
        std::size_t piece_size = 0;
    };

    MessageReader(Side side, std::size_t head_bytes_max);
    ~MessageReader();
    MessageReader(MessageReader&&) noexcept;
    MessageReader& operator=(MessageReader&&) noexcept;

    // For the next message. `to_head`: it answers a HEAD request, so that no body follows.
    void restart(bool to_head = false);
    // `bytes`: everything received and not yet taken.
    Step next(std::string_view bytes);
    // The other side has ended: `end` when that ends the message, else `broken`.
    Event finish();
    // Bytes of this message have been seen.
    bool begun() const;

    RequestHead& request();
    ResponseHead& response();
    const Framing& framing() const;
    Headers& trailers();
    const Flaw& flaw() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace pawl::http
