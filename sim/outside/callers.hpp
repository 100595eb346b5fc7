// SPDX-License-Identifier: Apache-2.0
// Clients, as many as come: they do not wait for each other. Most want something new; some come back for an
// answer they had, some send the same thing many times at once, some use a key twice or the key of another
// caller, and some leave in the middle. Who does not leave tries again with the same key until there is a
// last word.
#pragma once

#include "sim/outside/front.hpp"

namespace pawl::sim {

struct Traffic {
    std::uint32_t requests = 2'000;  // no new errand once so many requests were sent
    std::chrono::nanoseconds pause = std::chrono::milliseconds{30};  // between errands, on average
};

class Callers {
  public:
    static constexpr Number kNumberMax = 10;  // of a caller

    Callers(World& world, Book& book, Front& front, Traffic traffic);

    void set_dose(const Dose& dose) { dose_ = dose; }
    void start() { come(); }
    bool all_came() const { return book_.exchanges().size() >= traffic_.requests; }
    // From now on nobody leaves, and everybody asks again in time.
    void be_patient() { patient_ = true; }
    // Nobody asks any more; who waits is waiting still.
    void stop() { stopped_ = true; }
    std::size_t waiting() const { return waiting_; }
    std::vector<Number> waiting_names() const;

  private:
    // One client's way with one intent.
    struct Errand {
        Number intent = 0;
        std::uint32_t tries = 0;
        std::uint64_t token = 0;  // of the request that it waits for; 0: none
        AlarmId alarm;            // its own patience, or the pause before the next try
        bool over = false;
    };

    void come();
    void begin(Number intent, std::chrono::nanoseconds delay);
    void ask(std::size_t errand);
    void hear(std::uint64_t token, const Answered* answered);
    void again(std::size_t errand, std::chrono::nanoseconds pause);
    void end(std::size_t errand);

    Name& fresh_name();
    void storm(Number intent);
    void reuse_key();
    void same_key_other_caller();
    void repeat();
    void correct();
    Number recent_name();
    // Of a versioned name: a new intent under this version.
    Number add_version(Name& name, std::uint64_t version);

    World& world_;
    Chance chance_;
    Book& book_;
    Front& front_;
    Traffic traffic_;
    Dose dose_;
    bool patient_ = false;
    bool stopped_ = false;
    std::vector<Errand> errands_;
    std::vector<std::size_t> by_token_;
    std::vector<bool> key_shared_;      // by name
    std::vector<Number> first_intent_;  // by name
    struct Versions {
        std::uint64_t newest = 0;
        std::vector<Number> intents;
    };
    std::unordered_map<Number, Versions> versions_;  // by name
    std::vector<Number> versioned_;                  // names, oldest first
    std::size_t waiting_ = 0;
};

}  // namespace pawl::sim
