// SPDX-License-Identifier: Apache-2.0
// Rows of flows in maps, with what finds them. Every change can be taken back, for as long before a fail-over
// as the weakness of the shelf beside it says.
#pragma once

#include <functional>
#include <set>

#include "store/memory/memory_shelf.hpp"
#include "store/port/damage.hpp"
#include "store/port/errand_rows.hpp"
#include "store/port/flow_rows.hpp"

namespace pawl::store {

struct EntityKey {
    std::string tenant;
    std::string flow;
    std::string order;  // order_of_id
    auto operator<=>(const EntityKey&) const = default;
};

class MemoryFlowRows final : public FlowRows, public ErrandRows {
  public:
    // `records` outlives them.
    explicit MemoryFlowRows(MemoryShelf& records) : records_(records) {}

    // From now on a row cannot be read: the one at that place of its table, in the order of its keys. False:
    // there is none.
    bool damage(std::string_view table, std::size_t place);
    DamageBook& damage_met() { return damage_met_; }

    bool failed() const override { return failed_; }
    // Before the next commit.
    void forget_failure() { failed_ = false; }
    std::optional<flow::Entity> entity(const FlowSubject& subject) override;
    std::optional<flow::Fact> fact(const Digest& key) override;
    std::optional<flow::Holder> saga_begun(const Digest& key) override;
    std::optional<std::uint64_t> settled_on(const Digest& entry) override;
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
    void put_fact(const FlowSubject& of, const flow::Fact& fact) override;
    void drop_fact(const FlowSubject& of, const Digest& key) override;
    void put_slot(const FlowSubject& of, const flow::Slot& slot) override;
    void drop_slot(const FlowSubject& of, const flow::Slot& slot) override;
    bool start_saga(const SagaRow& saga) override;
    void put_waiting(const FlowSubject& subject, const flow::WaitingFact& fact,
                     std::int64_t now_ms) override;
    void drop_waiting(const flow::WaitingFact& fact, std::int64_t remember_until_ms) override;
    void put_attention(AttentionEntry entry, std::int64_t closed_after_ms) override;
    std::vector<AttentionEntry> open_about(const Digest& fact) override;
    void put_record(const record::Row& before, const record::Row& after,
                    const record::Answer& answer) override;

    std::optional<std::uint64_t> position(const std::string& sink) override;
    std::vector<std::string> sinks() override;
    std::uint64_t last_step() override;
    std::optional<StoredStep> step(std::uint64_t number) override;
    std::vector<StoredStep> outgoing(std::uint64_t after, std::size_t limit) override;
    std::uint64_t count_outgoing(std::uint64_t after, std::size_t limit) override;
    std::optional<HeldRow> held(const std::string& sink, std::uint64_t number) override;
    std::optional<HeldRow> first_held(const std::string& sink, const FlowSubject& of) override;
    std::vector<HeldRow> held_as(const std::string& sink, HeldRow::As as, std::int64_t until_ms,
                                 std::size_t limit) override;
    HeldCounts held_counts(const std::string& sink) override;
    std::optional<HeldRow> held_after(const std::string& sink, std::uint64_t number) override;
    void put_position(const std::string& sink, std::uint64_t number) override;
    void put_held(const std::string& sink, const FlowSubject& of, const HeldRow& row) override;
    void drop_held(const std::string& sink, std::uint64_t number) override;
    void drop_sink(const std::string& sink) override;

    std::optional<AttentionEntry> attention_entry(std::uint64_t number) override;
    void put_attention_entry(const AttentionEntry& entry) override;
    std::optional<SagaRow> saga(std::uint64_t number) override;
    void put_saga(const SagaRow& row) override;
    std::int64_t window(id::Machine machine) override;
    void put_window(id::Machine machine, std::int64_t until_ms) override;
    std::uint64_t looked_to() const override { return looked_to_; }
    void set_looked_to(std::uint64_t number) override { looked_to_ = number; }
    std::vector<StoredStep> steps(std::uint64_t after, std::size_t limit) override;
    std::optional<flow::Entity> entity_to_retire(const FlowSubject& subject) override;
    std::uint64_t last_step_of(const FlowSubject& subject) override;
    bool has_open_saga(const FlowSubject& subject) override;
    void remove_entity(const flow::Entity& entity) override;
    void drop_closed(std::int64_t until_ms, std::int64_t now_ms, std::size_t limit) override;

