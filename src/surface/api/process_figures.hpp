// SPDX-License-Identifier: Apache-2.0
// What the kernel knows of this process, under the names that every Prometheus client uses.
#pragma once

#include <cstdint>

namespace pawl::api {

struct ProcessFigures {
    double cpu_seconds = 0;
    std::uint64_t resident_bytes = 0;
    std::uint64_t virtual_bytes = 0;
    std::uint64_t open_files = 0;
    std::uint64_t threads = 0;
};

// From /proc/self; zeros where it cannot be read.
ProcessFigures figures_of_process();

}  // namespace pawl::api
