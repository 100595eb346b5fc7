// SPDX-License-Identifier: Apache-2.0
// One list of members per type serves writing and reading; a member that is added goes to the end of its list,
// under another kFlowFormat, and is read from rows that have it.
#include "store/port/flow_format.hpp"

#include <concepts>
#include <type_traits>

#include "core/record/wire.hpp"

namespace pawl::store {
namespace {

template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

template <class E>
inline constexpr int kValues = 0;  // every enumeration that is stored says how many it has
template <>
inline constexpr int kValues<flow::Sender> = 4;
template <>
inline constexpr int kValues<flow::Course> = 4;
template <>
inline constexpr int kValues<flow::FieldType> = flow::kFieldTypeCount;
template <>
inline constexpr int kValues<stock::Kind> = 2;
template <>
inline constexpr int kValues<record::StampKind> = 3;
template <>
inline constexpr int kValues<SagaState> = 3;
template <>
inline constexpr int kValues<ClosedAs> = 3;
template <class E>
inline constexpr int kFirst = 0;
template <>
inline constexpr int kFirst<record::StampKind> = 1;

template <class A, Is<record::Stamp> T>
void members(A& with, T& of) {
    with(of.kind, of.canonical);
}
template <class A, Is<stock::Sku> T>
void members(A& with, T& of) {
    with(of.kind, of.code);
}
template <class A, Is<stock::Line> T>
void members(A& with, T& of) {
    with(of.sku, of.quantity);
}
template <class A, Is<stock::Change> T>
void members(A& with, T& of) {
    with(of.available, of.reserved, of.sold);
}
template <class A, Is<stock::Reservation> T>
void members(A& with, T& of) {
    with(of.held, of.confirmed, of.released, of.returned);
}
template <class A, Is<timer::Running> T>
void members(A& with, T& of) {
    with(of.name, of.due_ms, of.next_ms, of.asked);
}
template <class A, Is<flow::Value> T>
void members(A& with, T& of) {
    with(of.type, of.text);
}
template <class A, Is<flow::Holder> T>
void members(A& with, T& of) {
    with(of.id, of.version, of.by, of.at_ms);
}
template <class A, Is<flow::Fact> T>
void members(A& with, T& of) {
    with(of.key, of.event, of.values, of.while_in, of.holder);
}
template <class A, Is<flow::Slot> T>
void members(A& with, T& of) {
    with(of.resource, of.from, of.to, of.while_in, of.holder);
}
template <class A, Is<flow::HeldStock> T>
void members(A& with, T& of) {
    with(of.sku, of.reservation);
}
template <class A, Is<flow::Mark> T>
void members(A& with, T& of) {
    with(of.event, of.stamp, of.version, of.by, of.at_ms);
}
template <class A, Is<flow::Entity> T>
void members(A& with, T& of) {
    with(of.id, of.tenant, of.flow, of.state, of.version, of.created_ms, of.business_key, of.fields,
         of.items, of.stock, of.deadlines, of.facts, of.slots, of.marks, of.ended_ms);
}
template <class A, Is<flow::Event> T>
void members(A& with, T& of) {
    with(of.name, of.values, of.items, of.sender, of.caller, of.roles, of.stamp, of.if_match,
         of.deadline, of.now_ms, of.hlc, of.trace_context);
}
template <class A, Is<flow::History> T>
void members(A& with, T& of) {
    with(of.version, of.course, of.event, of.from, of.to, of.type, of.values, of.sender, of.caller,
         of.at_ms, of.hlc, of.trace_context);
}
template <class A, Is<flow::StockMove> T>
void members(A& with, T& of) {
    with(of.sku, of.change, of.after);
}
template <class A, Is<flow::SagaStart> T>
void members(A& with, T& of) {
    with(of.name, of.key, of.values);
}
template <class A, Is<flow::WaitingFact> T>
void members(A& with, T& of) {
    with(of.meeting, of.tenant, of.flow, of.event, of.until_ms, of.known_as);
}
template <class A, Is<FlowSubject> T>
void members(A& with, T& of) {
    with(of.tenant, of.flow, of.id, of.business_key);
}
template <class A, Is<FlowStep> T>
void members(A& with, T& of) {
    with(of.history, of.moves, of.sagas, of.request);
}
template <class A, Is<StoredStep> T>
void members(A& with, T& of) {
    with(of.subject, of.step);
}
template <class A, Is<record::ClaimId> T>
void members(A& with, T& of) {
    for (auto& byte : of.bytes) with(byte);
}
template <class A, Is<SagaRow> T>
void members(A& with, T& of) {
    with(of.subject, of.version, of.start, of.state, of.tries, of.next_ms, of.said, of.claim);
}
template <class A, Is<WaitingEntry> T>
void members(A& with, T& of) {
    with(of.subject, of.fact);
}
template <class A, Is<AttentionEntry> T>
void members(A& with, T& of) {
    with(of.subject, of.reason, of.judged_on, of.event, of.at_ms, of.closed_ms, of.closed_by,
         of.why);
    if (with.has(3)) with(of.about, of.closed_as);
}

class Out {
  public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    static bool has(std::uint8_t) { return true; }
    record::WireWriter wire;

