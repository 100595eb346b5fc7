// SPDX-License-Identifier: Apache-2.0
// Open maps and lists lie on a stack, each with its own value, and are appended to the one below when they
// end. Whatever breaks a bound throws Stop through the parser; nothing else throws through it.
#include "surface/yaml/yaml_tree.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "core/policy/units.hpp"

namespace pawl::yaml {
namespace {

using policy::Finding;
using policy::Severity;

struct Stop {};

Finding finding_at(const YAML::Mark& mark, std::string what, std::string remedy) {
    return {Severity::error, mark.line + 1, mark.column + 1, std::move(what), std::move(remedy)};
}

class TreeBuilder final : public YAML::EventHandler {
  public:
    explicit TreeBuilder(std::vector<Finding>& findings) : findings_(findings) {}

    YamlNode take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (seen_document_)
            stop(mark, "a second document begins", "write one document; remove the `---`");
        seen_document_ = true;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        leaf(mark, YamlNode::Kind::null, {});
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  const std::string& value) override {
        leaf(mark, YamlNode::Kind::scalar, value);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        stop(mark, "aliases are not read", "write the value out where it is used");
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open(mark, YamlNode::Kind::list);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open(mark, YamlNode::Kind::map);
    }
    void OnMapEnd() override { close(); }

  private:
    struct Open {
        YamlNode node;
        YamlNode::Member next;  // map: the name whose value comes next
        bool name_read = false;
        bool repeated = false;  // the name stood before; its value is read and dropped
        std::set<std::string> names;
    };

    [[noreturn]] void stop(const YAML::Mark& mark, std::string what, std::string remedy) {
        findings_.push_back(finding_at(mark, std::move(what), std::move(remedy)));
        throw Stop{};
    }

    bool is_name_next() const {
        return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map &&
               !open_.back().name_read;
    }

    void count(const YAML::Mark& mark) {
        if (++nodes_ > kNodesMax)
            stop(mark, fmt::format("the file has more than {} values", kNodesMax),
                 "split it, or use `{name}` and `*` in routes");
    }

    void leaf(const YAML::Mark& mark, YamlNode::Kind kind, std::string text) {
        count(mark);
        if (is_name_next()) {
            name(mark, kind, std::move(text));
            return;
        }
        YamlNode node;
        node.kind = kind;
        node.text = std::move(text);
        node.line = mark.line + 1;
        node.column = mark.column + 1;
        append(std::move(node));
    }

    void name(const YAML::Mark& mark, YamlNode::Kind kind, std::string text) {
        if (kind == YamlNode::Kind::null) stop(mark, "a value has no name", "write `name: value`");
        Open& map = open_.back();
        map.repeated = !map.names.insert(text).second;
        if (map.repeated)
            findings_.push_back(finding_at(mark, fmt::format("`{}` stands twice here", text),
                                           "remove one of them"));
        map.next = {std::move(text), mark.line + 1, mark.column + 1, {}};
        map.name_read = true;
    }

    void open(const YAML::Mark& mark, YamlNode::Kind kind) {
        count(mark);
        if (is_name_next())
            stop(mark, "a name is a list or a map", "write plain text before the `:`");
        if (open_.size() == kDepthMax)
            stop(mark, fmt::format("values are nested more than {} deep", kDepthMax),
                 "no setting is as deep as that");
        open_.emplace_back();
        open_.back().node.kind = kind;
        open_.back().node.line = mark.line + 1;
        open_.back().node.column = mark.column + 1;
    }

    void close() {
        YamlNode node = std::move(open_.back().node);
        open_.pop_back();
        append(std::move(node));
    }

    void append(YamlNode node) {
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (parent.node.kind == YamlNode::Kind::list) {
            parent.node.items.push_back(std::move(node));
            return;
        }
        parent.name_read = false;
        if (parent.repeated) return;
        parent.next.value = std::move(node);
        parent.node.members.push_back(std::move(parent.next));
    }

    std::vector<Finding>& findings_;
    YamlNode root_;
    std::vector<Open> open_;
    std::size_t nodes_ = 0;
    bool seen_document_ = false;
};

// The first control character, with its place.
std::optional<YAML::Mark> control_character(std::string_view text) {
    YAML::Mark mark;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) return mark;
        mark.column = c == '\n' ? 0 : mark.column + 1;
        mark.line += c == '\n' ? 1 : 0;
    }
    return std::nullopt;
}

// The first line that is indented with a tab, at most this one. YAML takes none, and what a parser says about it is
// about something else.
std::optional<YAML::Mark> indenting_tab(std::string_view text, int last_line) {
    YAML::Mark mark;
    for (; mark.line <= last_line; ++mark.line) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
        const auto tab = line.substr(0, begin).find('\t');
        mark.column = static_cast<int>(tab);
        if (tab != std::string_view::npos && begin < line.size()) return mark;
        if (line.size() == text.size()) break;
        text.remove_prefix(line.size() + 1);
    }
    return std::nullopt;
}

Finding of_parser(const YAML::Exception& error, std::string_view text) {
    if (const auto tab = indenting_tab(text, error.mark.line))
        return finding_at(*tab, "this line is indented with a tab", "indent with spaces");
    return finding_at(error.mark, fmt::format("this is not YAML: {}", error.msg),
                      "look at the indentation, the quotes and the brackets up to here");
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view name) const {
    for (const Member& member : members)
        if (member.name == name) return &member.value;
    return nullptr;
}

std::optional<YamlNode> parse_yaml(std::string_view text, std::vector<Finding>& findings) {
    if (text.size() > kFileBytesMax) {
        findings.push_back(
            {Severity::error, 0, 0,
             fmt::format("the file has more than {}", policy::format_size(kFileBytesMax)),
             "write less into it"});
        return std::nullopt;
    }
    if (const auto mark = control_character(text)) {
        findings.push_back(
            finding_at(*mark, "here is a control character", "write the file as UTF-8 text"));
        return std::nullopt;
    }
    TreeBuilder builder(findings);
    std::istringstream stream{std::string(text)};
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const Stop&) {
        return std::nullopt;
    } catch (const YAML::Exception& error) {
        findings.push_back(of_parser(error, text));
        return std::nullopt;
    }
    return builder.take();
}

}  // namespace pawl::yaml
