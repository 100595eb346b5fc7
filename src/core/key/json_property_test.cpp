// SPDX-License-Identifier: Apache-2.0
// Canonical JSON on generated documents. Each document is written in ways that must not matter (order of
// members, white space, escapes, spelling of numbers) and compared with its neighbours, which must differ.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/key/json.hpp"

namespace pawl::key {
namespace {

// A document as a value. Two documents are equal when `same` says so; nothing of the code under test is used.
struct Document {
    enum class Kind { null, yes, no, number, string, array, object };
    Kind kind = Kind::null;
    bool negative = false;  // number: mantissa * 10^power
    std::string mantissa;   // digits, no zero at either end; empty: zero
    int power = 0;
    std::u32string text;
    std::vector<Document> children;
    std::vector<std::u32string> names;  // of an object's children, distinct
};

char32_t any_point() {
    const auto kind = *rc::gen::inRange(0, 5);
    if (kind == 0)
        return *rc::gen::element<char32_t>(U'"', U'\\', U'/', U'\n', U'\t', U'\0', U'\x1f',
                                           U'\x7f');
    if (kind == 1) return *rc::gen::inRange<char32_t>(0x20, 0x7F);
    if (kind == 2) return *rc::gen::inRange<char32_t>(0x80, 0xD800);
    if (kind == 3) return *rc::gen::inRange<char32_t>(0xE000, 0x10000);
    return *rc::gen::inRange<char32_t>(0x10000, 0x110000);
}

std::u32string any_text() {
    std::u32string text(static_cast<std::size_t>(*rc::gen::inRange(0, 12)), U' ');
    for (char32_t& point : text) point = any_point();
    return text;
}

Document any_document(int depth) {
    Document out;
    out.kind = static_cast<Document::Kind>(*rc::gen::inRange(0, depth > 0 ? 7 : 5));
    switch (out.kind) {
        case Document::Kind::number: {
            out.mantissa = std::to_string(*rc::gen::arbitrary<std::uint64_t>());
            while (!out.mantissa.empty() && out.mantissa.back() == '0') out.mantissa.pop_back();
            out.negative = !out.mantissa.empty() && *rc::gen::arbitrary<bool>();
            out.power = out.mantissa.empty() ? 0 : *rc::gen::inRange(-30, 30);
            break;
        }
        case Document::Kind::string:
            out.text = any_text();
            break;
        case Document::Kind::array:
        case Document::Kind::object: {
            const int size = *rc::gen::inRange(0, 5);
            for (int i = 0; i < size; ++i) {
                out.children.push_back(any_document(depth - 1));
                if (out.kind == Document::Kind::object) {
                    std::u32string name = any_text();
                    while (std::ranges::find(out.names, name) != out.names.end()) name += U'x';
                    out.names.push_back(name);
                }
            }
            break;
        }
        default:
            break;
    }
    return out;
}

std::string utf8(char32_t point) {
    std::string out;
    const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | (point >> 6));
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | (point >> 12));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | (point >> 18));
        put(0x80 | ((point >> 12) & 0x3F));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    }
    return out;
}

// Writes a document in one of its many spellings, drawn from rapidcheck.
class Writer {
  public:
    std::string write(const Document& document) {
        value(document);
        space();
        return std::move(out_);
    }

  private:
    static int draw(int below) { return *rc::gen::inRange(0, below); }

    void space() {
        for (int i = draw(3); i > 0; --i) out_ += " \n\r\t"[draw(4)];
    }

    void string(const std::u32string& text) {
        out_ += '"';
        for (const char32_t point : text) {
            const bool must = point < 0x20 || point == U'"' || point == U'\\';
            if (!must && draw(4) != 0) {
                out_ += utf8(point);
            } else if (point < 0x10000) {
                out_ += draw(2) == 0 ? fmt::format("\\u{:04x}", static_cast<unsigned>(point))
                                     : fmt::format("\\u{:04X}", static_cast<unsigned>(point));
            } else {
                const auto bits = static_cast<unsigned>(point) - 0x10000;
                out_ += fmt::format("\\u{:04x}\\u{:04X}", 0xD800 + (bits >> 10),
                                    0xDC00 + (bits & 0x3FF));
            }
        }
        out_ += '"';
    }

