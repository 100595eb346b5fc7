// SPDX-License-Identifier: Apache-2.0
// TLS on both sides: a server with and without client certificates, and upstreams behind https. Certificates
// are made here, for this run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "effect/upstream_call.hpp"
#include "http_under_test.hpp"

namespace pawl::http {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct Key {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    Key() = default;
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    ~Key() {
        X509_free(certificate);
        EVP_PKEY_free(key);
    }
};

void extend(X509* certificate, int what, const char* value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, what, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

// `name`: DNS name and common name. Signed by `issuer`, or by itself.
void sign(Key& subject, const std::string& name, const Key& issuer, bool authority,
          long good_for_seconds = 3600) {
    static long serial = 1;
    X509* certificate = subject.certificate;
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), good_for_seconds);
    X509_set_pubkey(certificate, subject.key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer.certificate));
    extend(certificate, NID_basic_constraints, authority ? "critical,CA:TRUE" : "CA:FALSE");
    if (!authority) extend(certificate, NID_subject_alt_name, ("DNS:" + name).c_str());
    X509_sign(certificate, issuer.key, EVP_sha256());
}

// A folder with an authority, a server's certificate for "localhost" and a client's for "till-7".
class Certificates {
  public:
    Certificates() {
        char pattern[] = "/tmp/pawl_tls_XXXXXX";
        folder_ = ::mkdtemp(pattern);
        Key authority;
        Key server;
        Key client;
        Key stranger;
        Key late;
        sign(authority, "test authority", authority, true);
        sign(stranger, "another authority", stranger, true);
        sign(server, "localhost", authority, false);
        sign(client, "till-7", authority, false);
        sign(late, "localhost", authority, false, -60);
        write("authority.pem", authority.certificate);
        write("stranger.pem", stranger.certificate);
        write("server.pem", server.certificate);
        write("server.key", server.key);
        write("client.pem", client.certificate);
        write("client.key", client.key);
        write("late.pem", late.certificate);
        write("late.key", late.key);
        write("locked.key", server.key, "passphrase");
    }
    Certificates(const Certificates&) = delete;
    Certificates& operator=(const Certificates&) = delete;
    ~Certificates() { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    TlsFiles files(const std::string& client_ca = "") const {
        return {path("server.pem"), path("server.key"), client_ca.empty() ? "" : path(client_ca)};
    }

  private:
    void write(const std::string& name, X509* certificate) {
        FILE* file = std::fopen(path(name).c_str(), "w");
        PEM_write_X509(file, certificate);
        std::fclose(file);
    }
    void write(const std::string& name, EVP_PKEY* key, std::string passphrase = "") {
        FILE* file = std::fopen(path(name).c_str(), "w");
        PEM_write_PrivateKey(file, key, passphrase.empty() ? nullptr : EVP_aes_256_cbc(),
                             reinterpret_cast<unsigned char*>(passphrase.data()),
                             static_cast<int>(passphrase.size()), nullptr, nullptr);
        std::fclose(file);
    }
    std::string folder_;
};

struct TlsServer : ServerUnderTest {
    explicit TlsServer(const TlsFiles& files, std::uint16_t upstream_port = 0)
        : ServerUnderTest({}, upstream_port) {
        tls_port = thread.at([&] { return server.listen("127.0.0.1", 0, files).value(); });
    }
    std::uint16_t tls_port = 0;
};

// A blocking TLS client.
class TlsCaller {
  public:
    TlsCaller(std::uint16_t port, const Certificates& certificates, bool with_certificate)
        : talk_(http::call(port)), context_(SSL_CTX_new(TLS_client_method())) {
        SSL_CTX_load_verify_file(context_, certificates.path("authority.pem").c_str());
        if (with_certificate) {
            SSL_CTX_use_certificate_file(context_, certificates.path("client.pem").c_str(),
                                         SSL_FILETYPE_PEM);
            SSL_CTX_use_PrivateKey_file(context_, certificates.path("client.key").c_str(),
                                        SSL_FILETYPE_PEM);
        }
        tls_ = SSL_new(context_);
        SSL_set_fd(tls_, talk_.descriptor());
        SSL_connect(tls_);
    }
    TlsCaller(const TlsCaller&) = delete;
    TlsCaller& operator=(const TlsCaller&) = delete;
    ~TlsCaller() {
        SSL_free(tls_);
        SSL_CTX_free(context_);
    }
    // Sends and reads to the end. `ended` tells whether the end was said under TLS.
    std::string ask(const std::string& bytes) {
        SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()));
        std::string answer;
        char buffer[16384];
        int size = 0;
        while ((size = SSL_read(tls_, buffer, sizeof buffer)) > 0)
            answer.append(buffer, static_cast<std::size_t>(size));
        ended = SSL_get_error(tls_, size) == SSL_ERROR_ZERO_RETURN;
        return answer;
    }
    bool ended = false;

  private:
    Talk talk_;
    SSL_CTX* context_;
    SSL* tls_ = nullptr;
};

