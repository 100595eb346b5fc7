// SPDX-License-Identifier: Apache-2.0
#include "surface/api/process_figures.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace pawl::api {
namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::uint64_t entries_of(const char* folder) {
    std::error_code error;
    std::uint64_t count = 0;
    for (auto one = std::filesystem::directory_iterator(folder, error);
         !error && one != std::filesystem::end(one); one.increment(error))
        ++count;
    return count;
}

}  // namespace

ProcessFigures figures_of_process() {
    ProcessFigures figures;
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        figures.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::uint64_t pages = 0;
    std::uint64_t resident = 0;
    if (std::ifstream statm("/proc/self/statm"); statm >> pages >> resident) {
        figures.virtual_bytes = pages * page_bytes;
        figures.resident_bytes = resident * page_bytes;
    }
    figures.open_files = entries_of("/proc/self/fd");
    figures.threads = entries_of("/proc/self/task");
    return figures;
}

}  // namespace pawl::api
