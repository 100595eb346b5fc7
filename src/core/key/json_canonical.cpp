// SPDX-License-Identifier: Apache-2.0
// One pass over the text, written straight into the answer; an object whose members did not come in order
// is sorted in place when it closes. No tree is built. With paths chosen, the answer is what the document
// holds at them:
//
//   included value       its canonical form, in the containers that lead to it
//   object on the way    members in which nothing is wanted are left out
//   array on the way     elements no path speaks of are left out; one that is spoken of and has nothing
//                        wanted is null, so that later ones keep their place; trailing ones are left out
//   nothing wanted       null
//
// Two documents give the same text exactly when they hold the same at the chosen paths.
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/key/json.hpp"
#include "core/key/json_lexer.hpp"
#include "core/key/json_selection.hpp"

namespace pawl::key {
namespace {

using Scope = JsonSelection::Scope;

constexpr Scope kWhole{0, 0, true, false, false};

// RFC 8785 orders by UTF-16 code units; on UTF-8 bytes that is bytewise, but for the leads of U+10000 and
// above (F0-F4), which come before those of U+E000 to U+FFFF (EE, EF).
unsigned utf16_weight(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0xEE) return byte;
    return byte < 0xF0 ? byte + 5U : byte - 2U;
}

bool utf16_less(std::string_view a, std::string_view b) {
    const auto [x, y] = std::ranges::mismatch(a, b);
    if (y == b.end()) return false;
    return x == a.end() || utf16_weight(*x) < utf16_weight(*y);
}

// The first eight weights as one number: most comparisons end here.
std::uint64_t sort_prefix(std::string_view name) {
    std::uint64_t prefix = 0;
    const std::size_t length = std::min<std::size_t>(name.size(), 8);
    for (std::size_t i = 0; i < length; ++i) prefix = prefix << 8 | utf16_weight(name[i]);
    return length == 0 ? 0 : prefix << (64 - 8 * length);
}

enum class Outcome : std::uint8_t { refused, left_out, kept };

class Canonical {
  public:
    Canonical(std::string_view text, std::span<const JsonPath> include,
              std::span<const JsonPath> exclude)
        : lexer_(text), selection_(include, exclude) {
        out_.reserve(text.size() + 16);
    }

    Result<std::string> run() {
        const Outcome outcome = root();
        if (outcome == Outcome::refused) return fail(lexer_.error());
        if (outcome == Outcome::left_out) out_ = "null";
        return std::move(out_);
    }

    // What stands at the one included path.
    Result<std::optional<JsonValue>> find() {
        if (root() == Outcome::refused) return fail(lexer_.error());
        return std::move(found_);
    }

  private:
    // Offsets, for the text they point into moves when it grows. A name with escapes, or of a member that
    // is left out, is kept in names_.
    struct Member {
        std::uint64_t prefix = 0;
        std::size_t name = 0;
        std::size_t name_size = 0;
        std::size_t begin = 0;  // of "name":value in the answer
        std::size_t end = 0;
        std::size_t offset = 0;  // in the text
        bool name_apart = false;
        bool kept = true;
    };

    Outcome root() {
        const Scope scope = selection_.root();
        const Outcome outcome = value(scope, 0);
        if (outcome == Outcome::refused) return outcome;
        lexer_.skip_space();
        if (!lexer_.at_end()) return refused("text follows the value");
        return scope.excluded ? Outcome::left_out : outcome;
    }

    Outcome refused(std::string_view why) {
        lexer_.refuse(why);
        return Outcome::refused;
    }

    Outcome value(const Scope& scope, std::size_t depth) {
        lexer_.skip_space();
        const std::size_t from = lexer_.offset();
        const std::size_t out_from = out_.size();
        Outcome outcome = scope.inside ? Outcome::kept : Outcome::left_out;
        JsonValue::Kind kind = JsonValue::Kind::literal;
        const char first = lexer_.peek();
        bool taken = true;
        if (first == '{' || first == '[') {
            kind = JsonValue::Kind::composite;
            if (depth == kJsonDepthMax)
                return refused(fmt::format("nested deeper than {}", kJsonDepthMax));
            outcome = first == '{' ? object(scope, depth) : array(scope, depth);
            taken = outcome != Outcome::refused;
        } else if (first == '"') {
            kind = JsonValue::Kind::string;
            taken = lexer_.string(out_);
        } else if (first == '-' || (first >= '0' && first <= '9')) {
            kind = JsonValue::Kind::number;
            taken = lexer_.number(out_);
        } else {
            taken = lexer_.literal(out_);
        }
        if (!taken) return Outcome::refused;
        if (scope.ends) remember(kind, from, out_from);
        return outcome;
    }

    void remember(JsonValue::Kind kind, std::size_t from, std::size_t out_from) {
        const std::string_view canonical = std::string_view(out_).substr(out_from);
        switch (kind) {
            case JsonValue::Kind::string:
                found_ = {kind, unescaped(canonical.substr(1, canonical.size() - 2))};
                break;
            case JsonValue::Kind::number:
                found_ = {kind, std::string(lexer_.between(from, lexer_.offset()))};
                break;
            case JsonValue::Kind::literal:
            case JsonValue::Kind::composite:
                found_ = {kind, std::string(canonical)};
                break;
        }
    }

    std::string_view name_of(const Member& member) const {
        return std::string_view(member.name_apart ? names_ : out_)
            .substr(member.name, member.name_size);
    }

