// SPDX-License-Identifier: Apache-2.0
#include "surface/demo/demo_upstream.hpp"

#include <charconv>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "core/policy/path.hpp"
#include "net/http/problem.hpp"

namespace pawl::demo {
namespace {

constexpr std::size_t kBodyBytesMax = 64U << 10;
constexpr std::string_view kPrefix = "/orders/";
// What the sagas of the built-in flows post to.
constexpr std::string_view kDeeds[] = {"/refunds", "/outgoing",      "/incoming",
                                       "/jobs",    "/cancellations", "/bills",
                                       "/credits", "/granted",       "/revoked"};

http::Response json_response(int status, const boost::json::value& value) {
    http::Response response;
    response.status = status;
    response.headers.emplace_back("Content-Type", "application/json");
    response.body = boost::json::serialize(value) + "\n";
    return response;
}

boost::json::object order_json(std::uint64_t number, const std::string& item) {
    return {{"order", number}, {"item", item}};
}

// What a person may ask for in the order itself.
struct Wish {
    std::string item = "something";
    std::chrono::milliseconds delay{};
    bool fail_after = false;
};

Wish wish_in(std::string_view body) {
    Wish wish;
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse(body, error);
    if (error || !value.is_object()) return wish;
    const boost::json::object& object = value.get_object();
    if (const auto* item = object.if_contains("item"); item != nullptr && item->is_string())
        wish.item = std::string(item->get_string());
    if (const auto* delay = object.if_contains("delay_ms"); delay != nullptr && delay->is_int64())
        wish.delay = std::clamp(std::chrono::milliseconds{delay->get_int64()},
                                std::chrono::milliseconds{}, kDelayMax);
    if (const auto* fails = object.if_contains("fail"); fails != nullptr && fails->is_string())
        wish.fail_after = fails->get_string() == "after";
    return wish;
}

}  // namespace

http::Plan DemoUpstream::plan(const http::RequestHead&, const http::Peer&) {
    return {http::Whole{.body_bytes_max = kBodyBytesMax}};
}

http::Serving DemoUpstream::serve(http::Request request, const http::Peer&) {
    const std::string_view path = policy::path_of(request.head.target);
    const bool reads = request.head.method == "GET" || request.head.method == "HEAD";
    if (path == "/orders" && request.head.method == "POST")
        return take_order(std::move(request.body));
    if (path == "/orders" && reads) return list();
    if (path.starts_with(kPrefix) && reads) return one(path.substr(kPrefix.size()));
    if (std::ranges::find(kDeeds, path) != std::end(kDeeds)) {
        if (reads) return deeds_of(path);
        if (request.head.method == "POST")
            return do_once(path, http::first_of(request.head.headers, "Idempotency-Key"));
    }
    return refuse(
        404, "not_found",
        "The demonstration service knows POST /orders, GET /orders and GET /orders/N, and "
        "GET /refunds.");
}

http::Response DemoUpstream::do_once(std::string_view path, std::string_view key) {
    const auto same = [&](const Deed& deed) { return deed.path == path && deed.key == key; };
    auto done = std::ranges::find_if(deeds_, same);
    if (done == deeds_.end()) {
        if (deeds_.size() >= kOrdersMax) deeds_.erase(deeds_.begin());
        done = deeds_.insert(deeds_.end(), {std::string(path), std::string(key)});
    } else {
        ++done->asked;
    }
    return json_response(200, {{"done", true}, {"asked", done->asked}});
}

http::Response DemoUpstream::deeds_of(std::string_view path) const {
    boost::json::array shown;
    for (const Deed& deed : deeds_)
        if (deed.path == path)
            shown.push_back(boost::json::object{{"key", deed.key}, {"asked", deed.asked}});
    return json_response(200, {{"count", shown.size()}, {path.substr(1), shown}});
}

Task<http::Response> DemoUpstream::take_order(std::string body) {
    const Wish wish = wish_in(body);
    const std::uint64_t number = ++last_number_;
    if (orders_.size() >= kOrdersMax) orders_.erase(orders_.begin());
    orders_.push_back({number, wish.item});
    if (wish.delay.count() > 0) co_await loop_.sleep_for(wish.delay);
    if (wish.fail_after)
        co_return json_response(500, {{"error", "the order was taken, then something broke"}});
    http::Response response = json_response(201, order_json(number, wish.item));
    response.headers.emplace_back("Location", fmt::format("{}{}", kPrefix, number));
    co_return response;
}

http::Response DemoUpstream::list() const {
    boost::json::array orders;
    for (const Order& order : orders_) orders.push_back(order_json(order.number, order.item));
    return json_response(200, {{"count", orders.size()}, {"orders", orders}});
}

http::Response DemoUpstream::one(std::string_view number) const {
    std::uint64_t wanted = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), wanted);
    const bool whole = parsed.ec == std::errc{} && parsed.ptr == number.data() + number.size();
    const auto found = std::ranges::find(orders_, wanted, &Order::number);
    if (whole && found != orders_.end())
        return json_response(200, order_json(found->number, found->item));
    // The built-in flows ask here whether their orders are paid; those have names.
    const bool is_name = number.find_first_not_of("0123456789") != number.npos;
    if (is_name) return json_response(200, {{"paid", false}});
    return json_response(404, {{"error", "no such order"}});
}

http::Response DemoUpstream::refuse(int status, std::string_view code, std::string_view detail) {
    return http::refusal(status, code, detail);
}

}  // namespace pawl::demo
