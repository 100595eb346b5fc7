// SPDX-License-Identifier: Apache-2.0
// One operation as people and programs are shown it: the record, what happened, and what may be done next,
// as JSON. Bodies and header values are never shown, Location apart: it says which order it was. The claim
// and the settling of an operation are read off its record, so that they are in the timeline even when the
// lines that are written behind the commits were lost.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "net/http/problem.hpp"
#include "store/port/records.hpp"

namespace pawl::api {

// Shape of a timeline line: at, step, outcome, fence, detail, count; `source` is "record" or "journal".
boost::json::object operation_json(const store::Stored& stored,
                                   const std::vector<store::TimelineEntry>& journal,
                                   std::int64_t now_ms);

// The same without timeline and advice, for lists.
boost::json::object summary_json(const record::Row& row, std::int64_t now_ms);

// What may be done next, one step after the other. Shape: action, allowed, and, where they apply, from (the
// time at which it becomes allowed), command, why.
boost::json::array next_steps(const record::Row& row, std::int64_t now_ms);

// "uncertain since 4 m: a request may have reached the upstream and no answer is recorded". One sentence.
std::string meaning_of(const record::Row& row, std::int64_t now_ms,
                       const std::vector<store::TimelineEntry>& journal = {});

// The refusal of a word about an operation, with its name and where its record stands.
http::Problem problem_about(const record::Row& row, Code code, std::string detail);

// Enough of a caller's digest to tell the callers of one key apart; nobody's name. Eight hex digits.
std::string caller_tag(const record::CallerDigest& caller);

// 850 ms, 12 s, 4 m, 3 h, 2 d.
std::string span_text(std::int64_t milliseconds);

}  // namespace pawl::api
