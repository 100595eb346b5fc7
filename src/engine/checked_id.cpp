// SPDX-License-Identifier: Apache-2.0
#include "engine/checked_id.hpp"

namespace pawl::engine {
namespace {

// One that the entity does not have counts as empty; no event gives it one later.
std::vector<std::string> texts_of(const flow::Definition& flow, const flow::Entity& entity) {
    std::vector<std::string> texts;
    for (const std::string& name : flow.check_code) {
        const auto field = entity.fields.find(name);
        texts.push_back(field == entity.fields.end() ? std::string() : field->second.text);
    }
    return texts;
}

}  // namespace

std::string checked_id(const flow::Definition& flow, const flow::Entity& entity) {
    const auto id = id::parse_id(entity.id);
    if (flow.check_code.empty() || !id) return {};
    return id::to_checked_text(*id, texts_of(flow, entity));
}

bool has_code(const flow::Definition& flow, const flow::Entity& entity,
              const id::WrittenId& written) {
    return !flow.check_code.empty() && id::fits(written, texts_of(flow, entity));
}

}  // namespace pawl::engine
