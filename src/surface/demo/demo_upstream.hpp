// SPDX-License-Identifier: Apache-2.0
// The service that stands behind the gateway when no configuration names one: it takes orders, numbers
// them and remembers them until the process ends. It knows nothing of keys, so what a person sees twice
// in its list was done twice.
//
// Two members of an order's JSON make trouble on purpose: "delay_ms" answers late, and "fail": "after"
// takes the order and then answers 500, which leaves the gateway without knowledge of the outcome.
//
// It also stands for the services that the built-in flows call: it says of every order with a name that it is
// not paid, and takes refunds, jobs, bills and the like, each once per Idempotency-Key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/http/service.hpp"
#include "runtime/task/loop.hpp"

namespace pawl::demo {

inline constexpr std::size_t kOrdersMax = 10'000;  // the oldest are forgotten
inline constexpr std::chrono::milliseconds kDelayMax{30'000};

// Lives on one loop.
class DemoUpstream final : public http::Service {
  public:
    explicit DemoUpstream(Loop& loop) : loop_(loop) {}

    http::Plan plan(const http::RequestHead& head, const http::Peer& peer) override;
    http::Serving serve(http::Request request, const http::Peer& peer) override;
    http::Response refuse(int status, std::string_view code, std::string_view detail) override;
    void relayed(const http::RequestHead&, int) override {}

    std::uint64_t orders_taken() const { return last_number_; }
    std::size_t deeds_done() const { return deeds_.size(); }

  private:
    struct Order {
        std::uint64_t number = 0;
        std::string item;
    };

    // What a flow's saga asked for.
    struct Deed {
        std::string path;
        std::string key;
        std::size_t asked = 1;  // so often; done once
    };

    Task<http::Response> take_order(std::string body);
    http::Response do_once(std::string_view path, std::string_view key);
    http::Response deeds_of(std::string_view path) const;
    http::Response list() const;
    http::Response one(std::string_view number) const;

    Loop& loop_;
    std::uint64_t last_number_ = 0;
    std::vector<Order> orders_;
    std::vector<Deed> deeds_;
};

}  // namespace pawl::demo
