// SPDX-License-Identifier: Apache-2.0
// What came of facts and is nobody's notification's own business: counted from every loop, whoever told them.
#pragma once

#include "runtime/meter/meter.hpp"

namespace pawl::engine {

struct FactFigures {
    Counter
        second_payments;  // an event that had taken effect came again as another fact, and is compensated
};

}  // namespace pawl::engine
