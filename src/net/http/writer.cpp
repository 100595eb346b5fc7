// SPDX-License-Identifier: Apache-2.0
#include "net/http/writer.hpp"

#include <charconv>

#include <boost/beast/http/status.hpp>

#include "net/http/forwarding.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::http {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLineEnd = "\r\n";

void append_number(std::string& out, std::uint64_t number, int radix = 10) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, radix).ptr;
    out.append(digits.data(), end);
}

bool can_be_field(std::string_view name, std::string_view value) {
    return !name.empty() && name.find_first_of("\r\n: "sv) == std::string_view::npos &&
           value.find_first_of("\r\n\0"sv) == std::string_view::npos;
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
    out.append(name).append(": ").append(value).append(kLineEnd);
}

void append_chunk(std::string& out, std::string_view bytes) {
    append_number(out, bytes.size(), 16);
    out.append(kLineEnd).append(bytes).append(kLineEnd);
}

void append_answer(std::string& out, const Response& response, const AnswerForm& form,
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
    const bool without_body = form.to_head || has_no_body(response.status);
    if (!without_body ||
        (form.to_head && !has_no_body(response.status) && reported_length.empty())) {
        out.append("Content-Length: ");
        append_number(out, response.body.size());
        out.append(kLineEnd);
    } else if (!reported_length.empty() && (form.to_head || response.status == 304) &&
               response.status / 100 != 1 && response.status != 204) {
        append_line(out, "Content-Length", reported_length);
    }
    if (!form.keep_alive)
        out.append("Connection: close\r\n");
    else if (form.minor_version == 0)
        out.append("Connection: keep-alive\r\n");
    out.append(kLineEnd);
    if (!without_body) out.append(response.body);
}

void append_request_head(std::string& out, const RequestHead& head) {
    out.append(head.method).append(" ").append(head.target).append(" HTTP/1.1\r\n");
    for (const auto& [name, value] : head.headers)
        if (can_be_field(name, value)) append_line(out, name, value);
    out.append(kLineEnd);
}

}  // namespace pawl::http