    bool less(const Member& a, const Member& b) const {
        if (a.prefix != b.prefix) return a.prefix < b.prefix;
        return utf16_less(name_of(a), name_of(b));
    }

    Outcome object(const Scope& scope, std::size_t depth) {
        const std::size_t first = members_.size();
        const std::size_t names_from = names_.size();
        const std::size_t open = out_.size();
        lexer_.take('{');
        out_ += '{';
        bool sorted = true;
        bool empty = true;
        lexer_.skip_space();
        if (!lexer_.take('}')) {
            do {
                if (!empty) out_ += ',';
                Member member;
                if (!name(member) || !member_value(member, scope, depth)) return Outcome::refused;
                if (!empty && !member.kept) out_.pop_back();
                if (member.kept) empty = false;
                // strictly rising names are in order and without duplicates
                if (members_.size() > first && !less(members_.back(), member)) sorted = false;
                members_.push_back(member);
                lexer_.skip_space();
            } while (lexer_.take(','));
            if (!lexer_.take('}')) return refused("a comma or a closing brace is expected");
        }
        if (!sorted && !sort(first, open)) return Outcome::refused;
        members_.resize(first);
        names_.resize(names_from);
        out_ += '}';
        return scope.inside || !empty ? Outcome::kept : Outcome::left_out;
    }

    bool name(Member& member) {
        lexer_.skip_space();
        member.offset = lexer_.offset();
        member.begin = out_.size();
        if (!lexer_.string(out_)) return false;
        member.name = member.begin + 1;
        member.name_size = out_.size() - member.name - 1;
        if (lexer_.string_had_escapes()) keep_apart(member, unescaped(name_of(member)));
        member.prefix = sort_prefix(name_of(member));
        lexer_.skip_space();
        if (!lexer_.take(':')) return lexer_.refuse("a colon is expected behind a name");
        out_ += ':';
        return true;
    }

    void keep_apart(Member& member, std::string_view name) {
        member.name = names_.size();
        member.name_size = name.size();
        member.name_apart = true;
        names_ += name;
    }

    bool member_value(Member& member, const Scope& scope, std::size_t depth) {
        if (scope.whole()) {
            if (value(kWhole, depth + 1) == Outcome::refused) return false;
        } else {
            const Scope inner = selection_.member(scope, depth, name_of(member));
            const Outcome outcome = value(inner, depth + 1);
            if (outcome == Outcome::refused) return false;
            selection_.leave(inner);
            member.kept = outcome == Outcome::kept && !inner.excluded;
        }
        if (!member.kept) {
            if (!member.name_apart) keep_apart(member, std::string(name_of(member)));
            out_.resize(member.begin);
        }
        member.end = out_.size();
        return true;
    }

    bool sort(std::size_t first, std::size_t open) {
        const auto members = std::span(members_).subspan(first);
        std::ranges::sort(members, [this](const Member& a, const Member& b) { return less(a, b); });
        const auto twin = std::ranges::adjacent_find(
            members, [this](const Member& a, const Member& b) { return name_of(a) == name_of(b); });
        if (twin != members.end())
            return lexer_.refuse_at(std::max(twin[0].offset, twin[1].offset),
                                    "a name stands twice in one object");
        scratch_.assign(out_, open);
        out_.resize(open + 1);
        for (const Member& member : members) {
            if (!member.kept) continue;
            if (out_.size() > open + 1) out_ += ',';
            out_.append(scratch_, member.begin - open, member.end - member.begin);
        }
        return true;
    }

    Outcome array(const Scope& scope, std::size_t depth) {
        lexer_.take('[');
        out_ += '[';
        const std::size_t start = out_.size();
        std::size_t wanted_end = start;
        lexer_.skip_space();
        if (!lexer_.take(']')) {
            std::size_t index = 0;
            do {
                const Outcome outcome = element(scope, depth, index++, start);
                if (outcome == Outcome::refused) return outcome;
                if (outcome == Outcome::kept) wanted_end = out_.size();
                lexer_.skip_space();
            } while (lexer_.take(','));
            if (!lexer_.take(']')) return refused("a comma or a closing bracket is expected");
        }
        out_.resize(wanted_end);
        out_ += ']';
        return scope.inside || wanted_end > start ? Outcome::kept : Outcome::left_out;
    }

    Outcome element(const Scope& scope, std::size_t depth, std::size_t index, std::size_t start) {
        const std::size_t before = out_.size();
        if (before != start) out_ += ',';
        if (scope.whole()) return value(kWhole, depth + 1);
        const std::size_t own = out_.size();
        const Scope inner = selection_.element(scope, depth, index);
        const Outcome outcome = value(inner, depth + 1);
        if (outcome == Outcome::refused) return outcome;
        selection_.leave(inner);
        if (outcome == Outcome::kept && !inner.excluded) return Outcome::kept;
        const bool holds_place = !scope.inside && inner.touched();
        out_.resize(holds_place ? own : before);
        if (holds_place) out_ += "null";
        return Outcome::left_out;
    }

    JsonLexer lexer_;
    JsonSelection selection_;
    std::string out_;
    std::string names_;
    std::string scratch_;
    std::vector<Member> members_;
    std::optional<JsonValue> found_;
};

}  // namespace

Result<std::string> canonical_json(std::string_view text, const CanonicalRule& rule) {
    return Canonical(text, rule.include, rule.exclude).run();
}

Result<std::optional<JsonValue>> json_at(std::string_view text, const JsonPath& path) {
    return Canonical(text, std::span(&path, 1), {}).find();
}

}  // namespace pawl::key