    const std::map<EntityKey, flow::Entity>& entities() const { return entities_; }
    // By the earliest next_ms; without those in which nothing runs.
    const std::set<std::pair<std::int64_t, EntityKey>>& due() const { return due_; }
    std::vector<FlowStep> history(const EntityKey& key);
    std::vector<WaitingEntry> waiting_above(std::uint64_t after, std::size_t limit);
    std::vector<AttentionEntry> open_attention(std::uint64_t after, std::size_t limit);
    std::vector<AttentionEntry> entries(const EntriesQuery& query);
    // Those that can be read, by their number.
    std::vector<SagaRow> sagas();
    std::vector<SagaRow> look_at_sagas(const SagasQuery& query);
    bool is_damaged(const EntityKey& key);
    bool is_damaged(std::string_view table, std::uint64_t number);

    // Of a tenant, as in Burdened.
    std::uint64_t stored_bytes(std::uint64_t tenant) const;

    // Takes back what was written since.
    void lose(std::int64_t since_ms);

  private:
    struct OwnedFact {
        std::string tenant;
        flow::Fact fact;
    };
    struct Waiting {
        WaitingEntry entry;
        std::int64_t remember_until_ms = 0;  // 0: it waits
    };
    struct Held {
        EntityKey of;
        HeldRow row;
    };
    using Resource = std::tuple<std::string, std::string, std::string>;

    // Sets or removes, and remembers what was there.
    template <class Map>
    void change(Map& map, const typename Map::key_type& key,
                std::optional<typename Map::mapped_type> value);
    void set_entity(const EntityKey& key, std::optional<flow::Entity> entity);
    void remember(std::function<void()> undo);
    StoredStep readable(const StoredStep& step);

    struct Undo {
        std::int64_t at_ms = 0;
        std::function<void()> undo;
    };

    MemoryShelf& records_;
    std::map<EntityKey, flow::Entity> entities_;
    std::map<EntityKey, std::string>
        by_business_key_;  // order_of_id, by key in the place of the id
    std::set<std::pair<std::int64_t, EntityKey>> due_;
    std::map<std::uint64_t, StoredStep> steps_;
    std::map<EntityKey, std::vector<std::uint64_t>> history_;
    std::map<std::pair<std::string, stock::Sku>, stock::Level> levels_;
    std::map<Digest, OwnedFact> facts_;
    std::map<Resource, std::vector<flow::Slot>> slots_;
    std::map<std::uint64_t, SagaRow> sagas_;
    std::map<Digest, std::uint64_t> saga_of_key_;
    std::map<std::uint64_t, Waiting> waiting_;
    std::map<Digest, std::uint64_t> waiting_of_key_;
    std::map<std::uint64_t, AttentionEntry> attention_;
    std::map<std::string, std::uint64_t> positions_;
    std::map<std::pair<std::string, std::uint64_t>, Held> held_;
    std::map<id::Machine, std::int64_t> windows_;
    std::uint64_t looked_to_ = 0;
    std::uint64_t last_number_ = 0;
    std::deque<Undo> tail_;
    // Whose rows cannot be read.
    std::set<EntityKey> damaged_entities_;
    std::set<Digest> damaged_facts_;
    std::set<Resource> damaged_slots_;
    std::set<std::pair<std::string, stock::Sku>> damaged_levels_;
    std::set<std::pair<std::string, std::uint64_t>> damaged_numbers_;
    DamageBook damage_met_;
    bool failed_ = false;
};

EntityKey key_of(const FlowSubject& subject);

template <class Map>
auto find_in(const Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? std::nullopt : std::optional(at->second);
}

template <class Map>
void MemoryFlowRows::change(Map& map, const typename Map::key_type& key,
                            std::optional<typename Map::mapped_type> value) {
    const auto set = [&map](const typename Map::key_type& at, auto to) {
        if (to)
            map.insert_or_assign(at, *std::move(to));
        else
            map.erase(at);
    };
    remember([set, key, before = find_in(map, key)] { set(key, before); });
    set(key, std::move(value));
}

}  // namespace pawl::store
