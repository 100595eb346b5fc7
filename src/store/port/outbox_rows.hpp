// SPDX-License-Identifier: Apache-2.0
// The errands of relays. Internal to this folder.
#pragma once

#include "store/port/errand_rows.hpp"

namespace pawl::store {

void open_sink(OutboxRows& rows, const OpenSink& one);
Status deliver(OutboxRows& rows, const Delivered& one, std::int64_t now_ms);
// How many.
std::size_t redrive(OutboxRows& rows, const std::string& sink, std::int64_t now_ms);

}  // namespace pawl::store
