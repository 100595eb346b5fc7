// SPDX-License-Identifier: Apache-2.0
// O1: every event that was committed arrives. O3: those of one entity arrive in the order of its history, repeats
// apart. Nothing arrives that was not committed.
#include "sim/shop/shop_auditor.hpp"
#include "stream/event.hpp"

namespace pawl::sim {
namespace {

class EventsDelivered final : public ShopAuditor {
  public:
    explicit EventsDelivered(const ShopAuditParts& parts) : ShopAuditor("O", parts) {}

    void ended(const ShopEnding& ending) override {
        struct Row {
            const Story* story = nullptr;
            const flow::History* row = nullptr;
            bool arrived = false;
        };
        std::map<std::string, Row> rows;
        for (const Story& story : ending.stories)
            for (const store::FlowStep& step : story.steps)
                if (!step.history.type.empty())
                    rows[stream::event_id(
                        {story.entity.tenant, story.entity.flow, story.entity.id, {}},
                        step.history.version)] = {&story, &step.history, false};
        std::map<const Story*, std::uint64_t> last;
        for (const Received& one : ending.received) {
            const auto at = rows.find(one.id);
            if (at == rows.end() || at->second.row->type != one.type) {
                find("O1: `{}` of {} arrived and was not committed", one.type, one.entity);
                continue;
            }
            Row& row = at->second;
            if (row.arrived) continue;
            row.arrived = true;
            std::uint64_t& before = last[row.story];
            if (row.row->version < before)
                find("O3: version {} of {} {} arrived after version {}", row.row->version,
                     row.story->entity.flow, row.story->entity.id, before);
            before = std::max(before, row.row->version);
        }
        for (const auto& [id, row] : rows)
            if (!row.arrived)
                find("O1: `{}`, version {} of {} {}, did not arrive", row.row->type,
                     row.row->version, row.story->entity.flow, row.story->entity.id);
    }
};

}  // namespace

ShopAuditorPtr events_delivered(const ShopAuditParts& parts) {
    return std::make_unique<EventsDelivered>(parts);
}

}  // namespace pawl::sim
