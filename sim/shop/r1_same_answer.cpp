// SPDX-License-Identifier: Apache-2.0
// R1: the last word under one key is the same, byte for byte, whoever of its repeats is told it. R5: a key that
// was used for something else moves nothing. What is not stored as a result (undecided, contended, limited) may
// read otherwise the next time.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class SameAnswer final : public ShopAuditor {
  public:
    explicit SameAnswer(const ShopAuditParts& parts) : ShopAuditor("R1", parts) {}

    void answered(const ShopAnswer& event) override {
        const auto& claim = event.wish.sent.claim;
        if (!claim || event.wish.sent.event.sender != flow::Sender::caller) return;
        if (!event.outcome.answer) {
            find("wish {} was told {} without an answer", event.wish.number,
                 engine::name_of(event.outcome.told));
            return;
        }
        if (!is_last_word(event.outcome)) return;
        const auto [at, fresh] = first_.emplace(
            claim->identity, First{*event.outcome.answer, claim->fingerprint, event.wish.number});
        if (fresh) return;
        if (at->second.fingerprint != claim->fingerprint)
            find("wishes {} and {} mean different things under `{}`, and both got a last word",
                 at->second.wish, event.wish.number, claim->key_label);
        else if (at->second.answer != *event.outcome.answer)
            find("`{}` was answered {} `{}` and then {} `{}`", claim->key_label,
                 at->second.answer.status, at->second.answer.body, event.outcome.answer->status,
                 event.outcome.answer->body);
    }

  private:
    struct First {
        record::Answer answer;
        Digest fingerprint;
        Number wish = 0;
    };

    static bool is_last_word(const engine::Outcome& outcome) {
        using engine::Told;
        if (outcome.told == Told::applied || outcome.told == Told::repeated ||
            outcome.told == Told::present)
            return true;
        return outcome.told == Told::refused && outcome.refusal &&
               flow::row_of(outcome.refusal->reason).stored;
    }

    std::map<Digest, First> first_;  // by identity
};

}  // namespace

ShopAuditorPtr same_answer(const ShopAuditParts& parts) {
    return std::make_unique<SameAnswer>(parts);
}

}  // namespace pawl::sim
