// SPDX-License-Identifier: Apache-2.0
// Stored rows, formats 1 and 2, and answers, format 1. Primitives in wire.hpp; explained in docs/row_format.md.
//
//   row     = format:byte state:byte flags:number identity:32 fence:number [claim:16] [caller:16] owner
//             [withdrawn]
//             lease_until:whole owner_gone:whole horizon:whole created:whole changed:whole key_until:whole
//             keep_result:whole keep_key:whole attempts:number tenant:text operation:text key_label:text
//             trace_id:text [said] [settled] [beside] crc32:4
//   owner   = node:text boot:8, lowest byte first
//   withdrawn = count:number claim:16 ...
//   said    = stamped:byte [kind:byte canonical:text] fingerprint:32 rule:32
//   settled = as_row:byte [said] answer_digest:32 status:whole source:byte fence:number settled:whole
//             result_until:whole                              beside = settled
//   flags   = 1 rerunnable, 2 took_over, 4 forced, 8 earlier_may_live, 16 claim, 32 withdrawn, 64 said,
//             128 settled, 256 beside, 512 caller: in format 2, and always there
//   answer  = format:byte status:whole body_kept:byte count:number (name:text value:text) ... body:text
//
// An answer has no sum of its own: its row holds its SHA-256.
#include "core/record/row_format.hpp"

#include "core/record/wire.hpp"

