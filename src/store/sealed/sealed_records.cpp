// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/sealed_records.hpp"

namespace pawl::store {

void SealedRecords::seal(record::Call& call) const {
    if (!keys_.current) return;
    if (auto* complete = std::get_if<record::Complete>(&call))
        complete->answer =
            keys_.current->seal(complete->answer, complete->identity, complete->fence);
    if (auto* settle = std::get_if<record::Settle>(&call); settle != nullptr && settle->answer)
        settle->answer = keys_.current->seal(*settle->answer, settle->identity, settle->fence);
}

bool SealedRecords::open(record::Row& row, std::optional<record::Answer>& answer) const {
    if (!answer) return true;
    const auto id = sealed_under(*answer);
    if (!id) return true;
    const SealingKey* key = keys_.find(*id);
    std::optional<record::Answer> opened;
    if (key != nullptr && row.settled)
        opened = is_bound_to_claim(*answer) ? key->open_by_claim(*answer, row.identity, row.claim)
                                            : key->open(*answer, row.identity, row.settled->fence);
    answer = std::move(opened);
    if (answer) row.settled->answer_digest = record::digest_of(*answer);
    return answer.has_value();
}

Task<Result<Reply>> SealedRecords::apply(record::Call call) {
    seal(call);
    auto reply = co_await records_.apply(std::move(call));
    if (reply && !open(reply->row, reply->answer) && reply->outcome == record::Outcome::replay)
        reply->outcome = record::Outcome::expired;
    co_return reply;
}

Task<Result<std::optional<Stored>>> SealedRecords::read(Digest identity) {
    auto stored = co_await records_.read(identity);
    if (stored && *stored) (void)open((*stored)->row, (*stored)->answer);
    co_return stored;
}

}  // namespace pawl::store
