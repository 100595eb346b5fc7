// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_flows.hpp"

namespace pawl::sim {
namespace {

constexpr std::chrono::milliseconds kCallTimeout{150};

}  // namespace

Task<Result<store::FlowReply>> ShopFlows::commit(store::FlowCommit commit) {
    const Counted under_way(doing_.committing);
    if (on_step) on_step("commit");
    const auto unheard = [] {
        return fail(Code::unknown, "The store did not answer in time.", "simulated", "store");
    };
    if (partition_ == Partition::calls_lost) {
        co_await loop_.sleep_for(kCallTimeout);
        co_return unheard();
    }
    auto reply = co_await inner_.commit(std::move(commit));
    if (on_step) on_step("heard");
    if (partition_ != Partition::answers_lost) co_return reply;
    co_await loop_.sleep_for(kCallTimeout);
    co_return unheard();
}

Task<store::ErrandReply> ShopFlows::send(store::Errand errand) {
    if (on_step) on_step("errand");
    if (partition_ == Partition::calls_lost) {
        co_await loop_.sleep_for(kCallTimeout);
        co_return fail(Code::unknown, "The store did not answer in time.", "simulated", "store");
    }
    auto reply = co_await inner_.send(std::move(errand));
    if (partition_ != Partition::answers_lost) co_return reply;
    co_await loop_.sleep_for(kCallTimeout);
    co_return fail(Code::unknown, "The store did not answer in time.", "simulated", "store");
}

Task<Result<store::Loaded>> ShopFlows::load(store::FlowSubject subject) {
    if (partition_ == Partition::none) co_return co_await inner_.load(std::move(subject));
    co_await loop_.sleep_for(kCallTimeout);
    co_return fail(Code::unavailable, "The store did not answer in time.", "simulated", "store");
}

}  // namespace pawl::sim
