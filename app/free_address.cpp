// SPDX-License-Identifier: Apache-2.0
#include "app/free_address.hpp"

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>

#include "surface/config/address.hpp"

namespace pawl::app {

// With SO_REUSEPORT a second process could share the port without a word; asked for without it, the port
// says whether somebody listens.
Status check_free(const config::Address& address, std::string_view what) {
    if (address.port == 0) return {};
    boost::asio::io_context context;
    boost::asio::ip::tcp::acceptor probe(context);
    boost::system::error_code error;
    const boost::asio::ip::tcp::endpoint endpoint(
        boost::asio::ip::make_address(address.host, error), address.port);
    if (!error) probe.open(endpoint.protocol(), error);
    if (!error) probe.set_option(boost::asio::socket_base::reuse_address(true), error);
    if (!error) probe.bind(endpoint, error);
    if (!error) return {};
    const bool taken = error == boost::asio::error::address_in_use;
    return fail(
        Code::unavailable,
        fmt::format(
            "{} {} {}; {}", what, config::format_address(address),
            taken ? "is in use by another process" : "cannot be listened on: " + error.message(),
            taken ? "stop that process or choose another port" : "choose another address"));
}

}  // namespace pawl::app
