// SPDX-License-Identifier: Apache-2.0
// What an upstream reports by itself about one of its attempts. It is evidence about the fence that it names and
// about no other, however late, often and in whatever order reports come.
//
//   the report says             the record                            heard as
//   applied                     uncertain, open, lease over           taken: status and body are the result
//   not applied, closed         the same                              taken: this fence is refused from now on
//   not applied                 any that waits for evidence           noted: a hint, which frees nothing
//   what is known already       settled so                            repeated
//   anything                    in progress                           running: its own answer may still come
//   anything                    of another fence                      other_fence
//   the opposite, or another    settled                               contradicts: nothing changes, an alarm
//   result than it gave before
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/policy/compiled_route.hpp"
#include "gateway/home.hpp"

namespace pawl::gateway {

struct CallbackReport {
    record::Fence fence;
    bool applied = false;
    bool closed = false;                   // not applied: and this fence is refused from now on
    std::optional<record::Answer> answer;  // applied: what repeats are answered
};

enum class Heard : std::uint8_t {
    taken,
    repeated,
    noted,
    running,
    other_fence,
    contradicts,
    refused  // by the surface: not signed, not readable, not taken on this route
};
inline constexpr int kHeardCount = 7;
std::string_view name_of(Heard heard);

// Written by all loops.
struct CallbackFigures {
    std::array<Counter, kHeardCount> reports;
    Counter& of(Heard heard) { return reports[static_cast<std::size_t>(heard)]; }
};

struct HeardReport {
    Heard heard = Heard::refused;
    record::Row row;  // as it is now
};

// What was said last is remembered so long; a sender that says it again leaves no second line.
inline constexpr std::size_t kSaidMax = 4'096;

class Callbacks {
  public:
    // `records` is this loop's; `homes` in the order of their seats. All outlive it.
    Callbacks(Loop& loop, store::Records& records, std::vector<Home*> homes,
              CallbackFigures& figures);

    // `row`: as read just now; `route`: of its operation, kept alive by the caller.
    // Errors: those of the store; an unknown one is settled by the same report again.
    Task<Result<HeardReport>> take(std::shared_ptr<const policy::CompiledRoute> route,
                                   record::Row row, CallbackReport report);

    CallbackFigures& figures() const { return figures_; }

  private:
    void note(const HeardReport& heard, const CallbackReport& report);
    bool was_said(const HeardReport& heard, const CallbackReport& report);

    Loop& loop_;
    store::Records& records_;
    std::vector<Home*> homes_;
    CallbackFigures& figures_;
    std::unordered_set<Digest, DigestHash> said_;
    std::deque<Digest> said_in_order_;
};

}  // namespace pawl::gateway