  private:
    void put(const std::string& text) { wire.text(text); }
    void put(const Digest& digest) { wire.raw(digest.view()); }
    template <std::unsigned_integral T>
    void put(T value) {
        wire.number(value);
    }
    template <std::signed_integral T>
    void put(T value) {
        wire.whole(value);
    }
    template <class E>
        requires std::is_enum_v<E>
    void put(E value) {
        wire.byte(static_cast<std::uint8_t>(value));
    }
    template <class T>
    void put(const std::optional<T>& value) {
        wire.byte(value ? 1 : 0);
        if (value) put(*value);
    }
    template <class A, class B>
    void put(const std::pair<A, B>& both) {
        put(both.first);
        put(both.second);
    }
    template <class T>
    void put(const std::vector<T>& list) {
        wire.number(list.size());
        for (const T& one : list) put(one);
    }
    template <class K, class V, class C>
    void put(const std::map<K, V, C>& map) {
        wire.number(map.size());
        for (const auto& [key, value] : map) {
            put(key);
            put(value);
        }
    }
    template <class T>
        requires std::is_class_v<T>
    void put(const T& value) {
        members(*this, value);
    }
};

class In {
  public:
    explicit In(std::string_view bytes) : wire(bytes) {}
    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    // The row has what this format added.
    bool has(std::uint8_t format) const { return format_ >= format; }
    void begin() {
        format_ = wire.byte();
        wire.require(format_ >= kOldest && format_ <= kFlowFormat);
    }
    record::WireReader wire;

  private:
    void get(std::string& text) { text = wire.text(); }
    void get(Digest& digest) { digest = wire.digest(); }
    template <std::unsigned_integral T>
    void get(T& value) {
        const std::uint64_t read = wire.number();
        wire.require(read <= std::numeric_limits<T>::max());
        value = static_cast<T>(read);
    }
    void get(std::int64_t& value) { value = wire.whole(); }
    template <class E>
        requires std::is_enum_v<E>
    void get(E& value) {
        static_assert(kValues<E> > 0);
        const std::uint8_t read = wire.byte();
        wire.require(read >= kFirst<E> && read < kValues<E>);
        value = static_cast<E>(read);
    }
    bool is_present() {
        const std::uint8_t read = wire.byte();
        wire.require(read <= 1);
        return read == 1;
    }
    // No list is longer than the bytes that are left.
    std::uint64_t size() {
        const std::uint64_t read = wire.number();
        wire.require(read <= wire.left());
        return wire.fits() ? read : 0;
    }
    template <class T>
    void get(std::optional<T>& value) {
        if (is_present()) get(value.emplace());
    }
    template <class A, class B>
    void get(std::pair<A, B>& both) {
        get(both.first);
        get(both.second);
    }
    template <class T>
    void get(std::vector<T>& list) {
        for (std::uint64_t left = size(); left > 0 && wire.fits(); --left) get(list.emplace_back());
    }
    template <class K, class V, class C>
    void get(std::map<K, V, C>& map) {
        for (std::uint64_t left = size(); left > 0 && wire.fits(); --left) {
            K key;
            get(key);
            wire.require(map.empty() || map.rbegin()->first < key);  // sorted, each once
            get(map[key]);
        }
    }
    template <class T>
        requires std::is_class_v<T>
    void get(T& value) {
        members(*this, value);
    }

    static constexpr std::uint8_t kOldest = 2;
    std::uint8_t format_ = 0;
};

template <class T>
std::string to_bytes(const T& value) {
    Out out;
    out.wire.byte(kFlowFormat);
    out(value);
    out.wire.seal();
    return out.wire.take();
}

template <class T>
std::optional<T> from_bytes(std::string_view bytes) {
    In in(record::unsealed(bytes));
    in.begin();
    T value;
    in(value);
    if (!in.wire.at_end()) return std::nullopt;
    return value;
}

}  // namespace

std::string encode(const flow::Entity& entity) { return to_bytes(entity); }
std::string encode(const flow::Event& event) { return to_bytes(event); }
std::string encode(const StoredStep& step) { return to_bytes(step); }
std::string encode(const flow::Fact& fact) { return to_bytes(fact); }
std::string encode(const flow::Slot& slot) { return to_bytes(slot); }
std::string encode(const SagaRow& saga) { return to_bytes(saga); }
std::string encode(const WaitingEntry& entry) { return to_bytes(entry); }
std::string encode(const AttentionEntry& entry) { return to_bytes(entry); }

std::optional<flow::Entity> decode_entity(std::string_view bytes) {
    return from_bytes<flow::Entity>(bytes);
}
std::optional<StoredStep> decode_step(std::string_view bytes) {
    return from_bytes<StoredStep>(bytes);
}
std::optional<flow::Fact> decode_fact(std::string_view bytes) {
    return from_bytes<flow::Fact>(bytes);
}
std::optional<flow::Slot> decode_slot(std::string_view bytes) {
    return from_bytes<flow::Slot>(bytes);
}
std::optional<flow::Event> decode_event(std::string_view bytes) {
    return from_bytes<flow::Event>(bytes);
}
std::optional<SagaRow> decode_saga(std::string_view bytes) { return from_bytes<SagaRow>(bytes); }
std::optional<WaitingEntry> decode_waiting(std::string_view bytes) {
    return from_bytes<WaitingEntry>(bytes);
}
std::optional<AttentionEntry> decode_attention(std::string_view bytes) {
    return from_bytes<AttentionEntry>(bytes);
}

}  // namespace pawl::store
