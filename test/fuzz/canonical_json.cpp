// SPDX-License-Identifier: Apache-2.0
// Any bytes, as a document and as a path. The canonical form is its own canonical form and hardly longer than
// the text. Boost.JSON, which shares no code with it, agrees on what is JSON, but for what we refuse beyond
// the grammar (members that stand twice, exponents beyond all measure) and for doubles that it cannot make.
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "core/key/json.hpp"
#include "runtime/result/assert.hpp"

namespace {

namespace key = pawl::key;

void agree_with_boost(std::string_view text, const pawl::Result<std::string>& canonical) {
    boost::json::error_code error;
    boost::json::parse_options options;
    options.max_depth = key::kJsonDepthMax;
    const boost::json::value value = boost::json::parse(text, error, {}, options);
    if (canonical) {
        PAWL_ASSERT(!error || error == boost::json::error::exponent_overflow);
    } else if (!error) {
        const std::string& why = canonical.error().text;
        PAWL_ASSERT(why.contains("twice") || why.contains("beyond all measure"));
    }
}

// Every value of the document is found at its path, and excluding it leaves a document without it.
void visit_paths(std::string_view text) {
    for (const char* at : {"$", "$.a", "$.a.b", "$[0]", "$[1].a", "$.a[0]", "$['']"}) {
        const key::JsonPath path = *key::parse_json_path(at);
        const auto found = key::json_at(text, path);
        PAWL_ASSERT(found.has_value());
        const auto without = key::canonical_json(text, {{}, {path}});
        const auto only = key::canonical_json(text, {{path}, {}});
        PAWL_ASSERT(without && only);
        PAWL_ASSERT(key::json_at(*only, path)->has_value() || *only == "null" || at[1] == '[' ||
                    at[3] == '[');
        if (!*found) PAWL_ASSERT(*without == *key::canonical_json(text) && *only == "null");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    if (const auto path = key::parse_json_path(text)) PAWL_ASSERT(path->text == text);
    const auto canonical = key::canonical_json(text);
    agree_with_boost(text, canonical);
    if (!canonical) {
        PAWL_ASSERT(canonical.error().code == pawl::Code::request_invalid);
        PAWL_ASSERT(!key::json_at(text, {}));
        return 0;
    }
    PAWL_ASSERT(canonical->size() <= size + size / 2 + 1);
    PAWL_ASSERT(key::canonical_json(*canonical) == *canonical);
    visit_paths(text);
    return 0;
}
