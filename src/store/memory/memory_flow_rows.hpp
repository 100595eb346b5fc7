// SPDX-License-Identifier: Apache-2.0
// Rows of flows in maps, with what finds them. Every change can be taken back, for as long before a fail-over
// as the weakness of the shelf beside it says.
#pragma once

#include <functional>
#include <set>

#include "store/memory/memory_shelf.hpp"
#include "store/port/flow_rows.hpp"

namespace pawl::store {

struct EntityKey {
    std::string tenant;
    std::string flow;
    std::string order;  // order_of_id
    auto operator<=>(const EntityKey&) const = default;
};

class MemoryFlowRows final : public FlowRows {
  public:
    // `records` outlives them.
    explicit MemoryFlowRows(MemoryShelf& records) : records_(records) {}

    bool failed() const override { return false; }
    std::optional<flow::Entity> entity(const FlowSubject& subject) override;
    std::optional<flow::Fact> fact(const Digest& key) override;
    std::vector<flow::Slot> slots(const FlowSubject& of, const std::string& resource) override;
    std::optional<stock::Level> level(const std::string& tenant, const stock::Sku& sku) override;
    std::vector<flow::WaitingFact> waiting(const std::string& meeting) override;
    record::Row record(const Digest& identity) override;
    bool is_over_limit(const record::Claim& claim) override;
    std::optional<record::Answer> answer(const record::Row& row) override;

    void put_entity(const flow::Entity& entity) override;
    void add_step(const FlowSubject& subject, const FlowStep& step) override;
    void put_level(const std::string& tenant, const stock::Sku& sku,
                   const stock::Level& level) override;
    void put_fact(const flow::Fact& fact) override;
    void drop_fact(const Digest& key) override;
    void put_slot(const FlowSubject& of, const flow::Slot& slot) override;
    void drop_slot(const FlowSubject& of, const flow::Slot& slot) override;
    bool start_saga(const flow::SagaStart& saga) override;
    void put_waiting(const FlowSubject& subject, const flow::WaitingFact& fact) override;
    void drop_waiting(const flow::WaitingFact& fact) override;
    void put_attention(AttentionEntry entry) override;
    void put_record(const record::Row& before, const record::Row& after,
                    const record::Answer& answer) override;

    const std::map<EntityKey, flow::Entity>& entities() const { return entities_; }
    // By the earliest next_ms; without those in which nothing runs.
    const std::set<std::pair<std::int64_t, EntityKey>>& due() const { return due_; }
    const std::map<EntityKey, std::vector<FlowStep>>& history() const { return history_; }
    const std::map<std::uint64_t, WaitingEntry>& waiting() const { return waiting_; }
    const std::map<std::uint64_t, AttentionEntry>& attention() const { return attention_; }

    // Takes back what was written since.
    void lose(std::int64_t since_ms);

  private:
    using Resource = std::tuple<std::string, std::string, std::string>;

    // Sets or removes, and remembers what was there.
    template <class Map>
    void change(Map& map, const typename Map::key_type& key,
                std::optional<typename Map::mapped_type> value);
    void set_entity(const EntityKey& key, std::optional<flow::Entity> entity);
    void remember(std::function<void()> undo);

    struct Undo {
        std::int64_t at_ms = 0;
        std::function<void()> undo;
    };

    MemoryShelf& records_;
    std::map<EntityKey, flow::Entity> entities_;
    std::map<EntityKey, std::string>
        by_business_key_;  // order_of_id, by key in the place of the id
    std::set<std::pair<std::int64_t, EntityKey>> due_;
    std::map<EntityKey, std::vector<FlowStep>> history_;
    std::map<std::pair<std::string, stock::Sku>, stock::Level> levels_;
    std::map<Digest, flow::Fact> facts_;
    std::map<Resource, std::vector<flow::Slot>> slots_;
    std::map<Digest, flow::SagaStart> sagas_;
    std::map<std::uint64_t, WaitingEntry> waiting_;
    std::map<std::uint64_t, AttentionEntry> attention_;
    std::uint64_t last_number_ = 0;
    std::deque<Undo> tail_;
};

EntityKey key_of(const FlowSubject& subject);

}  // namespace pawl::store
