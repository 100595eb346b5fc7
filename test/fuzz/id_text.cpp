// SPDX-License-Identifier: Apache-2.0
// Any bytes as an id, alone, with a check code, and as a triple: what is taken is written back as it came.
#include <cstdint>
#include <string>

#include "core/id/check_code.hpp"
#include "core/id/layout.hpp"
#include "core/id/triple_id.hpp"
#include "runtime/result/assert.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace pawl::id;
    using Kind = pawl::key::JsonValue::Kind;
    const std::string input(reinterpret_cast<const char*>(bytes), size);
    const Layout layout;
    const std::vector<std::string> fields{"fuzz"};
    const auto id = parse_id(input);
    if (id) {
        PAWL_ASSERT(*id > 0 && to_text(*id) == input);
        PAWL_ASSERT(pack(layout, unpack(layout, *id)) == *id);
        const auto back = parse_written_id(to_checked_text(*id, fields));
        PAWL_ASSERT(back && back->id == *id && fits(*back, fields));
        PAWL_ASSERT(parse_written_id(input) == (WrittenId{*id, ""}));
    }
    const auto number = id_in_json({Kind::number, input});
    PAWL_ASSERT(!number || (id && *number == *id));
    if (const auto written = parse_written_id(input); written && fits(*written, fields)) {
        const std::string made = to_checked_text(written->id, fields);
        PAWL_ASSERT(made.ends_with("-" + written->code) && made.size() == input.size());
    }
    if (const auto triple = parse_triple_id(input))
        PAWL_ASSERT(triple_id(triple->trace, triple->order, triple->at_ms) == input);
    const std::string made = triple_id(input, input, static_cast<std::int64_t>(size));
    PAWL_ASSERT(made.size() <= kTripleLengthMax && parse_triple_id(made));
    return 0;
}
