// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/file_flows.hpp"

namespace pawl::sqlite {
namespace {

std::unexpected<Error> refused() {
    return fail(Code::store_readonly, "The store's file is open for reading only.", {},
                "store.sqlite");
}

}  // namespace

std::vector<Result<store::FlowReply>> FileFlows::commit_flows(
    std::span<const store::FlowCommit> commits) {
    std::vector<Result<store::FlowReply>> replies;
    for (std::size_t i = 0; i < commits.size(); ++i) replies.emplace_back(refused());
    return replies;
}

std::vector<store::ErrandReply> FileFlows::commit_errands(std::span<const store::Errand> errands) {
    std::vector<store::ErrandReply> replies;
    for (std::size_t i = 0; i < errands.size(); ++i) replies.emplace_back(refused());
    return replies;
}

Result<store::Loaded> FileFlows::load(const store::FlowSubject& subject) {
    return looks_.flow(subject);
}

Result<std::vector<flow::Entity>> FileFlows::page(const store::PageQuery& query) {
    return looks_.told(looks_.flows().page(query));
}

Result<std::vector<store::FlowStep>> FileFlows::history(const store::FlowSubject& subject,
                                                        std::uint64_t after, std::size_t limit) {
    return looks_.told(looks_.flows().history(subject, after, limit));
}

Result<store::StatesSlice> FileFlows::states(const std::string& from, std::size_t limit) {
    return looks_.told(looks_.flows().states(from, limit));
}

Result<std::optional<stock::Level>> FileFlows::level(const std::string& tenant,
                                                     const stock::Sku& sku) {
    return looks_.told(looks_.flows().level(tenant, sku));
}

Result<std::vector<store::WaitingEntry>> FileFlows::waiting(std::uint64_t after,
                                                            std::size_t limit) {
    return looks_.told(looks_.flows().waiting(after, limit));
}

Result<std::vector<store::AttentionEntry>> FileFlows::attention(std::uint64_t after,
                                                                std::size_t limit) {
    return looks_.told(looks_.flows().attention(after, limit));
}

Result<std::vector<store::AttentionEntry>> FileFlows::entries(const store::EntriesQuery& query) {
    return looks_.told(looks_.flows().entries(query));
}

Result<store::DueRows> FileFlows::due(std::int64_t until_ms, std::size_t limit) {
    return looks_.due(until_ms, limit);
}

Result<std::int64_t> FileFlows::next_due_ms() { return looks_.told(looks_.flows().next_due_ms()); }

Result<store::SagaRows> FileFlows::due_sagas(std::int64_t until_ms, std::size_t limit) {
    return looks_.due_sagas(until_ms, limit);
}

Result<std::vector<store::SagaRow>> FileFlows::sagas(std::optional<store::SagaState> state,
                                                     std::uint64_t after, std::size_t limit) {
    return looks_.told(looks_.flows().sagas(state, after, limit));
}

Result<std::vector<store::SagaRow>> FileFlows::look_at_sagas(const store::SagasQuery& query) {
    return looks_.told(looks_.flows().look_at_sagas(query));
}

Result<store::OutboxLook> FileFlows::unsent(const std::string& sink, std::size_t limit) {
    return looks_.unsent(sink, limit);
}

Result<std::vector<store::ParkedRow>> FileFlows::parked(const std::string& sink,
                                                        std::size_t limit) {
    return looks_.parked(sink, limit);
}

Result<store::OutboxFigures> FileFlows::outbox_figures(const std::string& sink) {
    return looks_.outbox_figures(sink);
}

Result<std::vector<std::string>> FileFlows::sinks() { return looks_.sinks(); }

}  // namespace pawl::sqlite
