// SPDX-License-Identifier: Apache-2.0
// SHA-256 over the parts method, normalised target, form actually used ("raw" or "json") and the body in
// that form; where the host takes part, the part "host" and the host behind them. The media type takes part only
// through the form: a retry that spells its charset otherwise is the same request, one that is read as text
// where the first was read as JSON is not. kAlgorithm changes with anything that changes a fingerprint,
// number and string forms included.
#include "core/key/fingerprint.hpp"

#include <algorithm>
#include <array>

#include "runtime/codec/hex_digit.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::key {
namespace {

constexpr std::string_view kAlgorithm = "pawl fingerprint 1";

// RFC 3986, 2.3.
bool is_unreserved(int byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

std::string_view name_of(BodyForm form) {
    switch (form) {
        case BodyForm::raw:
            return "raw";
        case BodyForm::canonical:
            return "canonical";
        case BodyForm::automatic:
            return "automatic";
    }
    return {};
}

// By meaning, not by spelling: $.a and $["a"] are one path, and the order of the list says nothing.
void add_paths(DigestStream& stream, const std::vector<JsonPath>& paths) {
    std::vector<Digest> each;
    for (const JsonPath& path : paths) {
        DigestStream steps;
        for (const JsonPath::Step& step : path.steps) {
            steps.add_part(step.index ? "index" : "member");
            steps.add_part(step.index ? std::to_string(*step.index) : step.member);
        }
        each.push_back(steps.finish());
    }
    std::ranges::sort(each);
    const auto repeated = std::ranges::unique(each);
    each.erase(repeated.begin(), repeated.end());
    stream.add_part(std::to_string(each.size()));
    for (const Digest& path : each) stream.add_part(path.view());
}

Digest over(const FingerprintRule& rule, const Fingerprinted& request, std::string_view form,
            std::string_view body) {
    DigestStream stream;
    for (const std::string_view part : {kAlgorithm, request.method}) stream.add_part(part);
    stream.add_part(normalise_target(request.target));
    for (const std::string_view part : {form, body}) stream.add_part(part);
    if (rule.host) {
        stream.add_part("host");
        stream.add_part(host_name(request.host));
    }
    return stream.finish();
}

}  // namespace

Result<Digest> fingerprint(const FingerprintRule& rule, const Fingerprinted& request) {
    const bool reads_json = rule.form == BodyForm::canonical ||
                            (rule.form == BodyForm::automatic && is_json(request.content_type));
    if (!reads_json) return over(rule, request, "raw", request.body);
    const Result<std::string> canonical = canonical_json(request.body, rule.json);
    if (canonical) return over(rule, request, "json", *canonical);
    if (rule.form == BodyForm::canonical) return fail(canonical.error());
    return over(rule, request, "raw", request.body);
}

Digest digest_of(const FingerprintRule& rule) {
    DigestStream stream;
    stream.add_part("pawl fingerprint rule");
    stream.add_part(kAlgorithm);
    stream.add_part(name_of(rule.form));
    add_paths(stream, rule.json.include);
    add_paths(stream, rule.json.exclude);
    // A rule without it has the digest that it had before hosts took part.
    if (rule.host) stream.add_part("with host");
    return stream.finish();
}

std::string host_name(std::string_view host) {
    // An IPv6 address has its port behind the bracket.
    const std::size_t colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
    std::string name(host.substr(0, colon));
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

std::string normalise_target(std::string_view target) {
    std::string out;
    out.reserve(target.size());
    for (std::size_t i = 0; i < target.size(); ++i) {
        const int high = target[i] == '%' && i + 2 < target.size() ? hex_value(target[i + 1]) : -1;
        const int low = high < 0 ? -1 : hex_value(target[i + 2]);
        if (low < 0) {
            out += target[i];
            continue;
        }
        const int byte = high * 16 + low;
        i += 2;
        if (is_unreserved(byte)) {
            out += static_cast<char>(byte);
        } else {
            static constexpr std::string_view kDigits = "0123456789ABCDEF";
            out += {'%', kDigits[static_cast<std::size_t>(high)],
                    kDigits[static_cast<std::size_t>(low)]};
        }
    }
    return out;
}

bool is_json(std::string_view content_type) {
    std::string_view type = content_type.substr(0, content_type.find(';'));
    while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
    while (!type.empty() && (type.front() == ' ' || type.front() == '\t')) type.remove_prefix(1);
    const std::size_t slash = type.find('/');
    if (slash == 0 || slash == std::string_view::npos) return false;
    constexpr std::string_view kSuffix = "+json";
    const std::string_view subtype = type.substr(slash + 1);
    if (subtype.size() > kSuffix.size())
        return equal_ignoring_case(subtype.substr(subtype.size() - kSuffix.size()), kSuffix);
    return equal_ignoring_case(type, "application/json");
}

}  // namespace pawl::key
