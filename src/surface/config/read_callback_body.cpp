// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_callback_body.hpp"

#include <array>

#include <fmt/format.h>

#include "surface/yaml/nearest.hpp"

namespace pawl::config {
namespace {

using callback::FactKind;

constexpr std::array<std::string_view, 3> kKinds{"paid", "closed", "refunded"};

void require_path(Section& section, std::string_view name, key::JsonPath& target) {
    if (read_path(section, name, target) || section.has(name)) return;
    section.error(fmt::format("`{}` is missing", name),
                  fmt::format("write `{}: $.…`, where it stands in the body", name));
}

void read_optional_path(Section& section, std::string_view name,
                        std::optional<key::JsonPath>& target) {
    key::JsonPath path;
    if (read_path(section, name, path)) target = std::move(path);
}

void read_kinds(Section& section, callback::JsonMapping& mapping) {
    const YamlNode* node = section.take("kinds");
    constexpr std::string_view kForm = "write `kinds: { payment.paid: paid }`";
    if (node == nullptr || node->kind != YamlNode::Kind::map || node->members.empty()) {
        section.error(node == nullptr ? "`kinds` is missing" : "`kinds` maps nothing",
                      std::string(kForm));
        return;
    }
    for (const YamlNode::Member& member : node->members) {
        const auto kind = fact_kind_from(member.value.text);
        if (kind) {
            mapping.kinds.emplace(member.name, *kind);
            continue;
        }
        const auto meant = yaml::nearest(member.value.text, {kKinds.begin(), kKinds.end()});
        section.error(member.value, fmt::format("`{}` is no kind of fact", member.value.text),
                      meant ? fmt::format("did you mean `{}`?", *meant)
                            : "write paid, closed or refunded; other types are ignored");
    }
}

}  // namespace

std::span<const std::string_view> fact_kind_names() { return kKinds; }

std::optional<FactKind> fact_kind_from(std::string_view name) {
    const auto at = std::ranges::find(kKinds, name);
    if (at == kKinds.end()) return std::nullopt;
    return static_cast<FactKind>(at - kKinds.begin());
}

bool read_path(Section& section, std::string_view name, key::JsonPath& target) {
    return section.scalar(name, [&](std::string_view text) -> Status {
        auto path = key::parse_json_path(text);
        if (!path) return fail(std::move(path.error()));
        target = *std::move(path);
        return {};
    });
}

void read_callback_body(Section& entry, callback::JsonMapping& mapping) {
    Section section = entry.section("body");
    if (!entry.has("body")) {
        entry.error("`body` is missing, so nobody knows where the facts stand",
                    "write `body: { type: $.type, kinds: { paid: paid }, order: $.order, … }`");
        return;
    }
    require_path(section, "type", mapping.type);
    read_kinds(section, mapping);
    require_path(section, "order", mapping.order);
    require_path(section, "transaction", mapping.transaction);
    read_optional_path(section, "refund", mapping.refund);
    read_optional_path(section, "amount", mapping.amount);
    section.flag("minor_units", mapping.minor_units);
    read_optional_path(section, "currency", mapping.currency);
    section.text("currency_default", mapping.currency_default);
    read_optional_path(section, "merchant", mapping.merchant);
    section.text("merchant_expected", mapping.merchant_expected);
    section.finish();
}

}  // namespace pawl::config
