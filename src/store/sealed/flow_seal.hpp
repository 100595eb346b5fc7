// SPDX-License-Identifier: Apache-2.0
// What a flow says is hidden from its store, value by value, and bound to where it lies: nothing that is moved to
// another row, another field or another version opens there.
//
//   hidden                                  bound to
//   --------------------------------------  ---------------------------------------------
//   a field of an entity                    tenant, flow, id, the field's name
//   an entity's items                       tenant, flow, id
//   values and items of a row of history    tenant, flow, id, version
//   a value of a unique fact                the fact's key, the value's name; also of one that an entry is about
//   a value of a compensation               its key, the value's name
//   values and items of a waiting fact      its key
//   reason, values, items of an entry       tenant, flow, id (or business key), the event's name
//   the answer of a request                 identity and claim of its record
//
// Not hidden, because a store judges and finds by it: ids, business keys, states, callers, times, slots, stock, and
// digests of facts.
#pragma once

#include "store/port/errand_rows.hpp"
#include "store/sealed/sealing_key.hpp"

namespace pawl::store {

class FlowSeal {
  public:
    // `keys` outlives it.
    explicit FlowSeal(const SealingKeys& keys) : keys_(keys) {}

    void seal(FlowCommit& commit) const;

    // False: something in it is of a key that is not here, or lies where it was not put.
    bool open(flow::Entity& entity) const;
    bool open(FlowStep& step, const FlowSubject& subject) const;
    bool open(flow::History& history, const FlowSubject& subject) const;
    bool open(flow::WaitingFact& fact) const;
    bool open(AttentionEntry& entry) const;
    bool open(flow::SagaStart& saga) const;
    // `claim`: of the record's row.
    bool open(record::Answer& answer, const Digest& identity, record::ClaimId claim) const;

  private:
    void hide(std::string& text, const Digest& place) const;
    bool show(std::string& text, const Digest& place) const;
    void hide(flow::Given& values, std::vector<stock::Line>& items, const Digest& place) const;
    bool show(flow::Given& values, std::vector<stock::Line>& items, const Digest& place) const;
    void hide(flow::Texts& values, const Digest& key) const;
    bool show(flow::Texts& values, const Digest& key) const;
    void seal(flow::Bundle& bundle) const;
    void seal(flow::WaitingFact& fact) const;

    const SealingKeys& keys_;
};

}  // namespace pawl::store
