// SPDX-License-Identifier: Apache-2.0
// R1: the last words on one operation, or one version of it, are byte-identical, whoever gets them, first or repeated.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class TerminalAnswersIdentical final : public Auditor {
  public:
    explicit TerminalAnswersIdentical(const AuditParts& parts)
        : Auditor("R1", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (answer.tone != Tone::settled || !is_bound(answer.name)) return;
        words_.resize(std::max<std::size_t>(words_.size(), answer.operation + 1));
        std::optional<Word>& word = words_[answer.operation];
        Word now{answer.response.status, answer.said->serial, answer.response.body,
                 std::string(http::first_of(answer.response.headers, "Content-Type")),
                 std::string(http::first_of(answer.response.headers, "Location"))};
        if (!word)
            word = std::move(now);
        else if (*word != now)
            find(
                "name {}: request {} was answered {} with the upstream's answer {}, before it was "
                "{} with {}",
                answer.name, answer.exchange, now.status, now.serial, word->status, word->serial);
    }

  private:
    struct Word {
        int status = 0;
        Number serial = 0;
        std::string body;
        std::string type;
        std::string location;
        bool operator==(const Word&) const = default;
    };
    std::vector<std::optional<Word>> words_;  // by operation
};

}  // namespace

AuditorPtr terminal_answers_identical(const AuditParts& parts) {
    return std::make_unique<TerminalAnswersIdentical>(parts);
}

}  // namespace pawl::sim
