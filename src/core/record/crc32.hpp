// SPDX-License-Identifier: Apache-2.0
// CRC-32 (ISO-HDLC, as in zlib and Boost.CRC), eight bytes a step: rows are sealed and checked inside the
// store's one writer, where Boost's byte a step took most of the time of a whole encode.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl::record {

std::uint32_t crc32(std::string_view bytes);

}  // namespace pawl::record
