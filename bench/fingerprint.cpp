// SPDX-License-Identifier: Apache-2.0
// What does a fingerprint cost? A 1 KiB order, raw and in canonical form, with its members in order, out of
// order and one left out; then the shapes that try to make the canonical form slow, as bytes per second, so
// that a cost that is not linear shows as a falling rate.
#include <string>

#include <benchmark/benchmark.h>

#include "core/key/fingerprint.hpp"
#include "core/key/identity.hpp"

namespace pawl::key {
namespace {

// 1 KiB as a shop's front end sends it. Shape: `sorted` has every object's members in canonical order.
std::string order(bool sorted) {
    std::string items;
    for (int i = 0; items.size() < 700; ++i) {
        const std::string sku = "\"sku\":\"SKU-" + std::to_string(48'000'000 + i * 7919) + "\"";
        const std::string name = "\"name\":\"Article no. " + std::to_string(i) + ", Größe M\"";
        const std::string rest = "\"price\":\"1" + std::to_string(i) + ".90\",\"quantity\":2";
        items += (i == 0 ? "{" : ",{") +
                 (sorted ? name + "," + rest + "," + sku : sku + "," + name + "," + rest) + "}";
    }
    const std::string buyer =
        R"("buyer":{"address":"12 Long Street\nTown","email":"buyer@example.org","name":"A. Buyer"})";
    const std::string tail =
        R"("note":"please ring twice","sent_at":"2026-11-29T14:47:32.123Z","total":123.45)";
    return sorted ? "{" + buyer + ",\"items\":[" + items + "]," + tail + "}"
                  : "{\"items\":[" + items + "]," + tail + "," + buyer + "}";
}

void fingerprint_of(benchmark::State& state, const FingerprintRule& rule, const std::string& body) {
    for (auto _ : state) {
        auto digest = fingerprint(rule, {"POST", "/orders/%7ecart?x=1", "application/json", body});
        benchmark::DoNotOptimize(digest);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(body.size()));
}

void fingerprint_raw(benchmark::State& state) {
    fingerprint_of(state, {BodyForm::raw, {}}, order(false));
}
void fingerprint_canonical_sorted(benchmark::State& state) {
    fingerprint_of(state, {}, order(true));
}
void fingerprint_canonical(benchmark::State& state) { fingerprint_of(state, {}, order(false)); }
void fingerprint_canonical_excluding(benchmark::State& state) {
    FingerprintRule rule;
    rule.json.exclude = {*parse_json_path("$.sent_at")};
    fingerprint_of(state, rule, order(false));
}
BENCHMARK(fingerprint_raw);
BENCHMARK(fingerprint_canonical_sorted);
BENCHMARK(fingerprint_canonical);
BENCHMARK(fingerprint_canonical_excluding);

void canonical_of(benchmark::State& state, const std::string& body) {
    for (auto _ : state) {
        auto text = canonical_json(body);
        benchmark::DoNotOptimize(text);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(body.size()));
}

void canonical_only(benchmark::State& state) { canonical_of(state, order(false)); }
BENCHMARK(canonical_only);

void identity_only(benchmark::State& state) {
    const Scope scope{"tenant", "caller-0001", "POST /orders"};
    for (auto _ : state) {
        auto digest = identity(scope, "7b1c2f5e-8f5e-4a55-9d3a-0d9f0f4f2a11");
        benchmark::DoNotOptimize(digest);
    }
}
BENCHMARK(identity_only);

// Hostile shapes. The argument is the size in KiB.
std::string filled(std::size_t bytes, const std::string& open, const std::string& close,
                   auto&& next) {
    std::string text = open;
    for (std::size_t i = 0; text.size() + close.size() < bytes; ++i) text += next(i);
    if (text.back() == ',') text.pop_back();
    return text + close;
}

std::size_t size_of(const benchmark::State& state) {
    return static_cast<std::size_t>(state.range(0)) << 10;
}

void hostile_many_members(benchmark::State& state) {
    canonical_of(state, filled(size_of(state), "{", "}", [](std::size_t i) {
                     return "\"" + std::to_string((i * 2'654'435'761U) % 4'294'967'296U) + "\":0,";
                 }));
}
void hostile_common_prefix(benchmark::State& state) {
    canonical_of(state, filled(size_of(state), "{", "}", [](std::size_t i) {
                     return "\"" + std::string(200, 'a') +
                            std::to_string((i * 2'654'435'761U) % 4'294'967'296U) + "\":0,";
                 }));
}
void hostile_unsorted_at_every_depth(benchmark::State& state) {
    std::string open;
    std::string close;
    for (int i = 1; i < kJsonDepthMax; ++i) {
        open += "{\"b\":";
        close += ",\"a\":0}";
    }
    const std::string core = "\"" + std::string(size_of(state), 'x') + "\"";
    canonical_of(state, open + core + close);
}
void hostile_escapes(benchmark::State& state) {
    canonical_of(state, filled(size_of(state), "\"", "\"", [](std::size_t) { return "\\u000a"; }));
}
void hostile_digits(benchmark::State& state) {
    canonical_of(state, "1" + std::string(size_of(state), '0'));
}
void hostile_brackets(benchmark::State& state) {
    canonical_of(state, filled(size_of(state), "[", "]", [](std::size_t) { return "[],"; }));
}
BENCHMARK(hostile_many_members)->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);
BENCHMARK(hostile_common_prefix)->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);
BENCHMARK(hostile_unsorted_at_every_depth)->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);
BENCHMARK(hostile_escapes)->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);
BENCHMARK(hostile_digits)->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);
BENCHMARK(hostile_brackets)->Arg(64)->Arg(8192)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pawl::key
