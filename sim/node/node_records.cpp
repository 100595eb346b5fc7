// SPDX-License-Identifier: Apache-2.0
#include "sim/node/node_records.hpp"

namespace pawl::sim {
namespace {

constexpr std::chrono::milliseconds kCallTimeout{150};

// Ends with the coroutine, also when its node dies.
class Underway {
  public:
    Underway(int* count, ClaimsInFlight& in_flight, const record::ClaimId* claim)
        : count_(count), in_flight_(in_flight) {
        if (count_ != nullptr) ++*count_;
        if (claim == nullptr) return;
        claim_ = *claim;
        in_flight_.begin(*claim_);
    }
    Underway(const Underway&) = delete;
    Underway& operator=(const Underway&) = delete;
    ~Underway() {
        if (count_ != nullptr) --*count_;
        if (claim_) in_flight_.end(*claim_);
    }

  private:
    int* count_;
    ClaimsInFlight& in_flight_;
    std::optional<record::ClaimId> claim_;
};

}  // namespace

int* NodeRecords::count_of(const record::Call& call) {
    if (std::holds_alternative<record::Claim>(call)) return &doing_.claiming;
    if (std::holds_alternative<record::Complete>(call)) return &doing_.completing;
    if (std::holds_alternative<record::Release>(call)) return &doing_.releasing;
    if (std::holds_alternative<record::Suspect>(call)) return &doing_.suspecting;
    if (std::holds_alternative<record::Withdraw>(call)) return &doing_.withdrawing;
    return nullptr;
}

Task<Result<store::Reply>> NodeRecords::apply(record::Call call) {
    const auto* claim = std::get_if<record::Claim>(&call);
    const Underway underway(count_of(call), in_flight_, claim == nullptr ? nullptr : &claim->claim);
    if (on_call) on_call(record::name_of(call));
    if (partition_ == Partition::calls_lost) {
        co_await loop_.sleep_for(kCallTimeout);
        co_return fail(Code::unknown, "The store did not answer.", "partition", "store");
    }
    auto reply = co_await inner_.apply(std::move(call));
    if (partition_ != Partition::answers_lost) co_return reply;
    co_await loop_.sleep_for(kCallTimeout);
    co_return fail(Code::unknown, "The store did not answer.", "partition", "store");
}

Task<Result<std::optional<store::Stored>>> NodeRecords::read(Digest identity) {
    if (partition_ == Partition::none) co_return co_await inner_.read(identity);
    co_await loop_.sleep_for(kCallTimeout);
    co_return fail(Code::unavailable, "The store did not answer.", "partition", "store");
}

}  // namespace pawl::sim
