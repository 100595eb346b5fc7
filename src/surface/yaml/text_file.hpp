// SPDX-License-Identifier: Apache-2.0
// The text of a file that a person wrote. Regular files only: a pipe would keep whoever reads it waiting.
#pragma once

#include <expected>
#include <string>

#include "core/policy/finding.hpp"

namespace pawl::yaml {

// At most one byte more than a file may have, so that the reader of the text finds it too long. What cannot be
// read is a finding without a line.
std::expected<std::string, policy::Finding> read_text_file(const std::string& path);

}  // namespace pawl::yaml