    void number(const Document& document) {
        if (document.mantissa.empty()) {
            static constexpr const char* kZeros[] = {"0", "-0", "0.0", "0e7", "-0.000E-3"};
            out_ += kZeros[draw(5)];
            return;
        }
        std::string digits = document.mantissa;
        int power = document.power;
        for (int i = draw(4); i > 0; --i) digits += '0', --power;
        const int behind = draw(static_cast<int>(digits.size()) + 3);  // digits behind the point
        power += behind;
        std::string whole = "0";
        std::string part = digits;
        if (behind < static_cast<int>(digits.size())) {
            whole = digits.substr(0, digits.size() - static_cast<std::size_t>(behind));
            part = digits.substr(whole.size());
        } else {
            part.insert(0, static_cast<std::size_t>(behind) - digits.size(), '0');
        }
        out_ += (document.negative ? "-" : "") + whole;
        if (!part.empty()) out_ += "." + part;
        if (power != 0 || draw(3) == 0)
            out_ += (draw(2) == 0 ? "e" : "E") +
                    std::string(power >= 0 && draw(2) == 0 ? "+" : "") + std::to_string(power);
    }

    void value(const Document& document) {
        space();
        switch (document.kind) {
            case Document::Kind::null:
                out_ += "null";
                return;
            case Document::Kind::yes:
                out_ += "true";
                return;
            case Document::Kind::no:
                out_ += "false";
                return;
            case Document::Kind::number:
                return number(document);
            case Document::Kind::string:
                return string(document.text);
            case Document::Kind::array:
            case Document::Kind::object:
                break;
        }
        const bool object = document.kind == Document::Kind::object;
        std::vector<std::size_t> order(document.children.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        if (object)
            for (std::size_t i = order.size(); i > 1; --i)
                std::swap(order[i - 1], order[static_cast<std::size_t>(draw(static_cast<int>(i)))]);
        out_ += object ? '{' : '[';
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i != 0) out_ += ',';
            space();
            if (object) {
                string(document.names[order[i]]);
                space();
                out_ += ':';
            }
            value(document.children[order[i]]);
            space();
        }
        out_ += object ? '}' : ']';
    }

    std::string out_;
};

bool same(const Document& a, const Document& b) {
    if (a.kind != b.kind || a.negative != b.negative || a.mantissa != b.mantissa ||
        a.power != b.power || a.text != b.text || a.children.size() != b.children.size())
        return false;
    for (std::size_t i = 0; i < a.children.size(); ++i) {
        std::size_t j = i;
        if (a.kind == Document::Kind::object) {
            j = static_cast<std::size_t>(std::ranges::find(b.names, a.names[i]) - b.names.begin());
            if (j == b.names.size()) return false;
        }
        if (!same(a.children[i], b.children[j])) return false;
    }
    return true;
}

// A neighbour: one thing somewhere inside is another.
void change(Document& document) {
    if (!document.children.empty() && *rc::gen::inRange(0, 4) != 0) {
        const auto at = static_cast<std::size_t>(
            *rc::gen::inRange(0, static_cast<int>(document.children.size())));
        if (*rc::gen::inRange(0, 4) == 0) {
            document.children.erase(document.children.begin() + static_cast<std::ptrdiff_t>(at));
            if (!document.names.empty())
                document.names.erase(document.names.begin() + static_cast<std::ptrdiff_t>(at));
            return;
        }
        if (document.kind == Document::Kind::array && at > 0 && *rc::gen::inRange(0, 3) == 0)
            return std::swap(document.children[at], document.children[at - 1]);
        return change(document.children[at]);
    }
    if (document.kind == Document::Kind::number && !document.mantissa.empty()) {
        if (*rc::gen::arbitrary<bool>())
            document.negative = !document.negative;
        else
            document.power += *rc::gen::element(-1, 1);
        return;
    }
    if (document.kind == Document::Kind::string && !document.text.empty()) {
        document.text[0] = any_point();
        return;
    }
    document = any_document(1);
}

