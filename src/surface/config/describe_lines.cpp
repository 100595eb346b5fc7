// SPDX-License-Identifier: Apache-2.0
#include "surface/config/describe_lines.hpp"

#include "core/policy/names.hpp"

namespace pawl::config {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out += '"';
}

std::string listed(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + quoted(text);
    return out += ']';
}

std::string shown_caller(const policy::CallerRule& caller) {
    if (caller.source == policy::CallerRule::Source::open) return "public";
    return fmt::format("{{ {}: {} }}", policy::name_of(caller.source), quoted(caller.name));
}

std::string shown_source(const Secret& secret) {
    return secret.file.empty() ? fmt::format("{{ env: {} }}", secret.variable)
                               : fmt::format("{{ file: {} }}", quoted(secret.file));
}

std::string shown_trust(const policy::UpstreamTrust& trust) {
    std::vector<std::string> parts;
    for (const auto& [name, value] :
         {std::pair{"ca", &trust.ca.file}, std::pair{"certificate", &trust.certificate.file},
          std::pair{"key", &trust.key.file}, std::pair{"server_name", &trust.server_name}})
        if (!value->empty()) parts.push_back(fmt::format("{}: {}", name, quoted(*value)));
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

}  // namespace pawl::config
