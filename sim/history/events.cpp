// SPDX-License-Identifier: Apache-2.0
#include "sim/history/events.hpp"

#include <array>

#include "net/http/problem.hpp"

namespace pawl::sim {
namespace {

std::string_view code_in(const http::Response& response) {
    if (http::first_of(response.headers, "Content-Type") != http::kProblemType) return {};
    constexpr std::string_view kMember = R"("code":")";
    const std::string_view body = response.body;
    const std::size_t start = body.find(kMember);
    if (start == std::string_view::npos) return {};
    const std::string_view rest = body.substr(start + kMember.size());
    return rest.substr(0, rest.find('"'));
}

Tone tone_of_code(std::string_view code, int status) {
    struct Spoken {
        std::string_view code;
        int status;
        Tone tone;
    };
    static constexpr std::array<Spoken, 13> kSpoken{{{"unavailable", 503, Tone::unavailable},
                                                     {"uncertain", 409, Tone::uncertain},
                                                     {"uncertain", 502, Tone::uncertain},
                                                     {"in_progress", 409, Tone::in_progress},
                                                     {"key_reused", 422, Tone::mismatch},
                                                     {"limited", 429, Tone::limited},
                                                     {"result_expired", 410, Tone::expired},
                                                     {"stale_version", 409, Tone::stale},
                                                     {"version_invalid", 400, Tone::malformed},
                                                     {"key_missing", 400, Tone::malformed},
                                                     {"key_invalid", 400, Tone::malformed},
                                                     {"caller_unknown", 401, Tone::malformed},
                                                     {"forbidden", 403, Tone::forbidden}}};
    for (const Spoken& spoken : kSpoken)
        if (spoken.code == code && spoken.status == status) return spoken.tone;
    return Tone::strange;
}

Tone tone_of_said(const Said& said, const http::Response& response, bool marked) {
    using policy::Declared;
    if (marked) return Tone::settled;
    if (http::first_of(response.headers, "Pawl-Outcome") == "unknown") return Tone::doubtful;
    if (said.declared == Declared::not_applied) return Tone::released;
    if (said.declared == Declared::applied) return Tone::settled;
    switch (said.status) {
        case 401:
        case 407:
        case 421:
        case 425:
        case 429:
            return Tone::released;
        default:
            return said.status >= 500 ? Tone::released : Tone::settled;
    }
}

}  // namespace

std::string_view name_of(Tone tone) {
    static constexpr std::array<std::string_view, 13> kNames{
        "settled", "released", "doubtful",    "uncertain", "in_progress", "mismatch", "stale",
        "limited", "expired",  "unavailable", "malformed", "forbidden",   "strange"};
    return kNames[static_cast<std::size_t>(tone)];
}

Answered read_answer(const http::Response& response, const Ledger& ledger) {
    Answered answered{.response = response};
    answered.marked = http::first_of(response.headers, "Idempotent-Replayed") == "true";
    answered.code = code_in(response);
    if (!answered.code.empty()) {
        answered.tone = tone_of_code(answered.code, response.status);
        return answered;
    }
    answered.said = ledger.said(serial_in(http::first_of(response.headers, "ETag")));
    if (answered.said != nullptr)
        answered.tone = tone_of_said(*answered.said, response, answered.marked);
    return answered;
}

}  // namespace pawl::sim
