// SPDX-License-Identifier: Apache-2.0
// One event under way: what is known so far, and the rounds until it is decided. Internal to this folder.
#pragma once

#include "engine/committer.hpp"
#include "engine/draft.hpp"

namespace pawl::engine {

// Sends the same commit until the store says what became of it, or the patience ends.
struct Sure {
    Result<store::FlowReply> reply;
    bool may_arrive = false;  // an earlier sending may be applied, or may yet be
};
Task<Sure> commit_surely(Setting setting, store::FlowCommit commit);
// What an earlier sending may have done, no later error takes back.
Error told_after(Error error, bool may_arrive);
// The claim under the rule of a record that was made with another one; false: nobody knows it any more.
bool follow_rule(record::Claim& claim, const FingerprintUnder& fingerprint_under,
                 const record::Verdict& verdict);
// A claim id of zeros is drawn.
void name_claim(std::optional<record::Claim>& claim, Entropy& entropy);

class Deciding {
  public:
    // `store_now` outlives it. `for_people`: why it goes to the attention list, whatever the flow says of it.
    Deciding(Setting setting, StoreNow& store_now, std::shared_ptr<const Machines> machines,
             Sent sent, std::string for_people = {});
    Deciding(const Deciding&) = delete;
    Deciding& operator=(const Deciding&) = delete;

    Task<Result<Outcome>> run();

  private:
    using Decided = std::optional<Result<Outcome>>;  // nullopt: another round

    Task<Result<Outcome>> rounds();
    Task<Status> look();
    void seen(std::int64_t now_ms);
    flow::Decision judge() const;
    flow::Decision judge_unrefused() const;
    Task<Result<flow::Decision>> judge_with_probe();
    Task<Decided> settle(flow::Decision decision);
    Task<Decided> commit(Draft made);
    Task<Decided> lost(Draft made, store::FlowReply reply);
    Task<Decided> on_record(record::Verdict verdict, std::optional<record::Answer> answer);
    Task<Result<bool>> is_ours(store::FlowCommit commit);
    Task<Decided> repeat(flow::Repeat repeat);
    Task<Result<std::optional<store::FlowStep>>> step_of(flow::Repeat repeat);
    Task<Result<std::optional<flow::Refusal>>> unlike_first(flow::Repeat repeat,
                                                            std::optional<store::FlowStep> step);
    Task<record::Answer> answer_of_repeat(flow::Repeat repeat, std::optional<store::FlowStep> step);
    Task<std::optional<record::Answer>> first_result(std::optional<store::FlowStep> step);
    Task<std::optional<flow::Entity>> entity_of(std::string id);
    Outcome finish(Draft made, store::FlowReply reply);

    Sight sight() const;
    bool is_fact() const;
    flow::OnRepeat on_repeat() const;
    Error after_error(Error error) const;

    Setting setting_;
    StoreNow& store_now_;
    std::shared_ptr<const Machines> machines_;  // of when it began, whatever is loaded meanwhile
    const flow::Machine* machine_;
    const flow::EventRule* rule_ = nullptr;
    Sent sent_;
    std::string for_people_;
    std::optional<flow::Entity> entity_;
    flow::Circumstances known_;
    std::uint64_t known_of_ = 0;  // the version that `known_` was found out about
    int reloads_ = 0;
    bool may_arrive_ = false;  // a commit whose outcome nobody knows is about
    bool must_look_ = false;   // a creation: somebody else has its id
    std::optional<flow::WaitingFact> asked_later_;
};

}  // namespace pawl::engine
