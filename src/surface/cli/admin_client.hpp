// SPDX-License-Identifier: Apache-2.0
// The admin port of a running server, as a command asks it: one request after the other, each to its end, or many
// side by side.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "net/http/upstreams.hpp"
#include "runtime/task/system_loop.hpp"

namespace pawl::cli {

inline constexpr std::chrono::seconds kAnswerTimeout{30};
// The server answers a word when its line is in the timeline; lines of words that come together are written together.
inline constexpr std::size_t kPostsAtOnce = 128;
inline constexpr std::size_t kPostedBytesAtOnce = 32U << 20;
inline constexpr std::size_t kAnswerBytesMax = 64U << 20;

struct AdminAddress {
    http::Target target;
    std::string token;  // empty: none
};

class AdminClient {
  public:
    explicit AdminClient(AdminAddress address);

    // Errors: unavailable (nobody listens there), unknown (no answer to what was sent).
    Result<http::Response> get(std::string target);
    Result<http::Response> post(std::string target, std::string body);

    struct Posts {
        std::string target;
        std::size_t count = 0;
        // Called for each right before it is sent, and once more for the first.
        std::function<std::string(std::size_t)> body;
        // Called for each, in the order of their numbers. Errors: as post.
        std::function<void(Result<http::Response>)> answered;
    };
    // At most kPostsAtOnce are under way, fewer when they are large, at least one. Each is answered for itself.
    void post_all(Posts posts);

    // "127.0.0.1:8081".
    std::string place() const;

  private:
    struct Posting {
        Posts posts;
        std::size_t sent = 0;
        std::size_t told = 0;
        std::vector<std::optional<Result<http::Response>>> answers;
    };

    Task<Result<http::Response>> ask(http::Request request);
    Task<void> post_some(Posting& posting);

    AdminAddress address_;
    SystemLoop system_;
    http::Upstreams upstreams_;
};

}  // namespace pawl::cli
