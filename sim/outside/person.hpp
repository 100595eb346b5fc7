// SPDX-License-Identifier: Apache-2.0
// Persons who look after unresolved operations: they look them up at the upstream and say what they saw. Some
// are impatient and override the rules; what follows from that is not Pawl's doing, and the name is excused.
#pragma once

#include "sim/node/node.hpp"

namespace pawl::sim {

class Person {
  public:
    Person(World& world, Upstream& upstream, Fleet& fleet)
        : world_(world), chance_(world.chance_for("person")), upstream_(upstream), fleet_(fleet) {}

    void set_dose(const Dose& dose) { dose_ = dose; }
    void start() { come(); }

  private:
    void come();
    void say_later(record::Settle word);
    std::optional<record::Settle> decide(const store::Stored& stored);

    World& world_;
    Chance chance_;
    Upstream& upstream_;
    Fleet& fleet_;
    Dose dose_;
};

}  // namespace pawl::sim
