// SPDX-License-Identifier: Apache-2.0
// What may stand behind a chunked body. Some services merge its fields into the head's, so that none passes which a
// head alone may say (RFC 9110, 6.5.1) or which somebody in front of the service has judged in the head: framing,
// routing, conditions, authentication, cookies, what pages may read, how a body is read, and what Pawl says.
#pragma once

#include <string_view>

namespace pawl::http {

bool may_be_trailer(std::string_view name);

}  // namespace pawl::http
