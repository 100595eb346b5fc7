// SPDX-License-Identifier: Apache-2.0
#include "surface/yaml/text_file.hpp"

#include <fmt/format.h>

#include "runtime/file/named_file.hpp"
#include "surface/yaml/yaml_tree.hpp"

namespace pawl::yaml {

std::expected<std::string, policy::Finding> read_text_file(const std::string& path) {
    auto text = read_start_of(path, kFileBytesMax + 1);
    if (!text)
        return std::unexpected(policy::Finding{policy::Severity::error, 0, 0,
                                               fmt::format("the file {}", text.error().what),
                                               std::string(text.error().remedy)});
    return *std::move(text);
}

}  // namespace pawl::yaml
