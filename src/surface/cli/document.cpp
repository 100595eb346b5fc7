// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/document.hpp"

#include <boost/json.hpp>

#include "surface/cli/terminal.hpp"

namespace pawl::cli {

namespace json = boost::json;

std::string text(const json::object& object, std::string_view name) {
    const json::value* found = object.if_contains(name);
    if (found == nullptr) return {};
    if (found->is_string()) return visible(found->get_string());
    return json::serialize(*found);
}

const json::array& list(const json::object& object, std::string_view name) {
    static const json::array kNone;
    const json::value* found = object.if_contains(name);
    return found != nullptr && found->is_array() ? found->get_array() : kNone;
}

const json::object& part(const json::object& object, std::string_view name) {
    static const json::object kNone;
    const json::value* found = object.if_contains(name);
    return found != nullptr && found->is_object() ? found->get_object() : kNone;
}

std::string time_text(std::string text) {
    if (text.size() > 10 && text[10] == 'T') text[10] = ' ';
    if (text.ends_with('Z')) text.pop_back();
    return text;
}

}  // namespace pawl::cli
