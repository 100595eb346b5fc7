// SPDX-License-Identifier: Apache-2.0
// The store of an embedding program: one SQLite file, one writer thread, one loop in front of it.
#pragma once

#include <memory>
#include <string>

#include "runtime/task/loop.hpp"
#include "store/port/records.hpp"

namespace pawl::library {

class EmbeddedStore {
  public:
    virtual ~EmbeddedStore() = default;
    virtual store::Records& records() = 0;
    virtual std::uint64_t boot() const = 0;
};

// Errors: store_locked, store_readonly, store_full, store_corrupt, store_newer.
Result<std::unique_ptr<EmbeddedStore>> open_embedded_store(std::string path, Loop& loop);

}  // namespace pawl::library
