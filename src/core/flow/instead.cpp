// SPDX-License-Identifier: Apache-2.0
#include "core/flow/instead.hpp"

#include <fmt/format.h>

#include "core/flow/transition.hpp"

namespace pawl::flow {

Refusal refuse(const Case& one, Objection why) {
    return {why.reason, std::move(why.text), one.entity.version, one.entity.state,
            std::move(why.winner)};
}

Arbitration for_person(const Case& one, std::string reason) {
    Arbitration told{Arbitration::Kind::attention,
                     std::move(reason),
                     one.entity.id,
                     one.entity.version,
                     {},
                     one.event.deadline};
    told.event = one.event;
    told.about = facts_said(one.machine, one.entity, one.event);
    return told;
}

Decision object(const Case& one, Objection why) {
    const bool nobody_listens = one.rule.external || one.event.sender == Sender::timer;
    if (!nobody_listens) return refuse(one, std::move(why));
    return for_person(one, fmt::format("{}: {}", name_of(why.reason), why.text));
}

Arbitration ignore(const Case& one, std::string reason) {
    return {
        Arbitration::Kind::ignored, std::move(reason), one.entity.id, one.entity.version, {}, {}};
}

Arbitration park(const Case& one) {
    WaitingFact fact = waiting_fact(one.entity.tenant, one.entity.flow, one.entity.business_key,
                                    one.entity.id, one.event, one.event.now_ms);
    return {Arbitration::Kind::parked, "early",         one.entity.id,
            one.entity.version,        std::move(fact), {}};
}

}  // namespace pawl::flow
