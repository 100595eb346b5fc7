// SPDX-License-Identifier: Apache-2.0
// The suite on the simulator's store.
#include "store/memory/memory_rig.hpp"

namespace pawl::store::conformance {

std::vector<StoreUnderTest> stores_under_test() {
    return {{"memory", [] { return std::make_unique<MemoryRig>(); }}};
}

}  // namespace pawl::store::conformance