// field case 10
RC_GTEST_PROP(CanonicalJson, EverySpellingOfADocumentGivesOneText, ()) {
    const Document document = any_document(3);
    const auto one = canonical_json(Writer().write(document));
    const auto other = canonical_json(Writer().write(document));
    RC_ASSERT(one.has_value() && other.has_value());
    RC_ASSERT(*one == *other);
}

RC_GTEST_PROP(CanonicalJson, TheCanonicalFormIsItsOwn, ()) {
    const auto once = canonical_json(Writer().write(any_document(3)));
    RC_ASSERT(once.has_value());
    const auto twice = canonical_json(*once);
    RC_ASSERT(twice.has_value());
    RC_ASSERT(*twice == *once);
}

// field case X5
RC_GTEST_PROP(CanonicalJson, DocumentsThatDifferNeverGiveOneText, ()) {
    const Document document = any_document(3);
    Document neighbour = document;
    change(neighbour);
    const auto one = canonical_json(Writer().write(document));
    const auto other = canonical_json(Writer().write(neighbour));
    RC_ASSERT(one.has_value() && other.has_value());
    RC_ASSERT((*one == *other) == same(document, neighbour));
}

RC_GTEST_PROP(CanonicalJson, AnyBytesAreAnsweredAndWhatIsTakenIsItsOwnForm, ()) {
    static const std::string kAlphabet = "{}[]\",:\\/ud8cet10-.+E\n\x80\xc3\xa9\xf0\x9f\x98";
    std::string text(static_cast<std::size_t>(*rc::gen::inRange(0, 24)), ' ');
    const bool hostile = *rc::gen::arbitrary<bool>();
    for (char& c : text)
        c = hostile ? kAlphabet[static_cast<std::size_t>(
                          *rc::gen::inRange(0, static_cast<int>(kAlphabet.size())))]
                    : *rc::gen::arbitrary<char>();
    const auto out = canonical_json(text);
    if (!out) {
        RC_ASSERT(out.error().code == Code::request_invalid);
        return;
    }
    RC_ASSERT(canonical_json(*out).value() == *out);
}

// A document cut anywhere is refused, unless it is a bare number or ends in white space.
RC_GTEST_PROP(CanonicalJson, ACutDocumentIsRefused, ()) {
    Document list;
    list.kind = Document::Kind::array;
    list.children.push_back(any_document(2));
    std::string text = Writer().write(list);
    text.erase(text.find_last_of(']') + 1);
    text.resize(static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size()))));
    RC_ASSERT(!canonical_json(text).has_value());
}

// Excluding a member equals never having had it; including the rest does too.
RC_GTEST_PROP(CanonicalJson, AnExcludedMemberIsAsIfItWereAbsent, ()) {
    Document with;
    with.kind = Document::Kind::object;
    with.children = {any_document(2), any_document(2)};
    with.names = {U"kept", U"dropped"};
    Document without = with;
    without.children.pop_back();
    without.names.pop_back();
    const JsonPath kept = *parse_json_path("$.kept");
    const JsonPath dropped = *parse_json_path("$.dropped");
    const auto expected = canonical_json(Writer().write(without));
    RC_ASSERT(canonical_json(Writer().write(with), {{}, {dropped}}).value() == expected.value());
    RC_ASSERT(canonical_json(Writer().write(with), {{kept}, {}}).value() == expected.value());
}

}  // namespace
}  // namespace pawl::key
