// SPDX-License-Identifier: Apache-2.0
#include "surface/yaml/section.hpp"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/policy/units.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::yaml {

using policy::Severity;

std::string variable_name(std::string_view path) {
    std::string name = "PAWL_";
    for (const char c : path)
        name += c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
}

std::string_view name_of(YamlNode::Kind kind) {
    switch (kind) {
        case YamlNode::Kind::null:
            return "nothing";
        case YamlNode::Kind::scalar:
            return "a single value";
        case YamlNode::Kind::list:
            return "a list";
        case YamlNode::Kind::map:
            break;
    }
    return "a map";
}

Section::Section(Reading& reading, const YamlNode* node, std::string prefix, bool overridden)
    : reading_(reading), node_(node), prefix_(std::move(prefix)), overridden_(overridden) {}

std::string Section::path_of(std::string_view name) const {
    return prefix_.empty() ? std::string(name) : fmt::format("{}.{}", prefix_, name);
}

const YamlNode* Section::take(std::string_view name) {
    if (std::ranges::find(known_, name) == known_.end()) known_.emplace_back(name);
    const YamlNode* value = node_ == nullptr ? nullptr : node_->find(name);
    if (value == nullptr) return nullptr;
    if (places_ != nullptr) places_->push_back({path_of(name), value->line, value->column});
    if (value->kind != YamlNode::Kind::null) return value;
    error(*value, fmt::format("`{}` has no value", name),
          fmt::format("write one, or remove `{}`", name));
    return nullptr;
}

const std::string* Section::variable(std::string_view name) {
    if (!overridden_) return nullptr;
    reading_.variables.push_back(variable_name(path_of(name)));
    const auto at = reading_.environment.find(reading_.variables.back());
    return at == reading_.environment.end() ? nullptr : &at->second;
}

void Section::misread(std::string_view name, const std::string* variable, const YamlNode* at,
                      std::string what) {
    if (variable != nullptr)
        reading_.findings.push_back(
            {Severity::error, 0, 0,
             fmt::format("the variable {}: {}", variable_name(path_of(name)), what), ""});
    else
        error(*at, fmt::format("`{}`: {}", name, what), "");
}

bool Section::scalar(std::string_view name, const Parse& parse) {
    const YamlNode* value = take(name);
    const std::string* given = variable(name);
    if (given == nullptr && value == nullptr) return false;
    if (given == nullptr && value->kind != YamlNode::Kind::scalar) {
        error(*value, fmt::format("`{}` is {}", name, name_of(value->kind)),
              fmt::format("write `{}: …` with a single value", name));
        return false;
    }
    const Status parsed = parse(given != nullptr ? *given : value->text);
    if (!parsed) misread(name, given, value, parsed.error().text);
    if (given != nullptr) reading_.environment.erase(reading_.variables.back());
    return parsed.has_value();
}

bool Section::text(std::string_view name, std::string& target) {
    return scalar(name, [&](std::string_view text) -> Status {
        if (text.empty())
            return fail(Code::config_invalid,
                        "the value is empty; write one, or remove the setting");
        target = text;
        return {};
    });
}

bool Section::flag(std::string_view name, bool& target) {
    return scalar(name, [&](std::string_view text) -> Status {
        if (text != "true" && text != "false")
            return fail(Code::config_invalid, fmt::format("`{}` is not `true` or `false`", text));
        target = text == "true";
        return {};
    });
}

bool Section::duration(std::string_view name, std::chrono::milliseconds& target) {
    return scalar(name, [&](std::string_view text) -> Status {
        const auto parsed = policy::parse_duration(text);
        if (!parsed) return fail(parsed.error());
        target = *parsed;
        return {};
    });
}

bool Section::size(std::string_view name, std::size_t& target) {
    return scalar(name, [&](std::string_view text) -> Status {
        const auto parsed = policy::parse_size(text);
        if (!parsed) return fail(parsed.error());
        target = *parsed;
        return {};
    });
}

