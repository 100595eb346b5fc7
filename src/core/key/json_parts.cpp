// SPDX-License-Identifier: Apache-2.0
#include "core/key/json_parts.hpp"

#include "core/key/json_lexer.hpp"

namespace pawl::key {
namespace {

// Over a text that canonical_json has taken: every word is there and well-formed.
class Parts {
  public:
    explicit Parts(std::string_view text) : lexer_(text) {}

    bool begins(char bracket) {
        lexer_.skip_space();
        return lexer_.take(bracket);
    }
    // Before a member or an element; false: the bracket closes.
    bool goes_on(char closing) {
        lexer_.skip_space();
        if (lexer_.take(closing)) return false;
        if (lexer_.take(',')) lexer_.skip_space();
        return true;
    }
    std::string name() {
        std::string text = string();
        lexer_.skip_space();
        lexer_.take(':');
        return text;
    }
    JsonValue value() {
        using Kind = JsonValue::Kind;
        lexer_.skip_space();
        const std::size_t from = lexer_.offset();
        if (lexer_.peek() == '"') return {Kind::string, string()};
        const Kind kind = skip();
        return {kind, std::string(lexer_.between(from, lexer_.offset()))};
    }

  private:
    std::string string() {
        std::string canonical;
        lexer_.string(canonical);
        return unescaped(std::string_view(canonical).substr(1, canonical.size() - 2));
    }
    JsonValue::Kind skip() {
        using Kind = JsonValue::Kind;
        unread_.clear();
        const char first = lexer_.peek();
        if (first == '{' || first == '[') {
            skip_composite(first == '{' ? '}' : ']');
            return Kind::composite;
        }
        if (first == 't' || first == 'f' || first == 'n') {
            lexer_.literal(unread_);
            return Kind::literal;
        }
        lexer_.number(unread_);
        return Kind::number;
    }
    // As deep as canonical_json lets a text be.
    void skip_composite(char closing) {
        lexer_.take(lexer_.peek());
        while (goes_on(closing)) {
            if (closing == '}') name();
            lexer_.skip_space();
            if (lexer_.peek() == '"')
                lexer_.string(unread_);
            else
                skip();
        }
    }

    JsonLexer lexer_;
    std::string unread_;  // the canonical form of what is skipped
};

Status check(std::string_view text) {
    const auto read = canonical_json(text);
    return read ? Status{} : fail(read.error());
}

}  // namespace

Result<std::vector<JsonMember>> json_members(std::string_view text) {
    if (auto good = check(text); !good) return fail(std::move(good.error()));
    Parts parts(text);
    if (!parts.begins('{')) return fail(Code::request_invalid, "This is no JSON object.");
    std::vector<JsonMember> members;
    while (parts.goes_on('}')) {
        JsonMember member{parts.name(), {}};
        member.value = parts.value();
        members.push_back(std::move(member));
    }
    return members;
}

Result<std::vector<JsonValue>> json_elements(std::string_view text) {
    if (auto good = check(text); !good) return fail(std::move(good.error()));
    Parts parts(text);
    if (!parts.begins('[')) return fail(Code::request_invalid, "This is no JSON array.");
    std::vector<JsonValue> elements;
    while (parts.goes_on(']')) elements.push_back(parts.value());
    return elements;
}

}  // namespace pawl::key
