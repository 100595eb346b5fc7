// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_trust.hpp"

#include <map>

#include <fmt/format.h>

#include "net/http/certificates.hpp"
#include "net/http/upstreams.hpp"
#include "runtime/file/named_file.hpp"

namespace pawl::config {
namespace {

using policy::UpstreamTrust;

Status read_pem(UpstreamTrust::Pem& pem, std::string_view setting) {
    if (pem.file.empty()) return {};
    auto text = read_named_file(pem.file, setting, http::kPemBytesMax);
    if (!text) return fail(std::move(text.error()));
    pem.text = *std::move(text);
    return {};
}

Result<Trust> with_texts(const UpstreamTrust& named) {
    UpstreamTrust read = named;
    for (const auto& [pem, setting] : {std::pair{&read.ca, "upstream_tls.ca"},
                                       {&read.certificate, "upstream_tls.certificate"},
                                       {&read.key, "upstream_tls.key"}})
        if (auto done = read_pem(*pem, setting); !done) return fail(std::move(done.error()));
    if (auto works = http::check_trust(read); !works)
        return fail(Code::config_invalid,
                    fmt::format("`upstream_tls`: {} {}", works.error().text, works.error().cause));
    return std::make_shared<const UpstreamTrust>(std::move(read));
}

}  // namespace

void read_trust(Section& parent, Trust& target) {
    const YamlNode* node = parent.take("upstream_tls");
    UpstreamTrust trust;
    Section section = parent.section("upstream_tls");
    section.text("ca", trust.ca.file);
    section.text("certificate", trust.certificate.file);
    section.text("key", trust.key.file);
    section.text("server_name", trust.server_name);
    section.finish();
    const bool given = !trust.ca.file.empty() || !trust.certificate.file.empty() ||
                       !trust.key.file.empty() || !trust.server_name.empty();
    if (node == nullptr && !given) return;
    if (node != nullptr && node->kind == YamlNode::Kind::map && node->members.empty())
        section.error("`upstream_tls` says nothing", "write `upstream_tls: { ca: authority.pem }`");
    if (trust.certificate.file.empty() != trust.key.file.empty())
        section.error("a certificate and its key belong together",
                      "write `certificate: pawl.pem` and `key: pawl.key`");
    const bool plain = std::ranges::all_of(trust.server_name, [](char c) {
        return c > ' ' && c < 0x7f && c != '/' && c != ':' && c != '@';
    });
    if (!plain)
        section.error(fmt::format("`{}` is not the name of a server", trust.server_name),
                      "write it without scheme and port, as in `orders.internal`");
    target = std::make_shared<const UpstreamTrust>(std::move(trust));
}

void spread_trust(Reading& reading, Config& config) {
    const auto take = [&](policy::Upstream& upstream, const Trust& own) {
        if (upstream.tls) upstream.trust = own ? own : config.upstream_tls;
        return upstream.tls;
    };
    for (policy::Route& route : config.routes) {
        const Trust own = route.upstream.trust;
        route.upstream.trust = nullptr;
        bool used = take(route.upstream, own);
        if (route.authorize) used |= take(route.authorize->upstream, own);
        if (own && !used)
            reading.findings.push_back({policy::Severity::error, route.line, route.column,
                                        "`upstream_tls` speaks of an upstream without TLS",
                                        "write `upstream: https://…`, or remove `upstream_tls`"});
    }
    if (config.default_upstream) take(*config.default_upstream, nullptr);
    for (auto& [name, service] : config.services) take(service, Trust(service.trust));
    for (auto& [name, sink] : config.sinks)
        if (sink.webhook) take(sink.webhook->upstream, nullptr);
}

Status read_trust_files(Config& config) {
    std::map<const UpstreamTrust*, Trust> read;
    const auto fill = [&](Trust& trust) -> Status {
        if (!trust) return {};
        Trust& known = read[trust.get()];
        if (!known) {
            auto texts = with_texts(*trust);
            if (!texts) return fail(std::move(texts.error()));
            known = *std::move(texts);
        }
        trust = known;
        return {};
    };
    const Trust kept = config.upstream_tls;  // its address names it until all are read
    if (auto done = fill(config.upstream_tls); !done) return done;
    if (config.default_upstream)
        if (auto done = fill(config.default_upstream->trust); !done) return done;
    std::vector<Trust> former;
    for (auto& [name, service] : config.services) {
        former.push_back(service.trust);
        if (auto done = fill(service.trust); !done) return done;
    }
    for (auto& [name, sink] : config.sinks) {
        if (!sink.webhook) continue;
        former.push_back(sink.webhook->upstream.trust);
        if (auto done = fill(sink.webhook->upstream.trust); !done) return done;
    }
    for (policy::Route& route : config.routes) {
        former.push_back(route.upstream.trust);
        if (auto done = fill(route.upstream.trust); !done) return done;
        if (!route.authorize) continue;
        former.push_back(route.authorize->upstream.trust);
        if (auto done = fill(route.authorize->upstream.trust); !done) return done;
    }
    return {};
}

}  // namespace pawl::config
