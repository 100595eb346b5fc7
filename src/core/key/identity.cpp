// SPDX-License-Identifier: Apache-2.0
// The tags are part of what is stored: changing one makes every record unfindable.
#include "core/key/identity.hpp"

namespace pawl::key {

Digest identity(const Scope& scope, std::string_view key) {
    return sha256_parts("pawl identity 1", {scope.tenant, scope.caller, scope.operation, key});
}

Digest derived_key(const Digest& identity, std::string_view stamp) {
    return sha256_parts("pawl derived key 1", {identity.view(), stamp});
}

Digest derived_identity(const Scope& scope, const std::vector<std::string>& parts) {
    DigestStream stream;
    stream.add_part("pawl derived identity 1");
    for (const std::string* part : {&scope.tenant, &scope.caller, &scope.operation})
        stream.add_part(*part);
    for (const std::string& part : parts) stream.add_part(part);
    return stream.finish();
}

}  // namespace pawl::key
