// SPDX-License-Identifier: Apache-2.0
// What each provider takes for an answer. WeChat Pay judges by the status alone: a 200 that says FAIL is success.
// Alipay judges by the body alone: anything but `success` comes again. The others take any 2xx.
#include <array>

#include "core/callback/callback.hpp"

namespace pawl::callback {
namespace {

struct Row {
    Outcome outcome;
    int status;
    std::string_view content_type;
    std::string_view body;
};
using Rows = std::array<Row, kOutcomeCount>;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain";

constexpr Rows kWechat{{
    {Outcome::applied, 204, {}, {}},
    {Outcome::seen, 204, {}, {}},
    {Outcome::stored, 204, {}, {}},
    {Outcome::ignored, 204, {}, {}},
    {Outcome::failed, 500, kJson, R"({"code":"FAIL","message":"not taken, send it again"})"},
    {Outcome::not_authentic, 401, kJson, R"({"code":"FAIL","message":"the signature is wrong"})"},
}};
constexpr Rows kAlipay{{
    {Outcome::applied, 200, kText, "success"},
    {Outcome::seen, 200, kText, "success"},
    {Outcome::stored, 200, kText, "success"},
    {Outcome::ignored, 200, kText, "success"},
    {Outcome::failed, 500, kText, "fail"},
    {Outcome::not_authentic, 401, kText, "fail"},
}};
constexpr Rows kStripe{{
    {Outcome::applied, 200, kJson, R"({"received":true})"},
    {Outcome::seen, 200, kJson, R"({"received":true})"},
    {Outcome::stored, 200, kJson, R"({"received":true})"},
    {Outcome::ignored, 200, kJson, R"({"received":true})"},
    {Outcome::failed, 500, kJson, R"({"received":false})"},
    {Outcome::not_authentic, 401, kJson, R"({"received":false})"},
}};
constexpr Rows kStandardWebhooks{{
    {Outcome::applied, 204, {}, {}},
    {Outcome::seen, 204, {}, {}},
    {Outcome::stored, 204, {}, {}},
    {Outcome::ignored, 204, {}, {}},
    {Outcome::failed, 500, {}, {}},
    {Outcome::not_authentic, 401, {}, {}},
}};

constexpr bool in_order(const Rows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].outcome != static_cast<Outcome>(i)) return false;
    return true;
}
static_assert(in_order(kWechat) && in_order(kAlipay) && in_order(kStripe) &&
              in_order(kStandardWebhooks));

constexpr std::array<std::string_view, kOutcomeCount> kOutcomes{
    "applied", "seen", "stored", "ignored", "failed", "not_authentic"};

Acknowledgement written(int status, std::string_view content_type, std::string_view body) {
    Acknowledgement answer{status, {}, std::string(body)};
    if (!content_type.empty())
        answer.headers.push_back({"Content-Type", std::string(content_type)});
    return answer;
}

struct Answer {
    Outcome outcome;

    Acknowledgement of(const Rows& rows) const {
        const Row& row = rows[static_cast<std::size_t>(outcome)];
        return written(row.status, row.content_type, row.body);
    }
    Acknowledgement operator()(const WechatAccount&) const { return of(kWechat); }
    Acknowledgement operator()(const AlipayAccount&) const { return of(kAlipay); }
    Acknowledgement operator()(const StripeAccount&) const { return of(kStripe); }
    Acknowledgement operator()(const StandardWebhooksAccount&) const {
        return of(kStandardWebhooks);
    }
    Acknowledgement operator()(const HmacAccount& account) const {
        const HmacAccount::Answer& answer = outcome == Outcome::failed ? account.failed
                                            : outcome == Outcome::not_authentic
                                                ? account.not_authentic
                                                : account.taken;
        return written(answer.status, answer.content_type, answer.body);
    }
};

struct Memory {
    // Both repeat for a little more than a day.
    std::chrono::milliseconds operator()(const WechatAccount&) const {
        return std::chrono::hours{48};
    }
    std::chrono::milliseconds operator()(const AlipayAccount&) const {
        return std::chrono::hours{48};
    }
    std::chrono::milliseconds operator()(const StripeAccount&) const {
        return std::chrono::days{30};
    }
    std::chrono::milliseconds operator()(const StandardWebhooksAccount&) const {
        return std::chrono::days{7};
    }
    std::chrono::milliseconds operator()(const HmacAccount& account) const {
        return account.memory;
    }
};

}  // namespace

std::string_view name_of(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

Outcome outcome_of(Refusal::Reason reason) {
    return reason == Refusal::Reason::sealed ? Outcome::failed : Outcome::not_authentic;
}

Acknowledgement acknowledge(const Account& account, Outcome outcome) {
    return std::visit(Answer{outcome}, account.provider);
}

std::chrono::milliseconds memory_of(const Account& account) {
    return std::visit(Memory{}, account.provider);
}

}  // namespace pawl::callback
