// SPDX-License-Identifier: Apache-2.0
// The words of `pawl outbox`, `pawl saga` and `pawl attention`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace CLI {
class App;
}

namespace pawl::cli {

struct ListOutbox {
    std::string sink;  // empty: all
    std::size_t limit = 100;
};
struct SpeakOfSink {
    std::string sink;
    bool drops = false;  // else what is parked goes out again
    std::string reason;
};
struct ListSagas {
    std::string state;  // empty: those that are not done; "all"
    std::size_t limit = 100;
};
struct MoveSaga {
    std::uint64_t number = 0;
    bool skips = false;  // else it is tried again
    std::string reason;
};
struct ListAttention {
    std::size_t limit = 100;
    std::uint64_t after = 0;  // those behind this entry
    bool closed = false;      // those that somebody has closed
};
struct CloseEntry {
    std::uint64_t number = 0;
    bool leaves = false;  // else it is settled by hand
    std::string reason;
};
using Errand =
    std::variant<ListOutbox, SpeakOfSink, ListSagas, MoveSaga, ListAttention, CloseEntry>;

// As CLI11 fills them in.
struct ErrandWords {
    ListOutbox outbox_list;
    SpeakOfSink outbox_redrive;
    SpeakOfSink outbox_drop{.drops = true};
    ListSagas saga_list;
    MoveSaga saga_retry;
    MoveSaga saga_skip{.skips = true};
    ListAttention attention_list;
    CloseEntry attention_close;
};

void add_errands(CLI::App& app, ErrandWords& words);
bool is_errand(std::string_view command);
// Precondition: is_errand() of the subcommand that was given.
Errand errand_of(CLI::App& app, const ErrandWords& words);
// What is missing, as a person would say it.
std::string_view missing_of_errand(std::string_view command);

}  // namespace pawl::cli
