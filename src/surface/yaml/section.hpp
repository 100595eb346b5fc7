// SPDX-License-Identifier: Apache-2.0
// Reads one map of the file into variables. Asking for a setting makes its name known; at the end every name
// that nobody asked for is an error, with the nearest known one. Variables that are not given keep their
// value, so a default is written once, where the variable is declared.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/finding.hpp"
#include "core/policy/route.hpp"
#include "runtime/result/result.hpp"
#include "surface/yaml/yaml_tree.hpp"

namespace pawl::yaml {

// What one load gathers.
struct Reading {
    std::vector<policy::Finding> findings;
    std::map<std::string, std::string>
        environment;                           // PAWL_ variables that no setting has taken yet
    std::map<std::string, std::string> given;  // all of them
    std::vector<std::string> variables;        // names of variables that exist
};

class Section {
  public:
    // `node` may be nullptr (not given) and must be a map otherwise. `prefix` is the path of the section:
    // "", "store", "uncertain". With `overridden` the environment comes before the file.
    Section(Reading& reading, const YamlNode* node, std::string prefix, bool overridden);

    // Where the settings of this section are noted; for the sections of a route.
    void note_places(std::vector<policy::FieldPlace>* places) { places_ = places; }

    // The value of a setting, nullptr when not given; a null is an error and not given.
    const YamlNode* take(std::string_view name);
    bool has(std::string_view name) const {
        return node_ != nullptr && node_->find(name) != nullptr;
    }

    using Parse = std::function<Status(std::string_view)>;
    // A scalar, through `parse`, whose error text becomes the finding. True when it was given and good.
    bool scalar(std::string_view name, const Parse& parse);
    bool text(std::string_view name, std::string& target);
    bool flag(std::string_view name, bool& target);
    bool duration(std::string_view name, std::chrono::milliseconds& target);
    bool size(std::string_view name, std::size_t& target);
    bool number(std::string_view name, std::size_t& target, std::size_t least, std::size_t most);
    // A list of scalars; a single scalar is a list of one.
    bool texts(std::string_view name, std::vector<std::string>& target);
    // One of `names`; `take_name` is given the one that was written.
    bool choice(std::string_view name, std::span<const std::string_view> names,
                const Parse& take_name);
    // The same, read by the reader of those names.
    template <class Value>
    bool choice(std::string_view name, std::span<const std::string_view> names,
                std::optional<Value> (*read)(std::string_view), std::optional<Value>& target) {
        return choice(name, names, [&](std::string_view text) -> Status {
            target = read(text);
            return {};
        });
    }
    template <class Value>
    bool choice(std::string_view name, std::span<const std::string_view> names,
                std::optional<Value> (*read)(std::string_view), Value& target) {
        std::optional<Value> chosen;
        const bool given = choice(name, names, read, chosen);
        if (chosen) target = *chosen;
        return given;
    }
    // A map below this one; the section of nothing when not given.
    Section section(std::string_view name);

    // A setting that is designed and not there yet.
    void later(std::string_view name);

    void error(const YamlNode& at, std::string what, std::string remedy);
    void warn(const YamlNode& at, std::string what, std::string remedy);
    // At the section itself.
    void error(std::string what, std::string remedy);

    // Refuses every name that was not asked for.
    void finish();

  private:
    std::string path_of(std::string_view name) const;
    const std::string* variable(std::string_view name);
    void misread(std::string_view name, const std::string* variable, const YamlNode* at,
                 std::string what);

    Reading& reading_;
    const YamlNode* node_;
    std::string prefix_;
    bool overridden_;
    std::vector<policy::FieldPlace>* places_ = nullptr;
    std::vector<std::string> known_;
    std::vector<std::string> later_;
};

// "store.path" -> "PAWL_STORE_PATH".
std::string variable_name(std::string_view path);
// "map", "list", ...: for messages.
std::string_view name_of(YamlNode::Kind kind);

}  // namespace pawl::yaml
