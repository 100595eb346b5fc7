// SPDX-License-Identifier: Apache-2.0
// What a person may say, read from JSON. Everything is refused that could be half understood.
#include <fmt/format.h>

#include "surface/api/by_hand.hpp"
#include "surface/api/members.hpp"

namespace pawl::api {
namespace {

constexpr std::size_t kReasonBytesMax = 500;
constexpr std::size_t kNameBytesMax = 100;
constexpr std::int64_t kLookedAgoMsMax = std::int64_t{400} * 24 * 3'600 * 1'000;

Word word_in(Members& members) {
    Word word;
    const auto ref = members.text("ref");
    const auto identity = record::identity_from(ref.value_or(""));
    if (identity)
        word.identity = *identity;
    else
        members.mistake(
            "`ref` is an operation reference: `op_` and 43 characters, as `pawl uncertain list` "
            "shows it.");
    word.reason = members.text("reason").value_or("");
    if (word.reason.empty() || word.reason.size() > kReasonBytesMax)
        members.mistake(fmt::format(
            "`reason` says why, in 1 to {} bytes; it stays in the operation's timeline.",
            kReasonBytesMax));
    word.by = members.text("by").value_or("");
    if (word.by.size() > kNameBytesMax)
        members.mistake(fmt::format("`by` has at most {} bytes.", kNameBytesMax));
    return word;
}

}  // namespace

Result<ResolveWord> parse_resolve(std::string_view body) {
    const auto value = parse_object(body);
    if (!value) return fail(value.error());
    Members members(value->get_object());
    ResolveWord asked;
    asked.word = word_in(members);
    const auto outcome = members.text("outcome");
    asked.applied = outcome == "applied";
    if (!asked.applied && outcome != "not_applied")
        members.mistake("`outcome` is `applied` or `not_applied`.");
    asked.force = members.flag("force");
    asked.answer = answer_in(members);
    if (const auto looked = members.count("looked_ms_ago")) {
        asked.looked_ago = std::chrono::milliseconds{std::min(*looked, kLookedAgoMsMax)};
        if (asked.applied || asked.force)
            members.mistake("`looked_ms_ago` goes with `not_applied` without `force`.");
    }
    if (asked.force && asked.applied)
        members.mistake("`force` goes with `not_applied`; `applied` needs none.");
    if (asked.answer && !asked.applied)
        members.mistake("A status goes with `applied`; what did not happen has no answer.");
    if (auto ended = members.end(); !ended) return fail(std::move(ended.error()));
    return asked;
}

Result<Word> parse_forget(std::string_view body) {
    const auto value = parse_object(body);
    if (!value) return fail(value.error());
    Members members(value->get_object());
    Word word = word_in(members);
    if (auto ended = members.end(); !ended) return fail(std::move(ended.error()));
    return word;
}

}  // namespace pawl::api