const std::string kLast = "GET /answer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

TEST(HttpTls, AServerSpeaksTlsAndSaysItsEnd) {
    const Certificates certificates;
    TlsServer under(certificates.files());
    under.thread.at([&] { under.service.answer.body = std::string(1U << 20, 'x'); });
    TlsCaller caller(under.tls_port, certificates, false);
    const std::string answer = caller.ask("GET /answer HTTP/1.1\r\nHost: a\r\n\r\n" + kLast);
    EXPECT_GT(answer.size(), 2U << 20);
    EXPECT_TRUE(caller.ended);
    EXPECT_TRUE(under.service.last_peer.tls);
    EXPECT_EQ(under.service.last_peer.certificate_subject, "");
}

TEST(HttpTls, AClientsCertificateNamesIt) {
    const Certificates certificates;
    TlsServer under(certificates.files("authority.pem"));
    TlsCaller caller(under.tls_port, certificates, true);
    EXPECT_THAT(caller.ask(kLast), HasSubstr("hello"));
    EXPECT_EQ(under.service.last_peer.certificate_subject, "CN=till-7");
    TlsCaller nameless(under.tls_port, certificates, false);
    EXPECT_EQ(nameless.ask(kLast), "");
    TlsServer strict(certificates.files("stranger.pem"));
    TlsCaller unknown(strict.tls_port, certificates, true);
    EXPECT_EQ(unknown.ask(kLast), "");
    EXPECT_EQ(strict.service.planned, 0);
}

TEST(HttpTls, PlainTextOnATlsPortIsCut) {
    const Certificates certificates;
    TlsServer under(certificates.files());
    Talk talk = call(under.tls_port);
    talk.send(kLast);
    EXPECT_EQ(talk.read_to_end().find("HTTP"), std::string::npos);
    EXPECT_EQ(under.service.planned, 0);
}

TEST(HttpTls, UnreadableFilesAreSaid) {
    const Certificates certificates;
    ServerUnderTest under;
    const TlsFiles files{"/nowhere.pem", certificates.path("server.key"), ""};
    EXPECT_EQ(
        under.thread.at([&] { return under.server.listen("127.0.0.1", 0, files).error().code; }),
        Code::config_invalid);
}

TEST(HttpTls, FilesThatWouldKeepTheStartWaitingAreRefused) {
    const Certificates certificates;
    const std::string pipe = certificates.path("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const TlsFiles good = certificates.files("authority.pem");
    const struct {
        TlsFiles files;
        std::string_view setting;
    } rows[] = {
        {{pipe, good.private_key_file, good.client_ca_file}, "tls.certificate"},
        {{good.certificate_chain_file, pipe, good.client_ca_file}, "tls.key"},
        {{good.certificate_chain_file, good.private_key_file, pipe}, "tls.client_ca"},
    };
    for (const auto& [files, setting] : rows) {
        const Status checked = check_files(files);
        ASSERT_FALSE(checked) << setting;
        EXPECT_EQ(checked.error().code, Code::config_invalid);
        EXPECT_EQ(checked.error().place, setting);
        EXPECT_EQ(checked.error().text,
                  "the file `" + pipe + "` of `" + std::string(setting) +
                      "` is a pipe, a folder or a device; name a regular file");
    }
    EXPECT_TRUE(check_files(good));
}

// OpenSSL would ask at the terminal.
TEST(HttpTls, NobodyIsAskedForAPassphrase) {
    const Certificates certificates;
    TlsFiles files = certificates.files();
    files.private_key_file = certificates.path("locked.key");
    const Status checked = check_files(files);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().text, "The certificate files cannot be used.");
}

TEST(HttpTls, AnAuthorityThatHoldsNoCertificateIsRefused) {
    const Certificates certificates;
    EXPECT_FALSE(check_files(certificates.files("server.key")));
    EXPECT_TRUE(check_files(certificates.files("authority.pem")));
}

using Trust = std::shared_ptr<const policy::UpstreamTrust>;

