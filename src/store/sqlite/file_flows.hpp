// SPDX-License-Identifier: Apache-2.0
// The flows in a store's file as a person reads them who has no server: of the same state of the file as the looks that
// it stands on. Changes nothing; every commit is refused.
#pragma once

#include "store/port/flow_shelf.hpp"
#include "store/sqlite/file_looks.hpp"

namespace pawl::sqlite {

class FileFlows final : public store::FlowShelf {
  public:
    // `looks` outlives it.
    explicit FileFlows(FileLooks& looks) : looks_(looks.look_ups()) {}

    std::vector<Result<store::FlowReply>> commit_flows(
        std::span<const store::FlowCommit> commits) override;
    Result<store::Loaded> load(const store::FlowSubject& subject) override;
    Result<std::vector<flow::Entity>> page(const store::PageQuery& query) override;
    Result<std::vector<store::FlowStep>> history(const store::FlowSubject& subject,
                                                 std::uint64_t after, std::size_t limit) override;
    Result<store::StatesSlice> states(const std::string& from, std::size_t limit) override;
    Result<std::optional<stock::Level>> level(const std::string& tenant,
                                              const stock::Sku& sku) override;
    Result<std::vector<store::WaitingEntry>> waiting(std::uint64_t after,
                                                     std::size_t limit) override;
    Result<std::vector<store::AttentionEntry>> attention(std::uint64_t after,
                                                         std::size_t limit) override;
    Result<std::vector<store::AttentionEntry>> entries(const store::EntriesQuery& query) override;
    Result<store::DueRows> due(std::int64_t until_ms, std::size_t limit) override;
    Result<std::int64_t> next_due_ms() override;
    std::vector<store::ErrandReply> commit_errands(std::span<const store::Errand> errands) override;
    Result<store::SagaRows> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Result<std::vector<store::SagaRow>> sagas(std::optional<store::SagaState> state,
                                              std::uint64_t after, std::size_t limit) override;
    Result<std::vector<store::SagaRow>> look_at_sagas(const store::SagasQuery& query) override;
    Result<store::OutboxLook> unsent(const std::string& sink, std::size_t limit) override;
    Result<std::vector<store::ParkedRow>> parked(const std::string& sink,
                                                 std::size_t limit) override;
    Result<store::OutboxFigures> outbox_figures(const std::string& sink) override;
    Result<std::vector<std::string>> sinks() override;

  private:
    LookUps& looks_;
};

}  // namespace pawl::sqlite
