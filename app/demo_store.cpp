// SPDX-License-Identifier: Apache-2.0
#include "app/demo_store.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace pawl::app {

DemoStore::~DemoStore() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

Result<std::string> DemoStore::begin() {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::temp_directory_path(error);
    std::string pattern = (place / "pawl-demo-XXXXXX").string();
    if (error || mkdtemp(pattern.data()) == nullptr)
        return fail(Code::unavailable,
                    fmt::format("no folder can be made in {} for the demonstration's store; name a "
                                "store's file with --store",
                                error ? "the folder for temporary files" : place.string()));
    folder_ = pattern;
    return folder_ + "/pawl.db";
}

}  // namespace pawl::app
