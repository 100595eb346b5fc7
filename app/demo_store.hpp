// SPDX-License-Identifier: Apache-2.0
// The store of the demonstration: a folder of its own that begins empty and goes with the process, as the
// demonstration's orders do. A store that outlived them would replay orders that nobody has.
#pragma once

#include <string>

#include "runtime/result/result.hpp"

namespace pawl::app {

class DemoStore {
  public:
    DemoStore() = default;
    ~DemoStore();
    DemoStore(const DemoStore&) = delete;
    DemoStore& operator=(const DemoStore&) = delete;

    // Makes the folder and returns the path of the store's file in it. Errors: unavailable.
    Result<std::string> begin();

  private:
    std::string folder_;
};

}  // namespace pawl::app
