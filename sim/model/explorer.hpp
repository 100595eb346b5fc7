// SPDX-License-Identifier: Apache-2.0
// Explicit-state search, breadth first, so that every counterexample is a shortest one. A world has
//   State        trivially copyable, without padding whose bytes differ
//   initial()    the State to start from
//   for_each_step(state, emit)   calls emit(step, state after it) for every step that may come next
//   violations(state)            a bit for each broken invariant; such a state is not left
//   is_settled(state)            the states that must stay within reach from everywhere
//   text(step), violation_text(bit)
// A trace is found again from the parents, so that steps cost no memory while searching.
#pragma once

#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::model {

struct Report {
    std::size_t states = 0;
    std::size_t steps = 0;
    bool complete = false;
    std::map<std::string, std::vector<std::string>> violations;  // with the shortest trace to each
    std::vector<std::string> dead_end;  // trace to a state that can never settle
    bool settles = true;
};

template <class World>
class Explorer {
  public:
    using State = World::State;

    Explorer(World& world, std::size_t states_max)
        : world_(world), states_max_(states_max), slots_(1 << 16) {}

    Report run(bool with_dead_ends) {
        add(world_.initial(), 0);
        Report report;
        std::vector<bool> broken;
        for (std::uint32_t at = 0; at < states_.size() && states_.size() < states_max_; ++at) {
            const State state = states_[at];
            const std::uint32_t bits = world_.violations(state);
            broken.push_back(bits != 0);
            if (bits != 0) {
                note_violations(report, bits, at);
                continue;
            }
            world_.for_each_step(state, [&](const auto&, const State& after) {
                ++report.steps;
                const std::uint32_t to = add(after, at);
                if (with_dead_ends) edges_.push_back({at, to});
            });
        }
        report.states = states_.size();
        report.complete = broken.size() == states_.size();
        if (with_dead_ends && report.complete) find_dead_end(report, broken);
        return report;
    }

  private:
    struct Edge {
        std::uint32_t from;
        std::uint32_t to;
    };

    static std::uint64_t hash(const State& state) {
        std::uint64_t value = 0x9e3779b97f4a7c15;
        const char* bytes = reinterpret_cast<const char*>(&state);
        for (std::size_t i = 0; i < sizeof(State); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i, std::min<std::size_t>(8, sizeof(State) - i));
            value = (std::rotl(value, 27) ^ word) * 0x9fb21c651e98df25;
        }
        return value ^ value >> 29;
    }

    std::uint32_t add(const State& state, std::uint32_t parent) {
        if (states_.size() * 2 > slots_.size()) grow();
        std::uint32_t& slot = slot_of(state);
        if (slot == 0) {
            states_.push_back(state);
            parents_.push_back(parent);
            slot = static_cast<std::uint32_t>(states_.size());
        }
        return slot - 1;
    }

    std::uint32_t& slot_of(const State& state) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash(state) & mask;
        while (slots_[at] != 0 && std::memcmp(&states_[slots_[at] - 1], &state, sizeof(State)) != 0)
            at = (at + 1) & mask;
        return slots_[at];
    }

    void grow() {
        slots_.assign(slots_.size() * 2, 0);
        for (std::size_t i = 0; i < states_.size(); ++i)
            slot_of(states_[i]) = static_cast<std::uint32_t>(i + 1);
    }

    void note_violations(Report& report, std::uint32_t bits, std::uint32_t at) {
        for (int bit = 0; bit < 32; ++bit) {
            if ((bits >> bit & 1) == 0) continue;
            const std::string name(world_.violation_text(bit));
            if (!report.violations.contains(name)) report.violations[name] = trace_to(at);
        }
    }

    std::vector<std::string> trace_to(std::uint32_t at) {
        std::vector<std::string> trace;
        for (; at != 0; at = parents_[at]) {
            std::string found;
            world_.for_each_step(states_[parents_[at]], [&](const auto& step, const State& after) {
                if (found.empty() && std::memcmp(&after, &states_[at], sizeof(State)) == 0)
                    found = world_.text(step);
            });
            trace.insert(trace.begin(), found);
        }
        return trace;
    }

    // Backwards from what is settled (or broken, which is reported elsewhere): what is not met is stuck.
    void find_dead_end(Report& report, const std::vector<bool>& broken) {
        std::vector<std::uint32_t> first(states_.size() + 1, 0);
        for (const Edge& edge : edges_) ++first[edge.to + 1];
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        std::vector<std::uint32_t> sources(edges_.size());
        std::vector<std::uint32_t> filled = first;
        for (const Edge& edge : edges_) sources[filled[edge.to]++] = edge.from;

        std::vector<bool> met(states_.size(), false);
        std::vector<std::uint32_t> todo;
        for (std::uint32_t i = 0; i < states_.size(); ++i)
            if (broken[i] || world_.is_settled(states_[i])) todo.push_back(i);
        for (const std::uint32_t i : todo) met[i] = true;
        while (!todo.empty()) {
            const std::uint32_t at = todo.back();
            todo.pop_back();
            for (std::uint32_t i = first[at]; i < first[at + 1]; ++i) {
                if (met[sources[i]]) continue;
                met[sources[i]] = true;
                todo.push_back(sources[i]);
            }
        }
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            if (met[i]) continue;
            report.settles = false;
            report.dead_end = trace_to(i);
            return;
        }
    }

    World& world_;
    std::size_t states_max_;
    std::vector<State> states_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> slots_;  // index + 1 into states_; 0: free
    std::vector<Edge> edges_;
};

}  // namespace pawl::model