bool Section::number(std::string_view name, std::size_t& target, std::size_t least,
                     std::size_t most) {
    return scalar(name, [&](std::string_view text) -> Status {
        std::size_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size() ||
            value < least || value > most)
            return fail(Code::config_invalid,
                        fmt::format("`{}` is not a whole number from {} to {}", text, least, most));
        target = value;
        return {};
    });
}

bool Section::texts(std::string_view name, std::vector<std::string>& target) {
    const YamlNode* value = take(name);
    if (value == nullptr) return false;
    std::vector<std::string> texts;
    if (value->kind == YamlNode::Kind::scalar) texts.push_back(value->text);
    for (const YamlNode& item : value->items) {
        if (item.kind == YamlNode::Kind::scalar) {
            texts.push_back(item.text);
            continue;
        }
        error(item, fmt::format("`{}` holds {}", name, name_of(item.kind)),
              fmt::format("write `{}: [one, two]`", name));
        return false;
    }
    if (value->kind == YamlNode::Kind::map) {
        error(*value, fmt::format("`{}` is a map", name),
              fmt::format("write `{}: [one, two]`", name));
        return false;
    }
    target = std::move(texts);
    return true;
}

bool Section::choice(std::string_view name, std::span<const std::string_view> names,
                     const Parse& take_name) {
    return scalar(name, [&](std::string_view text) -> Status {
        if (std::ranges::find(names, text) != names.end()) return take_name(text);
        const auto meant = nearest(text, {names.begin(), names.end()});
        if (meant)
            return fail(Code::config_invalid,
                        fmt::format("`{}` is not known; did you mean `{}`?", text, *meant));
        return fail(Code::config_invalid, fmt::format("`{}` is not known; write one of {}", text,
                                                      fmt::join(names, ", ")));
    });
}

Section Section::section(std::string_view name) {
    const YamlNode* value = take(name);
    if (value != nullptr && value->kind != YamlNode::Kind::map) {
        error(*value, fmt::format("`{}` is {}", name, name_of(value->kind)),
              fmt::format("write `{}: {{ … }}`", name));
        value = nullptr;
    }
    Section below(reading_, value, path_of(name), overridden_);
    below.places_ = places_;
    return below;
}

void Section::later(std::string_view name) {
    later_.emplace_back(name);
    if (node_ == nullptr) return;
    for (const YamlNode::Member& member : node_->members)
        if (member.name == name)
            reading_.findings.push_back({Severity::error, member.line, member.column,
                                         fmt::format("`{}` comes with a later version", name),
                                         fmt::format("remove `{}`", name)});
}

void Section::error(const YamlNode& at, std::string what, std::string remedy) {
    reading_.findings.push_back(
        {Severity::error, at.line, at.column, std::move(what), std::move(remedy)});
}

void Section::warn(const YamlNode& at, std::string what, std::string remedy) {
    reading_.findings.push_back(
        {Severity::warning, at.line, at.column, std::move(what), std::move(remedy)});
}

void Section::error(std::string what, std::string remedy) {
    reading_.findings.push_back({Severity::error, node_ == nullptr ? 0 : node_->line,
                                 node_ == nullptr ? 0 : node_->column, std::move(what),
                                 std::move(remedy)});
}

void Section::finish() {
    if (node_ == nullptr) return;
    for (const YamlNode::Member& member : node_->members) {
        if (std::ranges::find(known_, member.name) != known_.end()) continue;
        if (std::ranges::find(later_, member.name) != later_.end()) continue;
        const auto meant = nearest(member.name, known_);
        const std::string place = prefix_.empty() ? "here" : fmt::format("in `{}`", prefix_);
        reading_.findings.push_back({Severity::error, member.line, member.column,
                                     fmt::format("`{}` is not known {}", member.name, place),
                                     meant ? fmt::format("did you mean `{}`?", *meant)
                                           : fmt::format("known are {}", fmt::join(known_, ", "))});
    }
}

}  // namespace pawl::yaml
