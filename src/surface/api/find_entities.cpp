// SPDX-License-Identifier: Apache-2.0
#include "surface/api/find_entities.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "core/id/triple_id.hpp"
#include "core/policy/path.hpp"
#include "engine/checked_id.hpp"
#include "engine/present.hpp"
#include "net/http/message.hpp"
#include "runtime/codec/text.hpp"
#include "surface/api/attention_list.hpp"
#include "surface/api/flow_view.hpp"
#include "surface/api/look_up.hpp"
#include "surface/api/support_id.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

constexpr std::size_t kPage = 500;

// "/v1/flows/order/17", of an answer that speaks about an entity; empty: none.
std::string flow_in(const record::Answer& answer) {
    constexpr std::string_view kFolder = "/v1/flows/";
    for (const std::string_view name : {"Location", "Content-Location"}) {
        std::string_view path = http::first_of(answer.headers, name);
        if (!path.starts_with(kFolder)) continue;
        path.remove_prefix(kFolder.size());
        return policy::decode_segment(path.substr(0, path.find('/')));
    }
    return {};
}

bool tells(const flow::Event& event, std::string_view word) {
    return std::ranges::any_of(event.values,
                               [word](const auto& value) { return value.second == word; });
}

bool tells(const std::vector<flow::Fact>& facts, std::string_view word) {
    const auto is_word = [word](const auto& value) { return value.second == word; };
    return std::ranges::any_of(
        facts, [&](const flow::Fact& fact) { return std::ranges::any_of(fact.values, is_word); });
}

// Its subject tells too: there may be no order of this business key.
bool tells(const store::AttentionEntry& entry, std::string_view word) {
    return entry.subject.business_key == word || entry.subject.id == word ||
           (entry.event && tells(*entry.event, word)) || tells(entry.about, word);
}

bool tells(const flow::Entity& entity, std::string_view word) {
    return tells(entity.facts, word) ||
           std::ranges::any_of(entity.fields,
                               [word](const auto& field) { return field.second.text == word; });
}

class Search {
  public:
    Search(SearchedStores stores, std::shared_ptr<const engine::Machines> machines,
           WantedEntity wanted)
        : flows_(stores.flows),
          sagas_(stores.sagas),
          records_(stores.records),
          machines_(std::move(machines)),
          wanted_(std::move(wanted)) {}

    Task<Status> look_up() {
        Status good = co_await by_id();
        if (good) good = co_await by_business_key();
        if (good) good = co_await by_trace();
        if (good) good = co_await by_support_id();
        co_return good;
    }

    Task<Status> look_through(std::size_t most) {
        Status good = co_await in_waiting();
        if (good) good = co_await in_entries(false);
        if (good) good = co_await in_entries(true);
        if (good && sagas_ != nullptr) good = co_await in_sagas(most);
        if (!good || !found_.empty()) co_return good;
        for (const auto& [name, machine] : machines_->all())
            if (good) good = co_await in_newest(name, most);
        co_return good;
    }

    bool is_empty() const { return found_.empty() && waiting_.empty() && attention_.empty(); }
    json::object document() {
        return {{"found", std::move(found_)},
                {"waiting", std::move(waiting_)},
                {"attention", std::move(attention_)},
                {"looked_through", looked_through_}};
    }

  private:
    Task<Status> take(std::string by, flow::Entity entity) {
        if (!taken_.insert(entity.flow + "/" + entity.id).second) co_return Status{};
        const auto steps = co_await flows_.history(store::subject_of(entity), 0, 1);
        if (!steps) co_return fail(steps.error());
        json::object shown{{"by", std::move(by)}};
        shown["entity"] = entity_view(entity, machines_->find(entity.flow));
        add_support_id(shown, entity, *steps);
        auto entries = co_await entries_of(flows_, store::subject_of(entity));
        if (!entries) co_return fail(entries.error());
        shown["entries"] = std::move(entries->entries);
        found_.emplace_back(std::move(shown));
        co_return Status{};
    }

