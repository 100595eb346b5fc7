// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_encryption.hpp"

#include <fmt/format.h>

#include "surface/config/read_secret.hpp"

namespace pawl::config {
namespace {

constexpr std::string_view kCurrent = "store.encryption.key";

std::string previous_name(std::size_t at) {
    return fmt::format("store.encryption.previous[{}]", at);
}

Result<store::SealingKey> key_of(const Secret& secret, const std::string& name) {
    auto key = store::SealingKey::parse(secret.value);
    if (!key) return fail(Code::config_invalid, fmt::format("`{}`: {}", name, key.error().text));
    return key;
}

void read_previous(Reading& reading, Section& section, Encryption& encryption) {
    const YamlNode* previous = section.take("previous");
    if (previous == nullptr) return;
    if (previous->kind != YamlNode::Kind::list) {
        section.error(*previous, fmt::format("`previous` is {}", name_of(previous->kind)),
                      "write `previous: [{ file: /run/secrets/… }]`");
        return;
    }
    for (const YamlNode& node : previous->items) {
        Secret secret;
        read_source(reading, node, "previous", secret);
        encryption.previous.push_back(std::move(secret));
    }
}

}  // namespace

void read_encryption(Reading& reading, Section& store, Encryption& encryption) {
    const bool given = store.has("encryption");
    Section section = store.section("encryption");
    if (!given) return;
    read_secret(reading, section, "key", encryption.key);
    read_previous(reading, section, encryption);
    section.finish();
}

Status read_encryption_files(Encryption& encryption) {
    if (auto read = read_file_of(encryption.key, kCurrent, false); !read) return read;
    for (std::size_t i = 0; i < encryption.previous.size(); ++i)
        if (auto read = read_file_of(encryption.previous[i], previous_name(i), false); !read)
            return read;
    return {};
}

Result<store::SealingKeys> sealing_keys_of(const Encryption& encryption) {
    store::SealingKeys keys;
    if (!encryption.key.given()) return keys;
    auto current = key_of(encryption.key, std::string(kCurrent));
    if (!current) return fail(std::move(current.error()));
    keys.current = std::move(*current);
    for (std::size_t i = 0; i < encryption.previous.size(); ++i) {
        auto key = key_of(encryption.previous[i], previous_name(i));
        if (!key) return fail(std::move(key.error()));
        keys.previous.push_back(std::move(*key));
    }
    return keys;
}

}  // namespace pawl::config
