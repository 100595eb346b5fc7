// SPDX-License-Identifier: Apache-2.0
#include "core/callback/form.hpp"

#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const std::string_view digits = text.substr(i + 1, 2);
        const auto byte = digits.size() == 2 ? from_hex(digits) : std::nullopt;
        if (!byte) return std::nullopt;
        out += *byte;
        i += 2;
    }
    return out;
}

}  // namespace

std::optional<Form> parse_form(std::string_view body) {
    Form form;
    for (bool more = true; more;) {
        const std::size_t end = body.find('&');
        const std::string_view part = body.substr(0, end);
        more = end != std::string_view::npos;
        if (more) body.remove_prefix(end + 1);
        const std::size_t equals = part.find('=');
        if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
        auto name = decoded(part.substr(0, equals));
        auto value = decoded(part.substr(equals + 1));
        if (!name || !value || form.size() == kFormParametersMax) return std::nullopt;
        if (!form.emplace(*std::move(name), *std::move(value)).second) return std::nullopt;
    }
    return form;
}

}  // namespace pawl::callback
