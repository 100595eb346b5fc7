// SPDX-License-Identifier: Apache-2.0
#include "net/http/certificates.hpp"

#include <boost/asio/error.hpp>

namespace pawl::http {

namespace asio = boost::asio;

void trust_authorities(asio::ssl::context& context, const std::string& pem,
                       boost::system::error_code& error) {
    context.add_certificate_authority(asio::buffer(pem), error);
    X509_STORE* store = SSL_CTX_get_cert_store(context.native_handle());
    if (!error && sk_X509_OBJECT_num(X509_STORE_get0_objects(store)) == 0)
        error = asio::error::invalid_argument;
}

void show_certificate(asio::ssl::context& context, const std::string& chain_pem,
                      boost::system::error_code& error) {
    context.use_certificate_chain(asio::buffer(chain_pem), error);
}

void show_key(asio::ssl::context& context, const std::string& key_pem,
              boost::system::error_code& error) {
    // OpenSSL's own asks at the terminal, and waits.
    const auto none = [](std::size_t, asio::ssl::context::password_purpose) {
        return std::string();
    };
    context.set_password_callback(none, error);
    if (!error) context.use_private_key(asio::buffer(key_pem), asio::ssl::context::pem, error);
}

}  // namespace pawl::http
