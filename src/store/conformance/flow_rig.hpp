// SPDX-License-Identifier: Apache-2.0
// What the suite of flows needs of a store under test. Each program that links it names its stores in
// flow_stores_under_test().
#pragma once

#include <array>

#include "store/conformance/rig.hpp"
#include "store/port/damage.hpp"
#include "store/port/flow_store.hpp"

namespace pawl::store::conformance {

// Where a row's bytes are changed; a store without bytes only knows that it cannot be read.
enum class Harm : std::uint8_t { first_byte, middle, last_byte, cut, emptied };
inline constexpr std::array kHarms{Harm::first_byte, Harm::middle, Harm::last_byte, Harm::cut,
                                   Harm::emptied};
inline std::string harmed(std::string row, Harm harm) {
    const auto flip = [&row](std::size_t at) { row[at] = static_cast<char>(row[at] ^ 1); };
    switch (harm) {
        case Harm::first_byte:
            flip(0);
            return row;
        case Harm::middle:
            flip(row.size() / 2);
            return row;
        case Harm::last_byte:
            flip(row.size() - 1);
            return row;
        case Harm::cut:
            return row.substr(0, row.size() - 1);
        case Harm::emptied:
            break;
    }
    return {};
}

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
    // Harms a row: the one at that place of its table, in the order of its keys, after a restart. False: there is
    // no such row, or the table is not one of this store's.
    virtual bool damage(std::string_view table, std::size_t place, Harm harm) = 0;
    virtual DamageBook& damage_met() = 0;

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
