// SPDX-License-Identifier: Apache-2.0
#include "surface/api/admin_access.hpp"

#include <boost/asio/ip/address.hpp>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::api {
namespace {

constexpr std::string_view kBearer = "Bearer ";

std::string_view without_port(std::string_view host) {
    if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
    return host.substr(0, host.find(':'));
}

bool names_this_machine(std::string_view host) {
    const std::string_view name = without_port(host);
    if (equal_ignoring_case(name, "localhost")) return true;
    boost::system::error_code error;
    boost::asio::ip::make_address(std::string(name), error);
    return !error;
}

Status check_browser(const http::RequestHead& head) {
    const std::string_view host = http::first_of(head.headers, "Host");
    if (!host.empty() && !names_this_machine(host))
        return fail(Code::forbidden,
                    "The admin port without a token answers only under an address or localhost.");
    const std::string_view origin = http::first_of(head.headers, "Origin");
    if (!origin.empty() && origin != "http://" + std::string(host))
        return fail(Code::forbidden, "The admin port does not answer pages of other origins.");
    return {};
}

}  // namespace

Status check_access(const std::string& token, const http::RequestHead& head) {
    if (token.empty()) {
        if (auto browser = check_browser(head); !browser) return browser;
    } else {
        const std::string_view shown = http::first_of(head.headers, "Authorization");
        if (!shown.starts_with(kBearer))
            return fail(Code::caller_unknown,
                        "The admin port asks for `Authorization: Bearer TOKEN`.");
        if (!equal_in_constant_time(shown.substr(kBearer.size()), token))
            return fail(Code::forbidden, "This is not the token of this server.");
    }
    if (head.method != "POST") return {};
    const std::string_view type = http::first_of(head.headers, "Content-Type");
    if (!equal_ignoring_case(type.substr(0, type.find(';')), "application/json"))
        return fail(Code::request_invalid, "Send the body as `Content-Type: application/json`.");
    return {};
}

}  // namespace pawl::api
