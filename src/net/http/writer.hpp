// SPDX-License-Identifier: Apache-2.0
// Heads as bytes. Answers are framed here: what a service says about length, coding or connection is not
// repeated, with one exception, the length that a HEAD or 304 answer reports of a body it does not have.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "net/http/message.hpp"
#include "net/http/reader.hpp"
#include "runtime/clock/clock.hpp"

namespace pawl::http {

// "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", made once per second.
class DateLine {
  public:
    const std::string& at(WallTime now);

  private:
    std::int64_t second_ = -1;
    std::string line_;
};

// How an answer leaves, apart from its content.
struct AnswerForm {
    bool to_head = false;   // answers a HEAD request
    int minor_version = 1;  // of the request
    bool keep_alive = true;
};

// True: the body follows; else there is none to send. Of a rest of unknown size it says that it is chunked,
// and nothing to a client that does not know chunks: there the connection's end ends the answer.
bool append_answer_head(std::string& out, const Response& response, const AnswerForm& form,
                        const std::string& date_line);
// "Connection: close", "Connection: keep-alive" or nothing.
void append_connection(std::string& out, const AnswerForm& form);

// Request line and lines as they are, and the blank line.
void append_request_head(std::string& out, const RequestHead& head);

void append_status_line(std::string& out, int status, std::string_view reason);
void append_line(std::string& out, std::string_view name, std::string_view value);
void append_chunk(std::string& out, std::string_view bytes);
// With those trailers that may be some, and are none of `head_only`.
void append_last_chunk(std::string& out, const Headers& trailers,
                       std::span<const std::string> head_only = {});

// RFC 9110: 1xx, 204 and 304 have no body.
constexpr bool has_no_body(int status) {
    return status / 100 == 1 || status == 204 || status == 304;
}
// The registered phrase, or "".
std::string_view reason_of(int status);

}  // namespace pawl::http
