// SPDX-License-Identifier: Apache-2.0
#include "sim/history/ledger.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace pawl::sim {

const Applied& Ledger::apply(Applied effect) {
    by_operation_.resize(std::max<std::size_t>(by_operation_.size(), effect.operation + 1));
    by_exchange_.resize(std::max<std::size_t>(by_exchange_.size(), effect.exchange + 1));
    ++by_operation_[effect.operation];
    by_exchange_[effect.exchange] = true;
    return effects_.emplace_back(effect);
}

Said& Ledger::say(Said said) {
    said.serial = static_cast<Number>(said_.size() + 1);
    return said_.emplace_back(std::move(said));
}

std::string etag_of(Number serial) { return fmt::format("\"{}\"", serial); }

Number serial_in(std::string_view etag) {
    if (etag.size() < 3 || etag.front() != '"' || etag.back() != '"') return 0;
    Number serial = 0;
    const char* const end = etag.data() + etag.size() - 1;
    const auto [stopped, error] = std::from_chars(etag.data() + 1, end, serial);
    return error == std::errc{} && stopped == end ? serial : 0;
}

}  // namespace pawl::sim
