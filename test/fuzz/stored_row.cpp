// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stored row or answer, the seal put right so that what lies behind it is reached: whatever is
// read is written back as the same value, and what is refused says so as one of two codes.
#include <cstdint>
#include <string_view>

#include "core/record/row_format.hpp"
#include "core/record/wire.hpp"
#include "runtime/result/assert.hpp"

namespace {

template <class Value>
void judge(std::string_view bytes, const pawl::Result<Value>& value, auto&& decode) {
    if (!value) {
        PAWL_ASSERT(value.error().code == pawl::Code::store_newer ||
                    value.error().code == pawl::Code::store_corrupt);
        return;
    }
    const std::string written = pawl::record::encode(*value);
    const pawl::Result<Value> again = decode(written);
    PAWL_ASSERT(again && *again == *value);
    PAWL_ASSERT(written.size() <= bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    pawl::record::WireWriter sealed;
    sealed.raw(input);
    sealed.seal();
    const std::string row = sealed.take();
    judge(row, pawl::record::decode_row(row), pawl::record::decode_row);
    judge(input, pawl::record::decode_row(input), pawl::record::decode_row);
    judge(input, pawl::record::decode_answer(input), pawl::record::decode_answer);
    return 0;
}
