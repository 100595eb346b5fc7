// SPDX-License-Identifier: Apache-2.0
// PEM texts into a TLS context, a server's and a client's alike. Texts and no files: who names a file reads it
// (runtime/file/named_file.hpp).
#pragma once

#include <string>

#include <boost/asio/ssl/context.hpp>

namespace pawl::http {

// Of a file with certificates or a key: a system's whole list of authorities has some 200 KiB.
inline constexpr std::size_t kPemBytesMax = 1U << 20;

// Errors: also where the text holds no certificate at all, which would trust nobody.
void trust_authorities(boost::asio::ssl::context& context, const std::string& pem,
                       boost::system::error_code& error);
void show_certificate(boost::asio::ssl::context& context, const std::string& chain_pem,
                      boost::system::error_code& error);
// After its certificate. Errors: also for a key under a passphrase. Nobody is asked for one.
void show_key(boost::asio::ssl::context& context, const std::string& key_pem,
              boost::system::error_code& error);

}  // namespace pawl::http
