// SPDX-License-Identifier: Apache-2.0
// E4: what was acknowledged stays acknowledged. A request that is sent after the first last word of its
// operation gets that word again, or is told to come back; never a second run, and never that the outcome is
// unknown, unless a node says so that has not heard yet that the record holds the result.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class NoSuccessLost final : public Auditor {
  public:
    explicit NoSuccessLost(const AuditParts& parts)
        : Auditor("E4", parts.book, parts.ledger, parts.findings), rules_(parts.rules) {}

    void sent(const Sent& event) override { now_ = event.at; }

    // A result is kept from when it is settled, which may be long before somebody hears it.
    void committed(const Committed& event) override {
        if (event.name == 0) return;
        settled_at_.resize(std::max<std::size_t>(settled_at_.size(), event.name + 1));
        if (event.after.state == record::State::completed &&
            event.before.state != record::State::completed)
            settled_at_[event.name] = now_;
        held_.resize(std::max<std::size_t>(held_.size(), event.name + 1));
        held_[event.name] = event.after.state == record::State::completed ||
                            event.after.state == record::State::tombstone;
    }

    void answered(const Answered& answer) override {
        now_ = answer.at;
        if (!is_bound(answer.name)) return;
        acknowledged_.resize(std::max<std::size_t>(acknowledged_.size(), answer.operation + 1));
        std::optional<Word>& word = acknowledged_[answer.operation];
        if (word && answer.sent_at > word->at && !is_kept(*word, answer))
            find("name {}: request {} was told {} ({}) after {} had been answered at {} ms",
                 answer.name, answer.exchange, name_of(answer.tone), answer.response.status,
                 word->intent,
                 std::chrono::duration_cast<std::chrono::milliseconds>(word->at.time_since_epoch())
                     .count());
        if (answer.tone == Tone::settled && !word) {
            word = Word{answer.at, answer.intent,
                        answer.response.body.size() > rules_.answer_bytes_max,
                        answer.said != nullptr && !answer.said->applied};
        }
    }

  private:
    struct Word {
        MonotonicTime at{};
        Number intent = 0;
        bool too_long = false;  // to be kept
        bool refusal = false;
    };

    bool is_kept(const Word& word, const Answered& answer) const {
        switch (answer.tone) {
            case Tone::settled:
            case Tone::in_progress:
            case Tone::limited:
            case Tone::unavailable:
            case Tone::malformed:
            case Tone::forbidden:
                return true;
            case Tone::mismatch:
                return answer.intent != word.intent;
            case Tone::stale:  // there is a newer version, or there was one that was not applied
                return book_.has_newer(answer.intent);
            case Tone::expired:
                return word.too_long ||
                       answer.at - std::min(word.at, settled_at(answer.name)) >=
                           (word.refusal ? rules_.refusal_kept : rules_.result_kept) -
                               std::chrono::seconds{1};
            case Tone::uncertain:
                return answer.name < held_.size() && held_[answer.name];
            case Tone::released:
            case Tone::doubtful:
            case Tone::strange:
                break;
        }
        return false;
    }

    MonotonicTime settled_at(Number name) const {
        return name < settled_at_.size() ? settled_at_[name].value_or(now_) : now_;
    }

    AuditRules rules_;
    MonotonicTime now_{};                                   // of the last event that says it
    std::vector<std::optional<MonotonicTime>> settled_at_;  // by name
    std::vector<std::optional<Word>> acknowledged_;         // by operation
    std::vector<bool> held_;  // by name: the record holds a result, or that there was one
};

}  // namespace

AuditorPtr no_success_lost(const AuditParts& parts) {
    return std::make_unique<NoSuccessLost>(parts);
}

}  // namespace pawl::sim
