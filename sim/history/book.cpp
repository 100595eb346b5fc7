// SPDX-License-Identifier: Apache-2.0
#include "sim/history/book.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace pawl::sim {

std::string_view name_of(Promise promise) {
    static constexpr std::array<std::string_view, kPromiseCount> kNames{
        "quiet",     "closing", "probed",    "rerunnable", "transactional",
        "declaring", "natural", "versioned", "silent",     "calling"};
    return kNames[static_cast<std::size_t>(promise)];
}

Name& Book::add_name(Promise promise, Number caller, std::string key) {
    return names_.emplace_back(
        Name{static_cast<Number>(names_.size() + 1), promise, caller, std::move(key)});
}

Number Book::operation_named(Number name, const std::string& stamp) {
    std::string& newest = newest_[name];
    if (is_older(newest, stamp)) newest = stamp;
    const auto fresh = static_cast<Number>(operations_.size() + 1);
    return operations_.emplace(fmt::format("{}/{}", name, stamp), fresh).first->second;
}

Intent& Book::add_intent(Name& name, std::string stamp) {
    Intent intent;
    intent.number = static_cast<Number>(intents_.size() + 1);
    intent.name = name.number;
    intent.operation = operation_named(name.number, stamp);
    intent.stamp = std::move(stamp);
    intent.kept = fmt::format(R"({{"intent":{},"amount":"12.50"}})", intent.number);
    intent.turned = fmt::format(R"({{ "amount": "12.50", "intent": {} }})", intent.number);
    return intents_.emplace_back(std::move(intent));
}

Intent& Book::add_twin(Name& name, const Intent& intent) {
    Intent twin = intent;
    twin.number = static_cast<Number>(intents_.size() + 1);
    twin.name = name.number;
    twin.operation = operation_named(name.number, twin.stamp);
    twins_.emplace((std::uint64_t{intent.number} << 32) | name.caller, twin.number);
    return intents_.emplace_back(std::move(twin));
}

bool Book::has_newer(Number number) const {
    const Intent& intent = intents_[number - 1];
    const auto newest = newest_.find(intent.name);
    return newest != newest_.end() && is_older(intent.stamp, newest->second);
}

Number Book::meant(Number written, Number caller) const {
    if (written == 0 || written > intents_.size()) return 0;
    if (names_[intents_[written - 1].name - 1].caller == caller) return written;
    const auto twin = twins_.find((std::uint64_t{written} << 32) | caller);
    return twin == twins_.end() ? 0 : twin->second;
}

Exchange& Book::add_exchange(Number intent, MonotonicTime sent_at) {
    return exchanges_.emplace_back(
        Exchange{static_cast<Number>(exchanges_.size() + 1), intent, sent_at});
}

Number Book::known_as(const Digest& identity) const {
    const auto found = identities_.find(identity);
    return found == identities_.end() ? 0 : found->second;
}

std::string path_of(Promise promise) { return fmt::format("/{}/orders", name_of(promise)); }

std::string caller_name(Number caller) { return fmt::format("caller-{}", caller); }

http::Request request_of(const Name& name, const Intent& intent, Number exchange, bool turned) {
    http::Request request;
    request.head.method = "POST";
    request.head.target = path_of(name.promise);
    request.head.headers.reserve(6);
    request.head.headers.emplace_back("Host", "pawl.test");
    request.head.headers.emplace_back("Content-Type", "application/json");
    request.head.headers.emplace_back("X-Caller", caller_name(name.caller));
    request.head.headers.emplace_back("traceparent",
                                      fmt::format("00-{:032x}-{:016x}-01", exchange, exchange));
    if (!name.key.empty()) request.head.headers.emplace_back("Idempotency-Key", name.key);
    if (!intent.stamp.empty()) request.head.headers.emplace_back("Pawl-Version", intent.stamp);
    request.body = turned ? intent.turned : intent.kept;
    return request;
}

Number exchange_in(std::string_view trace) {
    if (trace.size() > 32 + 3) trace = trace.substr(3, 32);
    if (trace.size() != 32) return 0;
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(trace.data(), trace.data() + trace.size(), number, 16);
    if (error != std::errc{} || end != trace.data() + trace.size() || number > UINT32_MAX) return 0;
    return static_cast<Number>(number);
}

}  // namespace pawl::sim
