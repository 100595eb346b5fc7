// SPDX-License-Identifier: Apache-2.0
// What does an id cost? One in each millisecond, as at low load; a thousand in each, as under load; a burst that
// fills milliseconds; then reading one back, and its check code.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/id/check_code.hpp"
#include "core/id/snowflake.hpp"

namespace pawl::id {
namespace {

constexpr std::int64_t kNow = 1'764'000'000'000;

// `per_ms` ids, then the clock goes on by one.
void next_id(benchmark::State& state) {
    Snowflake ids(Layout{}, {3, 7}, 0);
    const std::int64_t per_ms = state.range(0);
    std::int64_t made = 0;
    for (auto _ : state) {
        auto id = ids.next(kNow + made++ / per_ms);
        benchmark::DoNotOptimize(id);
    }
}
BENCHMARK(next_id)->Arg(1)->Arg(1'000)->Arg(3'900);

void read_id(benchmark::State& state) {
    const std::string text = to_text(Snowflake(Layout{}, {3, 7}, 0).next(kNow).value());
    for (auto _ : state) {
        auto id = parse_id(text);
        benchmark::DoNotOptimize(id);
    }
}
BENCHMARK(read_id);

void read_id_in_json(benchmark::State& state) {
    const key::JsonValue value{key::JsonValue::Kind::number,
                               to_text(Snowflake(Layout{}, {3, 7}, 0).next(kNow).value() | 1)};
    for (auto _ : state) {
        auto id = id_in_json(value);
        benchmark::DoNotOptimize(id);
    }
}
BENCHMARK(read_id_in_json);

void check_code_of(benchmark::State& state) {
    const std::vector<std::string> fields{"shop-1", "order"};
    for (auto _ : state) {
        auto code = check_code(fields, kNow);
        benchmark::DoNotOptimize(code);
    }
}
BENCHMARK(check_code_of);

}  // namespace
}  // namespace pawl::id
