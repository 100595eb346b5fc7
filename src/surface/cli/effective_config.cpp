// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/effective_config.hpp"

#include "surface/config/describe.hpp"

namespace pawl::cli {
namespace {

constexpr std::string_view kDefaultName = "(default configuration)";

}  // namespace

Result<Effective> effective_config(const Common& common, const config::Environment& environment) {
    const bool has_file = !common.config.empty();
    // Described and read again, the default one is overridden by the environment as a file is.
    auto loaded =
        has_file ? config::load_config_file(common.config, environment)
                 : config::load_config(config::describe(config::default_config()), environment);
    const std::string_view name = has_file ? std::string_view(common.config) : kDefaultName;
    if (!loaded) {
        std::string text;
        for (const policy::Finding& finding : loaded.error()) {
            if (!text.empty()) text += '\n';
            text += config::shown(name, finding);
        }
        return fail(Code::config_invalid, std::move(text));
    }
    Effective effective{std::move(loaded->config), {}};
    for (const policy::Finding& finding : loaded->warnings)
        if (has_file || finding.line == 0)
            effective.warnings.push_back(config::shown(name, finding));
    if (!common.store.empty()) effective.config.store.path = common.store;
    if (auto read = config::read_secrets(effective.config); !read)
        return fail(std::move(read.error()));
    return effective;
}

}  // namespace pawl::cli
