// SPDX-License-Identifier: Apache-2.0
// What the suite of flows needs of a store under test. Each program that links it names its stores in
// flow_stores_under_test().
#pragma once

#include "store/conformance/rig.hpp"
#include "store/port/flow_store.hpp"

namespace pawl::store::conformance {

class FlowRig {
  public:
    virtual ~FlowRig() = default;
    virtual FlowStore& store() = 0;
    Flows& flows() { return store(); }
    Timers& timers() { return store(); }
    // Of the same store: the records that flows' commits write.
    virtual Records& records() = 0;
    virtual std::int64_t now_ms() const = 0;
    // As kill -9 and a start: whatever was answered is there.
    virtual void restart() = 0;
    virtual void limit(UnresolvedLimits limits) = 0;

    HandLoop& hand() { return hand_; }

  private:
    HandLoop hand_;
};

struct FlowStoreUnderTest {
    std::string name;
    std::function<std::unique_ptr<FlowRig>()> make;
};

// Defined by the program that links the suite.
std::vector<FlowStoreUnderTest> flow_stores_under_test();

}  // namespace pawl::store::conformance
