// SPDX-License-Identifier: Apache-2.0
// A secret as a configuration names it: never in the file itself.
#pragma once

#include <string>

namespace pawl::policy {

struct Secret {
    std::string file;      // its first line is the secret
    std::string value;     // from the environment, or read from the file; empty: none
    std::string variable;  // of the environment, where the file names it
    bool given() const { return !file.empty() || !value.empty(); }
};

}  // namespace pawl::policy
