// SPDX-License-Identifier: Apache-2.0
// Any texts, one a line, as version stamps: what is taken is written the same when it is read again, and the order
// of any three is an order.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/stamp.hpp"
#include "runtime/result/assert.hpp"

namespace {

using namespace pawl::record;

std::vector<Stamp> stamps_in(std::string_view input) {
    std::vector<Stamp> stamps;
    for (std::size_t from = 0; from <= input.size() && stamps.size() < 3;) {
        const std::size_t to = std::min(input.find('\n', from), input.size());
        auto stamp = parse_stamp(input.substr(from, to - from));
        from = to + 1;
        if (!stamp) {
            PAWL_ASSERT(stamp.error().code == pawl::Code::version_invalid &&
                        !stamp.error().text.empty());
            continue;
        }
        stamps.push_back(*std::move(stamp));
    }
    return stamps;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const auto stamps = stamps_in({reinterpret_cast<const char*>(bytes), size});
    for (const Stamp& stamp : stamps) {
        PAWL_ASSERT(!stamp.canonical.empty() && stamp.canonical.size() <= kStampLengthMax);
        const bool time = stamp.kind == StampKind::time;
        PAWL_ASSERT(parse_stamp(stamp.canonical + (time ? "Z" : "")) == stamp);
    }
    for (const Stamp& a : stamps)
        for (const Stamp& b : stamps) {
            if (a.kind != b.kind) continue;
            const auto order = compare(a, b);
            PAWL_ASSERT((order == 0) == (a == b) && compare(b, a) == 0 <=> order);
            for (const Stamp& c : stamps)
                if (c.kind == a.kind && order < 0 && compare(b, c) < 0)
                    PAWL_ASSERT(compare(a, c) < 0);
        }
    return 0;
}
