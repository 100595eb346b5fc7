// SPDX-License-Identifier: Apache-2.0
// The suite on the SQLite engine without threads, and with generations so small that every history crosses
// several.
#include "store/sqlite/engine_rig.hpp"

namespace pawl::store::conformance {

std::vector<StoreUnderTest> stores_under_test() {
    return {{"sqlite_in_memory",
             [] { return std::make_unique<EngineRig>(sqlite::GenerationLimits{}); }},
            {"sqlite_small_generations",
             [] { return std::make_unique<EngineRig>(sqlite::GenerationLimits{.records = 7}); }}};
}

}  // namespace pawl::store::conformance
