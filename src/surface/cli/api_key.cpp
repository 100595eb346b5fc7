// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/api_key.hpp"

#include <span>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "core/caller/api_keys.hpp"
#include "core/caller/caller_name.hpp"
#include "runtime/codec/text.hpp"
#include "surface/cli/effective_config.hpp"
#include "surface/cli/resolving.hpp"

namespace pawl::cli {
namespace {

constexpr std::size_t kRandomBytes = 32;

}  // namespace

Result<MadeApiKey> make_api_key(const config::Config& config, const std::string& set,
                                Entropy& entropy) {
    const auto found = config.callers.api_keys.find(set);
    if (found == config.callers.api_keys.end())
        return fail(Code::config_invalid,
                    fmt::format("the file has no `callers: {{ {}: {{ api_key: … }} }}`", set));
    std::string random(kRandomBytes, '\0');
    entropy.fill(std::as_writable_bytes(std::span{random}));
    MadeApiKey made;
    made.key = "pawl_" + to_base64url(random);
    made.hash = to_hex(caller::hash_of_api_key(found->second.secret.value, made.key).view());
    return made;
}

int run_new_api_key(const NewApiKey& wanted, const Common& common,
                    const config::Environment& environment) {
    if (!caller::is_caller_name(wanted.caller))
        return show_error(
            {Code::config_invalid,
             fmt::format("a caller's name has 1 to {} bytes", caller::kCallerBytesMax),
             {},
             {}},
            common.json);
    if (to_utf8(wanted.caller) != wanted.caller)
        return show_error({Code::config_invalid,
                           "a caller's name is text in UTF-8, because it stands in the file; "
                           "write it so",
                           {},
                           {}},
                          common.json);
    const auto effective = effective_config(common, environment);
    if (!effective) return show_error(effective.error(), common.json);
    SystemEntropy entropy;
    const auto made = make_api_key(effective->config, wanted.set, entropy);
    if (!made) return show_error(made.error(), common.json);
    const std::string& header = effective->config.callers.api_keys.at(wanted.set).header;
    if (common.json) {
        fmt::print("{}\n",
                   boost::json::serialize(boost::json::object{
                       {"caller", wanted.caller}, {"key", made->key}, {"hash", made->hash}}));
        return 0;
    }
    const std::string name =
        boost::json::serialize(boost::json::string(wanted.caller));  // as YAML reads it too
    fmt::print(
        "{}: {}\n\nIt is shown this once. Add to `callers: {{ {}: {{ api_key: {{ keys:` and "
        "reload:\n"
        "  - {{ caller: {}, hash: {} }}\n",
        header, made->key, wanted.set, name, made->hash);
    return 0;
}

}  // namespace pawl::cli
