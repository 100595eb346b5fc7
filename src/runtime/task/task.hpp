// SPDX-License-Identifier: Apache-2.0
// Coroutines of one event loop. The executor is the concrete io_context's, in production and in the
// simulator alike, so that no call is type-erased on the request path.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl {

using Executor = boost::asio::io_context::executor_type;

// Parameters of a Task-returning function are taken by value; nothing is borrowed across an await unless
// the callee's header says who keeps it alive.
template <class T = void>
using Task = boost::asio::awaitable<T, Executor>;

inline constexpr boost::asio::use_awaitable_t<Executor> kAwait{};

}  // namespace pawl
