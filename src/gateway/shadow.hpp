// SPDX-License-Identifier: Apache-2.0
// `protect: shadow`: a request is passed on as if the route were not protected, and somebody looks on. The body
// is hashed as it streams, byte by byte, whatever the fingerprint rule is; what is inside of it is not looked
// at. What was seen goes to the one book, on that book's loop, after the answer: nothing waits for it.
#pragma once

#include <memory>
#include <string>

#include "gateway/routes.hpp"
#include "gateway/shadow_book.hpp"
#include "net/http/service.hpp"
#include "runtime/task/loop.hpp"

namespace pawl::gateway {

// Where notes go. Both outlive the gateways.
struct ShadowDesk {
    Loop& loop;
    ShadowBook& book;

    void hand_over(ShadowNote note) const;
};

struct ShadowRequest {
    std::shared_ptr<const Routes> routes;
    const policy::CompiledRoute* entry = nullptr;
    std::string tenant;
    Result<std::string> caller;  // or why nobody knows who calls
    http::RequestHead head;      // as it came
    std::string client;          // its address
};

// `desk` and `here`, the loop of the connection, outlive it.
std::unique_ptr<http::RelayWatcher> watch_in_shadow(const ShadowDesk& desk, Loop& here,
                                                    ShadowRequest request);

}  // namespace pawl::gateway
