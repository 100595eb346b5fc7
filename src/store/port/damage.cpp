// SPDX-License-Identifier: Apache-2.0
#include "store/port/damage.hpp"

namespace pawl::store {

void DamageBook::met(std::string_view table, std::string whose) {
    const std::scoped_lock lock(mutex_);
    DamagedRow row{std::string(table), std::move(whose)};
    if (known_.size() >= kDamagedRowsNamed) {
        if (!known_.contains(row)) rows_.add(1);
        return;
    }
    if (!known_.insert(row).second) return;
    rows_.add(1);
    news_.push_back(std::move(row));
}

std::vector<DamagedRow> DamageBook::news() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(news_, {});
}

}  // namespace pawl::store