    // True: it is there.
    Task<Result<bool>> load(std::string by, store::FlowSubject subject) {
        auto loaded = co_await flows_.load(std::move(subject));
        if (!loaded) co_return fail(loaded.error());
        if (!loaded->entity) co_return false;
        if (Status good = co_await take(std::move(by), *std::move(loaded->entity)); !good)
            co_return fail(good.error());
        co_return true;
    }

    Task<Status> by_id() {
        const auto written = id::parse_written_id(wanted_.word);
        if (!written) co_return Status{};
        for (const auto& [name, machine] : machines_->all()) {
            auto loaded =
                co_await flows_.load({wanted_.tenant, name, id::to_text(written->id), {}});
            if (!loaded) co_return fail(loaded.error());
            const bool fits = loaded->entity &&
                              (written->code.empty() ||
                               engine::has_code(machine.definition(), *loaded->entity, *written));
            if (!fits) continue;
            if (Status good = co_await take("id", *std::move(loaded->entity)); !good)
                co_return good;
        }
        co_return Status{};
    }

    Task<Status> by_business_key() {
        for (const auto& [name, machine] : machines_->all())
            if (const auto there =
                    co_await load("business_key", {wanted_.tenant, name, {}, wanted_.word});
                !there)
                co_return fail(there.error());
        co_return Status{};
    }

    Task<Status> by_trace() {
        const std::string trace = trace_id_in(wanted_.word);
        if (trace.empty()) co_return Status{};
        const auto calls = co_await records_.find(store::LookUp::trace_id, trace, kFoundMax);
        if (!calls) co_return fail(calls.error());
        for (const Digest& identity : *calls) {
            const auto stored = co_await records_.read(identity);
            if (!stored) co_return fail(stored.error());
            if (!*stored || !(*stored)->answer || (*stored)->row.tenant != wanted_.tenant) continue;
            const std::string flow = flow_in(*(*stored)->answer);
            if (flow.empty()) continue;
            if (const auto there = co_await load(
                    "trace_id", {wanted_.tenant, flow, engine::id_in(*(*stored)->answer), {}});
                !there)
                co_return fail(there.error());
        }
        co_return Status{};
    }

    Task<Status> by_support_id() {
        const auto triple = id::parse_triple_id(wanted_.word);
        if (!triple) co_return Status{};
        const auto end = first_id_of(triple->at_ms + 1);
        if (!end) co_return Status{};
        for (const auto& [name, machine] : machines_->all())
            if (Status good = co_await in_millisecond(name, *end, triple->at_ms); !good)
                co_return good;
        co_return Status{};
    }

    // Of the entities with ids before `end`, back to the millisecond's beginning.
    Task<Status> in_millisecond(std::string flow, std::string end, std::int64_t at_ms) {
        for (std::string after = std::move(end);;) {
            const auto page = co_await flows_.page({wanted_.tenant, flow, after, kPage});
            if (!page) co_return fail(page.error());
            for (const flow::Entity& entity : *page) {
                if (time_in(entity.id) != at_ms) co_return Status{};
                const auto steps = co_await flows_.history(store::subject_of(entity), 0, 1);
                if (!steps) co_return fail(steps.error());
                if (steps->empty() || support_id(entity, steps->front()) != wanted_.word) continue;
                if (Status good = co_await take("support_id", entity); !good) co_return good;
            }
            if (page->size() < kPage) co_return Status{};
            after = page->back().id;
        }
    }

    Task<Status> in_waiting() {
        std::uint64_t after = 0;
        for (std::size_t seen = 0; seen < kWaitingLookedThroughMax;) {
            const auto page = co_await flows_.waiting(after, kPage);
            if (!page) co_return fail(page.error());
            for (const store::WaitingEntry& one : *page) {
                const flow::Event& event = one.fact.event;
                if (one.subject.tenant != wanted_.tenant || !tells(event, wanted_.word)) continue;
                waiting_.emplace_back(
                    json::object{{"flow", one.subject.flow},
                                 {"event", to_utf8(event.name)},
                                 {"business_key", to_utf8(one.subject.business_key)},
                                 {"until", to_rfc3339(wall_time(one.fact.until_ms))}});
                const auto there = co_await load("waiting", one.subject);
                if (!there) co_return fail(there.error());
            }
            if (page->size() < kPage) break;
            seen += page->size();
            after = page->back().number;
        }
        co_return Status{};
    }

