// SPDX-License-Identifier: Apache-2.0
// A deadline sends its event with no values, and for no caller. What it asks for then, or may fail at, nobody gives it:
// the entity stands where it is, with an entry on a list as the only trace.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/places.hpp"
#include "core/flow/told.hpp"

namespace pawl::flow {
namespace {

constexpr std::string_view kOwnEvent = "give the deadline an event of its own";

struct Fault {
    std::string what;
    std::string remedy;
};

bool is_of_entity(const Definition& flow, const std::string& field) {
    return type_of(flow, flow.create, field).has_value();
}

std::string unmet_by_a_timer(const Definition& flow, const EventRule& event,
                             const Transition& transition) {
    for (const Field& field : event.fields)
        if (field.required) return field.name;
    if (event.token) return event.token->field;
    for (const Guard& guard : transition.require) {
        const bool of_sender = guard.kind == Guard::Kind::same || guard.kind == Guard::Kind::owner;
        if (of_sender || !is_of_entity(flow, guard.field)) return guard.field;
    }
    return {};
}

std::optional<Fault> asks_for(const Definition& flow, const EventRule& event,
                              const Transition& way) {
    const std::string field = unmet_by_a_timer(flow, event, way);
    if (field.empty()) return std::nullopt;
    return Fault{
        fmt::format("`{}` asks for `{}`, which a deadline does not say", event.name, field),
        fmt::format("{}, which asks for nothing", kOwnEvent)};
}

// Values that another entity has as well make its deadline a repeat, which does nothing.
std::optional<Fault> is_a_repeat(const Definition& flow, const EventRule& event) {
    for (const UniqueRule& rule : event.unique)
        for (const std::string& field : rule.fields)
            return Fault{
                is_of_entity(flow, field)
                    ? fmt::format("`{}` is unique by `{}`: where another {} has the same, this "
                                  "deadline does nothing",
                                  event.name, field, flow.name)
                    : fmt::format("`{}` is unique by `{}`, which a deadline does not say",
                                  event.name, field),
                fmt::format("{}, without `unique`", kOwnEvent)};
    return std::nullopt;
}

std::optional<Fault> fails_at(const EventRule& event, const Transition& way) {
    const bool takes = way.stock == stock::Action::reserve || way.stock == stock::Action::confirm;
    if (takes && !way.short_of)
        return Fault{fmt::format("a deadline sends `{}`, which says not what to do when the "
                                 "stock is short",
                                 event.name),
                     "write `short: { to: STATE }` beside `stock`"};
    if (way.exclusive && !way.taken)
        return Fault{fmt::format("a deadline sends `{}`, which says not what to do when the "
                                 "slot is taken",
                                 event.name),
                     "write `taken: { to: STATE }` beside `exclusive`"};
    return std::nullopt;
}

class Timers {
  public:
    explicit Timers(const Definition& flow) : flow_(flow), told_(flow) {}

    std::optional<Fault> fault_of(const EventRule& event, const Transition& way,
                                  std::size_t state) const {
        if (auto why = asks_for(flow_, event, way)) return why;
        if (auto why = is_a_repeat(flow_, event)) return why;
        if (auto why = fails_at(event, way)) return why;
        for (const std::string* saga : {&way.saga, way.short_of ? &way.short_of->saga : nullptr,
                                        way.taken ? &way.taken->saga : nullptr})
            if (saga != nullptr)
                if (auto why = starts(event, *saga, state)) return why;
        return std::nullopt;
    }

  private:
    // Money that is not in yet cannot be given back.
    std::optional<Fault> starts(const EventRule& event, const std::string& saga,
                                std::size_t state) const {
        const auto rule = std::ranges::find(flow_.sagas, saga, &SagaRule::name);
        if (rule == flow_.sagas.end()) return std::nullopt;
        for (const std::string& name : rule->key) {
            if (name == "id" || name == "business_key" || told_.is_told(state, name)) continue;
            const auto field = std::ranges::find(flow_.fields, name, &Field::name);
            if (field != flow_.fields.end() && field->required) continue;
            const std::string& where = flow_.states[state].name;
            return Fault{
                fmt::format("a deadline sends `{}` in `{}`, where nothing need have told the `{}` "
                            "that `{}` is keyed by",
                            event.name, where, name, saga),
                fmt::format("give the deadline of `{}` an event that starts no `{}`", where, saga)};
        }
        return std::nullopt;
    }

    const Definition& flow_;
    Told told_;
};

}  // namespace

void check_timers(Findings& found) {
    const Definition& flow = found.definition();
    const Timers timers(flow);
    for (const Place& place : places_of(flow)) {
        const EventRule* event = event_named(flow, place.rule->event);
        for (std::size_t i = 0; event != nullptr && i < flow.states.size(); ++i) {
            const Transition* way =
                place.runs[i] ? fires(flow, *place.rule, flow.states[i].name) : nullptr;
            if (way == nullptr) continue;
            auto why = timers.fault_of(*event, *way, i);
            if (!why) continue;
            found.error(place.path + ".event", std::move(why->what), std::move(why->remedy));
            break;
        }
    }
}

}  // namespace pawl::flow
