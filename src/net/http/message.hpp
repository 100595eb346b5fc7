// SPDX-License-Identifier: Apache-2.0
// HTTP messages as plain values, so that Beast stays behind the server and the client. Header lines keep
// their order, spelling and repetition.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/clock/clock.hpp"

namespace pawl {
class ByteSource;  // runtime/task/byte_source.hpp
}

namespace pawl::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct RequestHead {
    std::string method;
    std::string target;  // as received: path and query, undecoded
    int minor_version = 1;
    Headers headers;
};

class BodyFile;  // body_file.hpp

// What a service made of a request's head, kept for when the whole of it is there.
struct Admission {
    std::string caller;       // who it is from
    std::string tenant;       // whose it is
    std::uint64_t rules = 0;  // under which rules it was judged
    std::size_t route = 0;    // by which of them
    MonotonicTime permitted_until = kNever;
};

struct Request {
    RequestHead head;
    std::string body;
    Admission admission = {};  // a server's request: as the plan said before the body was taken
    // Set for a body that was too long for memory: all of it is there and `body` is empty. body_file.hpp reads
    // either. Only where the plan let it.
    std::shared_ptr<const BodyFile> body_file = nullptr;
};

struct Response {
    int status = 200;
    Headers
        headers;  // without Content-Length, Transfer-Encoding, Connection, Date: the server frames
    std::string body;
    bool close = false;  // close the connection after it
    // What follows `body` and still comes in; whoever writes the answer is the only one who reads it.
    std::shared_ptr<ByteSource> rest = nullptr;
};

// Who is on the other end of a connection.
struct Peer {
    std::string address;
    bool tls = false;
    std::string certificate_subject;  // mTLS
};

// Every value of this name, in order. Names compare without case.
std::vector<std::string_view> values_of(const Headers& headers, std::string_view name);
// The first, or empty.
std::string_view first_of(const Headers& headers, std::string_view name);
void remove_all(Headers& headers, std::string_view name);

}  // namespace pawl::http