    // Also what somebody has closed: of a payment that was paid back by hand nothing else tells.
    Task<Status> in_entries(bool closed) {
        std::uint64_t after = 0;
        for (std::size_t seen = 0; seen < kWaitingLookedThroughMax;) {
            const auto page = co_await (closed ? flows_.entries({.behind = after, .limit = kPage})
                                               : flows_.attention(after, kPage));
            if (!page) co_return fail(page.error());
            for (const store::AttentionEntry& one : *page) {
                if (one.subject.tenant != wanted_.tenant || !tells(one, wanted_.word)) continue;
                const auto there = co_await load("attention", one.subject);
                if (!there) co_return fail(there.error());
                if (!*there && attention_.size() < kFoundMax)
                    attention_.emplace_back(entry_view(one));
            }
            if (page->size() < kPage) break;
            seen += page->size();
            after = page->back().number;
        }
        co_return Status{};
    }

    // A payment that came too late is known by the refund that it began; its entity keeps the first one only.
    Task<Status> in_sagas(std::size_t most) {
        std::uint64_t after = 0;
        for (std::size_t seen = 0; seen < most;) {
            const auto page = co_await sagas_->sagas(std::nullopt, after, kPage);
            if (!page) co_return fail(page.error());
            for (const store::SagaRow& one : *page) {
                const bool fits =
                    one.subject.tenant == wanted_.tenant && found_.size() < kFoundMax &&
                    std::ranges::any_of(
                        one.start.values,
                        [this](const auto& value) { return value.second == wanted_.word; });
                if (!fits) continue;
                const auto there = co_await load("saga", one.subject);
                if (!there) co_return fail(there.error());
            }
            if (page->size() < kPage) break;
            seen += page->size();
            after = page->back().number;
        }
        co_return Status{};
    }

    Task<Status> in_newest(std::string flow, std::size_t most) {
        std::string after;
        for (std::size_t seen = 0; seen < most;) {
            auto page = co_await flows_.page({wanted_.tenant, flow, after, kPage});
            if (!page) co_return fail(page.error());
            seen += page->size();
            looked_through_ += page->size();
            if (!page->empty()) after = page->back().id;
            const bool is_last = page->size() < kPage;
            for (flow::Entity& entity : *page) {
                if (!tells(entity, wanted_.word) || found_.size() >= kFoundMax) continue;
                if (Status good = co_await take("value", std::move(entity)); !good) co_return good;
            }
            if (is_last) break;
        }
        co_return Status{};
    }

    store::Flows& flows_;
    store::Sagas* sagas_;
    store::Records& records_;
    std::shared_ptr<const engine::Machines> machines_;
    WantedEntity wanted_;
    std::set<std::string> taken_;  // flow and id of those in `found_`
    json::array found_;
    json::array waiting_;
    json::array attention_;
    std::size_t looked_through_ = 0;
};

}  // namespace

Task<Result<json::object>> find_entities(SearchedStores stores,
                                         std::shared_ptr<const engine::Machines> machines,
                                         WantedEntity wanted, std::size_t looked_through_max) {
    if (wanted.word.empty())
        co_return fail(Code::request_invalid, "Say what to look for: ?q=WORD.");
    Search search(stores, std::move(machines), std::move(wanted));
    if (Status good = co_await search.look_up(); !good) co_return fail(good.error());
    if (search.is_empty())
        if (Status good = co_await search.look_through(looked_through_max); !good)
            co_return fail(good.error());
    if (search.is_empty())
        co_return fail(Code::not_found,
                       fmt::format("Nothing has this as its id, business key, trace id or support "
                                   "id, and none of the newest {} entities of each flow, of the "
                                   "facts that wait, of the entries for people and of the refunds "
                                   "tells it.",
                                   looked_through_max));
    co_return search.document();
}

}  // namespace pawl::api
