// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_server.hpp"

#include <algorithm>

namespace pawl::store {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;
constexpr std::uint64_t kTendEvery = 16;

std::unexpected<Error> not_applied() {
    return fail(Code::unavailable, "The store is not available.", "simulated", "store");
}

std::unexpected<Error> may_be_applied() {
    return fail(Code::unknown, "The store did not say whether it committed.", "simulated", "store");
}

}  // namespace

SimulatedServer::SimulatedServer(Loop& loop, Shelf& shelf, FaultProfile profile)
    : loop_(loop), shelf_(shelf), profile_(profile) {}

SimulatedServer::~SimulatedServer() {
    for (auto& [number, flight] : flights_) cancel(flight);
}

void SimulatedServer::cancel(Flight& flight) {
    loop_.alarms().cancel(flight.arrival);
    loop_.alarms().cancel(flight.answer);
}

Fault SimulatedServer::draw(std::optional<Fault> planned) {
    if (!reachable_) return Fault::refused;
    if (planned) return *planned;
    const std::array<std::pair<std::uint32_t, Fault>, 5> chances{
        {{profile_.refused, Fault::refused},
         {profile_.busy_calls, Fault::busy},
         {profile_.unknown_before, Fault::unknown_before},
         {profile_.unknown_after, Fault::unknown_after},
         {profile_.late, Fault::late}}};
    const bool faultless =
        std::ranges::all_of(chances, [](const auto& chance) { return chance.first == 0; });
    if (faultless) return Fault::none;
    auto drawn = static_cast<std::uint32_t>(loop_.entropy().below(kMillion));
    for (const auto& [chance, fault] : chances) {
        if (drawn < chance) return fault;
        drawn -= chance;
    }
    return Fault::none;
}

std::chrono::nanoseconds SimulatedServer::delay() {
    const auto span = profile_.delay_max - profile_.delay_min;
    if (span.count() <= 0) return profile_.delay_min;
    return profile_.delay_min + std::chrono::microseconds(loop_.entropy().below(
                                    static_cast<std::uint64_t>(span.count()) + 1));
}

Task<void> SimulatedServer::travel(Loop& from) {
    if (const auto time = delay(); time.count() > 0) co_await from.sleep_for(time);
}

Result<Reply> SimulatedServer::commit(const record::Call& call) {
    if (++commits_ % kTendEvery == 0) shelf_.tend();
    return std::move(shelf_.commit({&call, 1}).front());
}

void SimulatedServer::answer_at_once(Errand& errand, Fault fault) {
    if (fault == Fault::refused) errand.put(not_applied());
    if (fault == Fault::unknown_before || fault == Fault::unknown_after)
        errand.put(may_be_applied());
    if (fault == Fault::none || fault == Fault::unknown_after) errand.commit();
    errand.answer();
}

void SimulatedServer::send(record::Call call, const std::shared_ptr<Slot>& slot) {
    ++calls_;
    const Fault fault = draw(reachable_ && plan_ ? plan_(calls_, call) : std::nullopt);
    dispatch(fault, std::make_unique<ErrandOf<Reply>>(
                        [this, sent = std::move(call)] { return commit(sent); }, slot));
}

void SimulatedServer::dispatch(Fault fault, std::unique_ptr<Errand> errand) {
    if (profile_.delay_max.count() == 0 && fault != Fault::busy && fault != Fault::late)
        return answer_at_once(*errand, fault);

    const MonotonicTime now = loop_.now();
    const MonotonicTime arrives = now + delay();
    MonotonicTime answers = arrives + delay();
    Flight flight;
    flight.errand = std::move(errand);
    std::optional<MonotonicTime> arrival = arrives;
    switch (fault) {
        case Fault::none:
            break;
        case Fault::busy:
            answers += profile_.busy;
            [[fallthrough]];
        case Fault::refused:
            arrival.reset();
            flight.errand->put(not_applied());
            break;
        case Fault::unknown_before:
            arrival.reset();
            flight.errand->put(may_be_applied());
            break;
        case Fault::unknown_after:
            flight.errand->put(may_be_applied());
            break;
        case Fault::late: {
            const auto latest =
                static_cast<std::uint64_t>(std::max<std::int64_t>(profile_.late_max.count(), 1));
            arrival = answers + std::chrono::milliseconds(1 + loop_.entropy().below(latest));
            flight.errand->put(may_be_applied());
            break;
        }
    }
    const std::uint64_t number = calls_;
    if (arrival) flight.arrival = loop_.alarms().set(*arrival, [this, number] { arrive(number); });
    flight.answer = loop_.alarms().set(answers, [this, number] { answer(number); });
    flights_.emplace(number, std::move(flight));
}

void SimulatedServer::arrive(std::uint64_t number) {
    Flight& flight = flights_.at(number);
    flight.arrival = {};
    flight.errand->commit();
    if (flight.answer.number == 0) flights_.erase(number);
}

void SimulatedServer::answer(std::uint64_t number) {
    Flight& flight = flights_.at(number);
    flight.answer = {};
    flight.errand->answer();
    if (flight.arrival.number == 0) flights_.erase(number);
}

void SimulatedServer::crash() {
    // In the order in which they were sent, so that a run can be repeated.
    std::vector<std::uint64_t> numbers;
    for (auto& [number, flight] : flights_) {
        cancel(flight);
        if (flight.answer.number != 0) numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    auto dropped = std::exchange(flights_, {});
    for (const std::uint64_t number : numbers) {
        dropped.at(number).errand->put(may_be_applied());
        dropped.at(number).errand->answer();
    }
}

}  // namespace pawl::store
