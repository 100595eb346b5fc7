// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_cors.hpp"

namespace pawl::config {

void read_cors(Section& parent, std::optional<policy::CorsRule>& target) {
    const bool given = parent.take("cors") != nullptr;
    policy::CorsRule rule;
    Section section = parent.section("cors");
    section.texts("origins", rule.origins);
    section.texts("headers", rule.headers);
    section.texts("expose", rule.expose);
    section.flag("credentials", rule.credentials);
    section.duration("max_age", rule.max_age);
    section.finish();
    if (!given) return;
    for (policy::CorsFlaw& flaw : policy::flaws_in(rule)) {
        const YamlNode* at = section.take(flaw.field);
        if (at != nullptr)
            section.error(*at, std::move(flaw.what), std::move(flaw.remedy));
        else
            section.error(std::move(flaw.what), std::move(flaw.remedy));
    }
    target = std::move(rule);
}

}  // namespace pawl::config