namespace pawl::record {
namespace {

enum Flag : std::uint64_t {
    kRerunnable = 1,
    kTookOver = 2,
    kForced = 4,
    kEarlierMayLive = 8,
    kClaim = 16,
    kWithdrawn = 32,
    kSaid = 64,
    kSettled = 128,
    kBeside = 256,
    kCaller = 512,
    kFlagsEnd = 1024,
};

// A row whose caller is not known is written as it was before callers were.
constexpr std::uint8_t kFormatWithoutCaller = 1;
constexpr std::uint8_t kFormatWithCaller = 2;
static_assert(kRowFormat == kFormatWithCaller);

// Stamp, fingerprint and rule: what a claim said about its request.
struct Said {
    std::optional<Stamp> stamp;
    Digest fingerprint;
    Digest rule;
    bool operator==(const Said&) const = default;
};

template <class Id>
std::string_view view_of(const Id& id) {
    return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

void write_said(WireWriter& out, const Said& said) {
    out.byte(said.stamp ? 1 : 0);
    if (said.stamp) {
        out.byte(static_cast<std::uint8_t>(said.stamp->kind));
        out.text(said.stamp->canonical);
    }
    out.raw(said.fingerprint.view());
    out.raw(said.rule.view());
}

void write_settled(WireWriter& out, const Settled& settled, const Said& of_row) {
    const Said said{settled.stamp, settled.fingerprint, settled.rule};
    out.byte(said == of_row ? 1 : 0);
    if (said != of_row) write_said(out, said);
    out.raw(settled.answer_digest.view());
    out.whole(settled.status);
    out.byte(static_cast<std::uint8_t>(settled.source));
    out.number(settled.fence.number);
    out.whole(settled.settled_ms);
    out.whole(settled.result_until_ms);
}

std::uint64_t flags_of(const Row& row, const Said& said) {
    const auto flag = [](bool condition, Flag value) {
        return condition ? std::uint64_t{value} : 0;
    };
    return flag(row.rerunnable, kRerunnable) | flag(row.took_over, kTookOver) |
           flag(row.forced, kForced) | flag(row.earlier_may_live, kEarlierMayLive) |
           flag(row.claim != ClaimId{}, kClaim) | flag(!row.withdrawn.empty(), kWithdrawn) |
           flag(said != Said{}, kSaid) | flag(row.settled.has_value(), kSettled) |
           flag(row.beside.has_value(), kBeside) | flag(row.caller != CallerDigest{}, kCaller);
}

bool read_bool(WireReader& in) {
    const std::uint8_t value = in.byte();
    in.require(value <= 1);
    return value == 1;
}

template <class Number>
Number read_narrow(WireReader& in, std::int64_t value) {
    in.require(std::in_range<Number>(value));
    return static_cast<Number>(value);
}

template <class Id>
Id read_id(WireReader& in) {
    Id id;
    const std::string_view found = in.raw(id.bytes.size());
    found.copy(reinterpret_cast<char*>(id.bytes.data()), id.bytes.size());
    return id;
}

Said read_said(WireReader& in) {
    Said said;
    if (read_bool(in)) {
        const std::uint8_t kind = in.byte();
        in.require(kind == 1 || kind == 2);
        said.stamp = Stamp{static_cast<StampKind>(kind), std::string(in.text())};
        in.require(!said.stamp->canonical.empty());
    }
    said.fingerprint = in.digest();
    said.rule = in.digest();
    return said;
}

Settled read_settled(WireReader& in, const Said& of_row) {
    Settled settled;
    const bool as_row = read_bool(in);
    const Said said = as_row ? of_row : read_said(in);
    in.require(as_row || said != of_row);
    settled.stamp = said.stamp;
    settled.fingerprint = said.fingerprint;
    settled.rule = said.rule;
    settled.answer_digest = in.digest();
    settled.status = read_narrow<int>(in, in.whole());
    const std::uint8_t source = in.byte();
    in.require(source <= static_cast<std::uint8_t>(Source::person));
    settled.source = static_cast<Source>(source);
    settled.fence.number = in.number();
    settled.settled_ms = in.whole();
    settled.result_until_ms = in.whole();
    return settled;
}

void read_owner(WireReader& in, Owner& owner) {
    owner.node = in.text();
    for (const char c : in.raw(8))
        owner.boot = owner.boot >> 8 | std::uint64_t{static_cast<std::uint8_t>(c)} << 56;
}

void read_withdrawn(WireReader& in, std::vector<ClaimId>& withdrawn) {
    const std::uint64_t count = in.number();
    in.require(count > 0 && count <= kWithdrawnMax);
    for (std::uint64_t i = 0; in.fits() && i < count; ++i)
        withdrawn.push_back(read_id<ClaimId>(in));
}

// A state holds the results that the protocol gives it, and no others.
bool is_consistent(const Row& row) {
    const bool is_settled = row.state == State::completed || row.state == State::tombstone;
    if (row.state == State::absent || row.settled.has_value() != is_settled) return false;
    return !row.beside || is_unresolved(row.state);
}

std::unexpected<Error> unreadable(std::string_view what, std::uint8_t format, std::uint8_t newest) {
    if (format > newest)
        return fail(Code::store_newer, std::string(what) + " is of a newer format.",
                    "format " + std::to_string(format), "row_format");
    return fail(Code::store_corrupt, std::string(what) + " cannot be read.", {}, "row_format");
}

std::uint8_t format_in(std::string_view bytes) {
    return bytes.empty() ? 0 : static_cast<std::uint8_t>(bytes.front());
}

}  // namespace

std::string encode(const Row& row) {
    const Said said{row.stamp, row.fingerprint, row.rule};
    WireWriter out;
    out.reserve(384);
    out.byte(row.caller == CallerDigest{} ? kFormatWithoutCaller : kFormatWithCaller);
    out.byte(static_cast<std::uint8_t>(row.state));
    out.number(flags_of(row, said));
    out.raw(row.identity.view());
    out.number(row.fence.number);
    if (row.claim != ClaimId{}) out.raw(view_of(row.claim));
    if (row.caller != CallerDigest{}) out.raw(view_of(row.caller));
    out.text(row.owner.node);
    for (int shift = 0; shift < 64; shift += 8)
        out.byte(static_cast<std::uint8_t>(row.owner.boot >> shift));
    if (!row.withdrawn.empty()) {
        out.number(row.withdrawn.size());
        for (const ClaimId& id : row.withdrawn) out.raw(view_of(id));
    }
    for (const std::int64_t value :
         {row.lease_until_ms, row.owner_gone_ms, row.horizon_ms, row.created_ms, row.changed_ms,
          row.key_until_ms, row.keep.result_ms, row.keep.key_ms})
        out.whole(value);
    out.number(row.attempts);
    for (const std::string* text : {&row.tenant, &row.operation, &row.key_label, &row.trace_id})
        out.text(*text);
    if (said != Said{}) write_said(out, said);
    if (row.settled) write_settled(out, *row.settled, said);
    if (row.beside) write_settled(out, *row.beside, said);
    out.seal();
    return out.take();
}

Result<Row> decode_row(std::string_view bytes) {
    const std::uint8_t format = format_in(bytes);
    const auto refused = [&] { return unreadable("A stored record", format, kRowFormat); };
    if (format != kFormatWithoutCaller && format != kFormatWithCaller) return refused();
    WireReader in(unsealed(bytes));
    in.byte();
    Row row;
    const std::uint8_t state = in.byte();
    in.require(state < kStateCount);
    row.state = static_cast<State>(state);
    const std::uint64_t flags = in.number();
    in.require(flags < kFlagsEnd && (format == kFormatWithCaller) == ((flags & kCaller) != 0));
    row.rerunnable = (flags & kRerunnable) != 0;
    row.took_over = (flags & kTookOver) != 0;
    row.forced = (flags & kForced) != 0;
    row.earlier_may_live = (flags & kEarlierMayLive) != 0;
    row.identity = in.digest();
    row.fence.number = in.number();
    if ((flags & kClaim) != 0) {
        row.claim = read_id<ClaimId>(in);
        in.require(row.claim != ClaimId{});
    }
    if ((flags & kCaller) != 0) {
        row.caller = read_id<CallerDigest>(in);
        in.require(row.caller != CallerDigest{});
    }
    read_owner(in, row.owner);
    if ((flags & kWithdrawn) != 0) read_withdrawn(in, row.withdrawn);
    for (std::int64_t* value :
         {&row.lease_until_ms, &row.owner_gone_ms, &row.horizon_ms, &row.created_ms,
          &row.changed_ms, &row.key_until_ms, &row.keep.result_ms, &row.keep.key_ms})
        *value = in.whole();
    const std::uint64_t attempts = in.number();
    in.require(std::in_range<std::uint32_t>(attempts));
    row.attempts = static_cast<std::uint32_t>(attempts);
    for (std::string* text : {&row.tenant, &row.operation, &row.key_label, &row.trace_id})
        *text = in.text();
    Said said;
    if ((flags & kSaid) != 0) {
        said = read_said(in);
        in.require(said != Said{});
    }
    row.stamp = said.stamp;
    row.fingerprint = said.fingerprint;
    row.rule = said.rule;
    if ((flags & kSettled) != 0) row.settled = read_settled(in, said);
    if ((flags & kBeside) != 0) row.beside = read_settled(in, said);
    if (!in.at_end() || !is_consistent(row)) return refused();
    return row;
}

std::string_view identity_bytes(std::string_view bytes) {
    WireReader in(bytes);
    in.byte();
    in.byte();
    in.number();
    const std::string_view identity = in.raw(sizeof(Digest));
    return in.fits() ? identity : std::string_view{};
}

std::string encode(const Answer& answer) {
    std::size_t size = answer.body.size() + 32;
    for (const auto& [name, value] : answer.headers) size += name.size() + value.size() + 6;
    WireWriter out;
    out.reserve(size);
    out.byte(kAnswerFormat);
    out.whole(answer.status);
    out.byte(answer.body_kept ? 1 : 0);
    out.number(answer.headers.size());
    for (const auto& [name, value] : answer.headers) {
        out.text(name);
        out.text(value);
    }
    out.text(answer.body);
    return out.take();
}

Result<Answer> decode_answer(std::string_view bytes) {
    const std::uint8_t format = format_in(bytes);
    const auto refused = [&] { return unreadable("A stored answer", format, kAnswerFormat); };
    if (format != kAnswerFormat) return refused();
    WireReader in(bytes);
    in.byte();
    Answer answer;
    answer.status = read_narrow<int>(in, in.whole());
    answer.body_kept = read_bool(in);
    const std::uint64_t count = in.number();
    in.require(count <= in.left() / 2);  // a line has at least its two lengths
    for (std::uint64_t i = 0; in.fits() && i < count; ++i) {
        std::string name(in.text());
        answer.headers.emplace_back(std::move(name), in.text());
    }
    answer.body = in.text();
    if (!in.at_end()) return refused();
    return answer;
}

Row unreadable_row(const Digest& identity) {
    Row row;
    row.state = State::uncertain;
    row.identity = identity;
    row.keep = {kForever, kForever};
    return row;
}

}  // namespace pawl::record
