// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_secret.hpp"

#include <fmt/format.h>

#include "runtime/file/named_file.hpp"

namespace pawl::config {
namespace {

constexpr std::size_t kSecretBytesMax = 4096;
constexpr std::size_t kPemBytesMax = 16384;

void read_members(Reading& reading, Section& section, const YamlNode& node, std::string_view name,
                  const std::string& forms, Secret& secret) {
    section.text("file", secret.file);
    std::string& variable = secret.variable;
    const bool from_variable = section.text("env", variable);
    if (secret.file.empty() == variable.empty()) {
        section.error(node, fmt::format("`{}` needs one source", name), forms);
        return;
    }
    if (!from_variable) return;
    reading.variables.push_back(variable);
    const auto at = reading.given.find(variable);
    if (at == reading.given.end()) {
        section.error(node, fmt::format("the variable {} is not set", variable),
                      "set it; only variables that begin with PAWL_ are read");
        return;
    }
    secret.value = at->second;
    reading.environment.erase(variable);
}

}  // namespace

void read_secret(Reading& reading, Section& parent, std::string_view name, Secret& secret) {
    const YamlNode* node = parent.take(name);
    const std::string forms = fmt::format(
        "write `{}: {{ file: /run/secrets/… }}` or `{}: {{ env: PAWL_… }}`", name, name);
    if (node == nullptr) {
        parent.error(fmt::format("`{}` is missing", name), forms);
        return;
    }
    if (node->kind != YamlNode::Kind::map) {
        parent.error(*node, fmt::format("`{}` stands in the file itself", name), forms);
        return;
    }
    Section section = parent.section(name);
    read_members(reading, section, *node, name, forms, secret);
    section.finish();
}

void read_source(Reading& reading, const YamlNode& node, std::string_view name, Secret& secret) {
    const bool is_map = node.kind == YamlNode::Kind::map;
    Section section(reading, is_map ? &node : nullptr, std::string(name), false);
    read_source_in(reading, section, node, name, secret);
    section.finish();
}

void read_source_in(Reading& reading, Section& entry, const YamlNode& node, std::string_view name,
                    Secret& secret) {
    const std::string forms = fmt::format(
        "write `{}: [{{ file: /run/secrets/… }}]` or `{}: [{{ env: PAWL_… }}]`", name, name);
    if (node.kind == YamlNode::Kind::map)
        read_members(reading, entry, node, name, forms, secret);
    else
        entry.error(node, fmt::format("`{}` stands in the file itself", name), forms);
}

Status read_file_of(Secret& secret, std::string_view name, bool whole) {
    if (!secret.value.empty() || secret.file.empty()) return {};
    const std::size_t bytes_max = whole ? kPemBytesMax : kSecretBytesMax;
    const auto refused = [&](const FileFault& fault) {
        return fail(error_of(fault, secret.file, name));
    };
    auto text = read_start_of(secret.file, bytes_max + 1);
    if (!text) return refused(text.error());
    if (!whole) text->resize(std::min(text->size(), text->find_first_of("\r\n")));
    if (text->empty()) return refused(kFileEmpty);
    if (text->size() > bytes_max) return refused(kFileTooLong);
    secret.value = *std::move(text);
    return {};
}

Status read_callback_secret(policy::Route& route) {
    if (!route.uncertain.callback) return {};
    policy::Secret& secret = *route.uncertain.callback;
    const std::string name = fmt::format("uncertain.callback.secret of {}", route.name);
    if (auto read = read_file_of(secret, name, false); !read) return read;
    if (secret.value.size() >= policy::kCallbackSecretBytesMin) return {};
    return fail(Code::config_invalid,
                fmt::format("`{}` has fewer than {} bytes", name, policy::kCallbackSecretBytesMin));
}

}  // namespace pawl::config