std::string text_in(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// `shown`: Pawl's own certificate, "client" or none.
Trust trust_in(const Certificates& certificates, const std::string& ca,
               const std::string& shown = "", const std::string& server_name = "") {
    policy::UpstreamTrust trust;
    trust.ca.text = text_in(certificates.path(ca));
    if (!shown.empty()) {
        trust.certificate.text = text_in(certificates.path(shown + ".pem"));
        trust.key.text = text_in(certificates.path(shown + ".key"));
    }
    trust.server_name = server_name;
    return std::make_shared<const policy::UpstreamTrust>(std::move(trust));
}

struct Calls {
    Calls(const Certificates& certificates, const std::string& ca, std::uint16_t port_,
          UpstreamLimits limits = patient_limits())
        : Calls(trust_in(certificates, ca), port_, limits) {}
    Calls(Trust trust_, std::uint16_t port_, UpstreamLimits limits = patient_limits())
        : upstreams(thread.loop(), limits), port(port_), trust(std::move(trust_)) {}
    ~Calls() { thread.stop(); }
    static Task<effect::Found> act(Calls& calls, std::string host, std::string body) {
        auto request = std::make_shared<Request>(
            Request{{"POST", "/whole", 1, {{"Host", "shop"}}}, std::move(body)});
        effect::UpstreamCall call(calls.upstreams, {host, calls.port, true, calls.trust}, request,
                                  {}, {.answer_bytes_max = request->body.size()});
        auto attempt = co_await call.prepare(calls.thread.loop().now() + 5s);
        if (!attempt)
            co_return effect::Found{effect::Kind::not_sent, {}, std::nullopt, attempt.error()};
        co_await calls.thread.loop().sleep_for(50ms);  // session tickets have come
        if (!(*attempt)->ready()) co_return effect::Found{};
        co_return co_await (*attempt)->run({}, calls.thread.loop().now() + 5s);
    }
    effect::Found post(std::string host, std::string body) {
        return thread.run(act(*this, std::move(host), std::move(body)));
    }

    LoopThread thread;
    Upstreams upstreams;
    std::uint16_t port;
    Trust trust;
};

TEST(HttpTls, AnHttpsUpstreamIsCalledAndItsConnectionReused) {
    const Certificates certificates;
    TlsServer upstream(certificates.files());
    upstream.thread.at([&] { upstream.service.body_bytes_max = 4U << 20; });
    Calls calls(certificates, "authority.pem", upstream.tls_port);
    EXPECT_EQ(calls.post("localhost", "abc").answer.body, "abc");
    const std::string large(3U << 20, 'x');
    EXPECT_TRUE(calls.post("localhost", large).answer.body == large);
    EXPECT_EQ(calls.upstreams.connected(), 1U);
    EXPECT_TRUE(upstream.service.last_peer.tls);
}

TEST(HttpTls, AnHttpsConnectionThatDiedIsSeen) {
    const Certificates certificates;
    TlsServer upstream(certificates.files());
    Calls calls(certificates, "authority.pem", upstream.tls_port);
    const auto prepared = [](Calls& calling) -> Task<std::unique_ptr<effect::Attempt>> {
        effect::UpstreamCall call(calling.upstreams,
                                  {"localhost", calling.port, true, calling.trust},
                                  std::make_shared<const Request>(), {}, {});
        co_return (co_await call.prepare(calling.thread.loop().now() + 5s)).value();
    };
    auto attempt = calls.thread.run(prepared(calls));
    const auto ready = [&] { return calls.thread.at([&] { return attempt->ready(); }); };
    EXPECT_TRUE(ready());
    upstream.thread.at([&] { upstream.server.close(); });
    EXPECT_TRUE(eventually([&] { return !ready(); }));
    calls.thread.at([&] { attempt = nullptr; });
}

TEST(HttpTls, WhoCannotBeTrustedIsSentNothing) {
    const Certificates certificates;
    TlsServer upstream(certificates.files());
    Calls strangers(certificates, "stranger.pem", upstream.tls_port);
    EXPECT_EQ(strangers.post("localhost", "abc").kind, effect::Kind::not_sent);
    Calls misnamed(certificates, "authority.pem", upstream.tls_port);
    EXPECT_EQ(misnamed.post("127.0.0.1", "abc").kind, effect::Kind::not_sent);
    Calls plain(certificates, "authority.pem", upstream.port);
    EXPECT_EQ(plain.post("localhost", "abc").kind, effect::Kind::not_sent);
    Calls without(certificates, "server.key", upstream.tls_port);
    EXPECT_EQ(without.post("localhost", "abc").error.code, Code::unavailable);
    EXPECT_EQ(upstream.service.planned, 0);
    TlsServer late({certificates.path("late.pem"), certificates.path("late.key"), ""});
    Calls punctual(certificates, "authority.pem", late.tls_port);
    const auto found = punctual.post("localhost", "abc");
    EXPECT_EQ(found.kind, effect::Kind::not_sent);
    EXPECT_THAT(found.error.cause, HasSubstr("certificate verify failed"));
    EXPECT_EQ(late.service.planned, 0);
}

TEST(HttpTls, AnUpstreamThatAsksForACertificateIsShownOurs) {
    const Certificates certificates;
    TlsServer upstream(certificates.files("authority.pem"));
    Calls calls(trust_in(certificates, "authority.pem", "client"), upstream.tls_port);
    EXPECT_EQ(calls.post("localhost", "abc").answer.body, "abc");
    EXPECT_EQ(upstream.service.last_peer.certificate_subject, "CN=till-7");
    Calls nameless(trust_in(certificates, "authority.pem"), upstream.tls_port);
    EXPECT_NE(nameless.post("localhost", "abc").kind, effect::Kind::answered);
    EXPECT_EQ(upstream.service.planned, 1);
}

TEST(HttpTls, AnUpstreamIsVerifiedByTheNameThatItIsGiven) {
    const Certificates certificates;
    TlsServer upstream(certificates.files());
    Calls calls(trust_in(certificates, "authority.pem", "", "localhost"), upstream.tls_port);
    EXPECT_EQ(calls.post("127.0.0.1", "abc").answer.body, "abc");
    Calls misnamed(trust_in(certificates, "authority.pem", "", "elsewhere"), upstream.tls_port);
    EXPECT_EQ(misnamed.post("127.0.0.1", "abc").kind, effect::Kind::not_sent);
    EXPECT_EQ(upstream.service.planned, 1);
}

TEST(HttpTls, AConnectionIsOnlyForThoseWhoTrustAlike) {
    const Certificates certificates;
    TlsServer upstream(certificates.files());
    Calls calls(certificates, "authority.pem", upstream.tls_port);
    EXPECT_EQ(calls.post("localhost", "abc").kind, effect::Kind::answered);
    calls.trust = trust_in(certificates, "stranger.pem");
    EXPECT_EQ(calls.post("localhost", "abc").kind, effect::Kind::not_sent)
        << "not over the connection that others trusted";
    calls.trust = trust_in(certificates, "authority.pem");
    EXPECT_EQ(calls.post("localhost", "abc").kind, effect::Kind::answered);
    EXPECT_EQ(upstream.service.planned, 2);
}

TEST(HttpTls, WhatIsNoCertificateIsSaidBeforeItIsNeeded) {
    const Certificates certificates;
    EXPECT_TRUE(check_trust(*trust_in(certificates, "authority.pem", "client")));
    EXPECT_EQ(check_trust(*trust_in(certificates, "server.key")).error().code,
              Code::config_invalid);
    policy::UpstreamTrust mixed = *trust_in(certificates, "authority.pem", "client");
    mixed.key.text = text_in(certificates.path("server.key"));
    EXPECT_EQ(check_trust(mixed).error().code, Code::config_invalid) << "another one's key";
    mixed.key.text = "no key";
    EXPECT_THAT(check_trust(mixed).error().text, HasSubstr("The key"));
}

TEST(HttpTls, AnUpstreamsSilenceInTheHandshakeIsBounded) {
    const Certificates certificates;
    ScriptedUpstream upstream([](Talk& talk) { talk.read_to_end(); });
    Calls calls(certificates, "authority.pem", upstream.port(), {});
    const auto found = calls.post("localhost", "abc");
    EXPECT_EQ(found.kind, effect::Kind::not_sent);
    EXPECT_THAT(found.error.text, HasSubstr("too long"));
}

TEST(HttpTls, RelaysFromTlsToTls) {
    const Certificates certificates;
    TlsServer upstream(certificates.files());
    LoopThread thread;
    Upstreams upstreams(thread.loop(), patient_limits());
    StubService service(thread.loop());
    service.target = {"localhost", upstream.tls_port, true,
                      trust_in(certificates, "authority.pem")};
    service.relayed_path = "/answer";
    Server server(thread.loop(), service, upstreams);
    const auto port =
        thread.at([&] { return server.listen("127.0.0.1", 0, certificates.files()).value(); });
    TlsCaller caller(port, certificates, false);
    const std::string answer = caller.ask(
        "GET /relay HTTP/1.1\r\nHost: a\r\n\r\nGET /relay HTTP/1.1\r\nHost: a\r\nConnection: "
        "close\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("hello"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\nhello"));
    EXPECT_EQ(upstream.service.planned, 2);
    thread.stop();
}

}  // namespace
}  // namespace pawl::http
