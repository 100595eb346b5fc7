// SPDX-License-Identifier: Apache-2.0
#include "net/http/writer.hpp"

#include <algorithm>
#include <charconv>

#include <boost/beast/http/status.hpp>

#include "net/http/forwarding.hpp"
#include "net/http/framing.hpp"
#include "net/http/trailers.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/byte_source.hpp"

namespace pawl::http {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLineEnd = "\r\n";

void append_number(std::string& out, std::uint64_t number, int radix = 10) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, radix).ptr;
    out.append(digits.data(), end);
}

void append_length(std::string& out, std::uint64_t length) {
    out.append("Content-Length: ");
    append_number(out, length);
    out.append(kLineEnd);
}

void append_framing(std::string& out, const Response& response, int minor_version) {
    const std::optional<std::uint64_t> left = response.rest ? response.rest->size() : 0;
    if (left)
        append_length(out, response.body.size() + *left);
    else if (minor_version > 0)
        append_line(out, "Transfer-Encoding", "chunked");
}

// Without early exits: a loop like this runs on many bytes at once.
template <char... kChars>
bool holds_any(std::string_view text) {
    unsigned found = 0;
    for (const char c : text) found |= static_cast<unsigned>(((c == kChars) || ...));
    return found != 0;
}

bool can_be_field(std::string_view name, std::string_view value) {
    return !name.empty() && !holds_any<'\r', '\n', ':', ' '>(name) &&
           !holds_any<'\r', '\n', '\0'>(value);
}

}  // namespace

std::string_view reason_of(int status) {
    namespace beast = boost::beast::http;
    const auto known = beast::int_to_status(static_cast<unsigned>(status));
    if (known == beast::status::unknown) return {};
    const auto reason = beast::obsolete_reason(known);
    return {reason.data(), reason.size()};
}

const std::string& DateLine::at(WallTime now) {
    const auto second = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
    if (second.count() == second_) return line_;
    second_ = second.count();
    static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::chrono::sys_seconds instant{second};
    const auto day = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{instant - day};
    line_ = fmt::format(
        "Date: {}, {:02} {} {:04} {:02}:{:02}:{:02} GMT\r\n",
        kDays[std::chrono::weekday{day}.c_encoding()], static_cast<unsigned>(date.day()),
        kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
        clock.hours().count(), clock.minutes().count(), clock.seconds().count());
    return line_;
}

void append_status_line(std::string& out, int status, std::string_view reason) {
    out.append("HTTP/1.1 ");
    append_number(out, static_cast<std::uint64_t>(status));
    out.append(" ").append(reason).append(kLineEnd);
}

void append_line(std::string& out, std::string_view name, std::string_view value) {
    constexpr std::string_view kColon = ": ";
    const std::size_t before = out.size();
    const std::size_t size = before + name.size() + kColon.size() + value.size() + kLineEnd.size();
    out.resize_and_overwrite(size, [&](char* bytes, std::size_t) {
        char* at = bytes + before;
        for (const std::string_view part : {name, kColon, value, kLineEnd})
            at = std::copy(part.begin(), part.end(), at);
        return size;
    });
}

void append_chunk(std::string& out, std::string_view bytes) {
    append_number(out, bytes.size(), 16);
    out.append(kLineEnd).append(bytes).append(kLineEnd);
}

void append_last_chunk(std::string& out, const Headers& trailers,
                       std::span<const std::string> head_only) {
    out.append("0\r\n");
    for (const auto& [name, value] : trailers) {
        const bool passes = may_be_trailer(name) &&
                            std::ranges::none_of(head_only, [&name](const std::string& other) {
                                return equal_like_cgi(name, other);
                            });
        if (passes && can_be_field(name, value)) append_line(out, name, value);
    }
    out.append(kLineEnd);
}

void append_connection(std::string& out, const AnswerForm& form) {
    if (!form.keep_alive)
        out.append("Connection: close\r\n");
    else if (form.minor_version == 0)
        out.append("Connection: keep-alive\r\n");
}

bool append_answer_head(std::string& out, const Response& response, const AnswerForm& form,
                        const std::string& date_line) {
    append_status_line(out, response.status, reason_of(response.status));
    bool dated = false;
    std::string_view reported_length;
    for (const auto& [name, value] : response.headers) {
        if (name.size() == 14 && equal_ignoring_case(name, "content-length")) {
            reported_length = value;
            continue;
        }
        // A value that would end its line never leaves: it would be read as another line, or another answer.
        if (is_hop_by_hop(name) || !can_be_field(name, value)) continue;
        dated |= name.size() == 4 && equal_ignoring_case(name, "date");
        append_line(out, name, value);
    }
    if (!dated) out.append(date_line);
    const bool bodiless = has_no_body(response.status);
    if (!form.to_head && !bodiless) {
        append_framing(out, response, form.minor_version);
    } else if (is_number(reported_length) && (response.status == 304 || !bodiless)) {
        append_line(out, "Content-Length", reported_length);
    } else if (!bodiless) {
        append_length(out, response.body.size());
    }
    append_connection(out, form);
    out.append(kLineEnd);
    return !form.to_head && !bodiless;
}

void append_request_head(std::string& out, const RequestHead& head) {
    out.append(head.method).append(" ").append(head.target).append(" HTTP/1.1\r\n");
    for (const auto& [name, value] : head.headers)
        if (can_be_field(name, value)) append_line(out, name, value);
    out.append(kLineEnd);
}

}  // namespace pawl::http
