// SPDX-License-Identifier: Apache-2.0
#include "gateway/permission.hpp"

#include <fmt/format.h>

#include "gateway/routes.hpp"
#include "net/http/forwarding.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

constexpr int kTriesMax =
    2;  // a connection of the pool may die under a question, which is sent again

// What the endpoint is told beside method, target and where the request came from. `visit(name, value)`.
template <class Visit>
void for_each_told(const policy::AuthorizeRule& rule, const http::RequestHead& head, Visit visit) {
    const auto pass = [&](std::string_view name) {
        for (const std::string_view value : http::values_of(head.headers, name)) visit(name, value);
    };
    pass("Host");
    pass("X-Forwarded-For");
    for (const std::string& name : rule.headers) pass(name);
}

Permit refused(Permit::Word word, Code code, std::string text, std::string cause = {}) {
    Permit permit;
    permit.word = word;
    permit.error = {code, std::move(text), std::move(cause), "authorize"};
    return permit;
}

Permit unavailable(std::string_view why, std::string cause = {}) {
    return refused(
        Permit::Word::unavailable, Code::unavailable,
        fmt::format("{}, so it is not known whether this request is permitted; nothing was "
                    "executed. Send it again.",
                    why),
        std::move(cause));
}

Permit permit_in(const effect::Found& found, const std::string& caller_header) {
    if (found.kind != effect::Kind::answered)
        return unavailable("The service that permits requests gave no answer",
                           describe(found.error));
    const int status = found.answer.status;
    const http::Headers& lines = found.answer.headers;
    if (status == 401 || status == 403) {
        const bool unknown = status == 401;
        Permit permit = refused(
            unknown ? Permit::Word::unauthenticated : Permit::Word::forbidden,
            unknown ? Code::caller_unknown : Code::forbidden,
            unknown ? "The service that permits requests does not know the caller. Log in, and "
                      "send the request with what proves it."
                    : "The service that permits requests says that the caller may not do this.");
        for (const std::string_view value : http::values_of(lines, "WWW-Authenticate"))
            permit.challenges.emplace_back(value);
        return permit;
    }
    if (status / 100 != 2)
        return unavailable(fmt::format(
            "The service that permits requests answered {}, which is neither yes nor no", status));
    Permit permit;
    permit.word = Permit::Word::allowed;
    if (caller_header.empty()) return permit;
    const auto name = name_in(lines, caller_header);
    if (!name)
        return unavailable(
            fmt::format("The service that permits requests did not name the caller in {}, once",
                        caller_header));
    permit.caller = *name;
    return permit;
}

}  // namespace

Digest question_name(const policy::Route& route, const http::RequestHead& head,
                     const http::Peer& peer, const Who& who) {
    DigestStream stream;
    stream.add_part("pawl permission 1");
    if (is_planted(Plant::permission_shared)) return stream.finish();
    for (const std::string_view part :
         {std::string_view(route.name), std::string_view(head.method),
          std::string_view(head.target), std::string_view(who.tenant), std::string_view(who.caller),
          std::string_view(peer.address), std::string_view(peer.tls ? "https" : "http")})
        stream.add_part(part);
    for_each_told(*route.authorize, head, [&](std::string_view name, std::string_view value) {
        stream.add_part(name);
        stream.add_part(value);
    });
    return stream.finish();
}

Question question_of(const policy::Route& route, const http::RequestHead& head,
                     const http::Peer& peer, const Who& who) {
    const policy::AuthorizeRule& rule = *route.authorize;
    Question question;
    question.name = question_name(route, head, peer, who);
    question.target = target_of(rule.upstream);
    question.caller_header = rule.caller_header;
    question.cache = rule.cache;
    question.timeout = rule.timeout;
    question.head.method = "GET";
    question.head.target = rule.path;
    http::Headers& lines = question.head.headers;
    for_each_told(rule, head, [&](std::string_view name, std::string_view value) {
        lines.emplace_back(name, value);
    });
    http::add_forwarded(lines, peer);  // from the client's Host, which is not this question's
    http::remove_all(lines, "Host");
    lines.emplace_back("X-Forwarded-Method", head.method);
    lines.emplace_back("X-Forwarded-Uri", head.target);
    if (!who.caller.empty()) lines.emplace_back("Pawl-Caller", who.caller);
    if (!who.tenant.empty()) lines.emplace_back("Pawl-Tenant", who.tenant);
    return question;
}

void mark_permitted(const policy::AuthorizeRule& rule, const std::string& caller,
                    http::Headers& headers) {
    for (const std::string& name : rule.headers)
        std::erase_if(headers, [&name](const auto& line) {
            return http::equal_like_cgi(line.first, name) && !equal_ignoring_case(line.first, name);
        });
    if (rule.caller_header.empty()) return;
    std::erase_if(headers, [&rule](const auto& line) {
        return http::equal_like_cgi(line.first, rule.caller_header);
    });
    headers.emplace_back(rule.caller_header, caller);
}

const Permit* Permissions::recall(const Digest& name) {
    const auto found = given_.find(name);
    if (found == given_.end()) return nullptr;
    if (loop_.now() < found->second.until || is_planted(Plant::permission_kept))
        return found->second.permit.get();
    given_.erase(found);
    return nullptr;
}

Task<std::shared_ptr<const Permit>> Permissions::ask(Question question) {
    // A process that stood still may get a yes that has become old on its way.
    for (int tries = 0; tries < kTriesMax; ++tries) {
        Shared permit = co_await ask_once(question);
        if (permit->word != Permit::Word::allowed || loop_.now() < permit->good_until())
            co_return permit;
    }
    co_return std::make_shared<const Permit>(
        unavailable("The service that permits requests answered too late"));
}

Task<std::shared_ptr<const Permit>> Permissions::ask_once(Question question) {
    const MonotonicTime now = loop_.now();
    const auto found = asked_.find(question.name);
    if (found != asked_.end() && now < found->second.at + question.cache)
        co_return *(co_await Promise<Shared>(found->second.answer).wait());
    Promise<Shared> answer(loop_);
    asked_.insert_or_assign(question.name, Asked{answer, now});
    group_.spawn(carry_out(std::move(question), now, rules_, answer));
    co_return *(co_await answer.wait());
}

Task<void> Permissions::carry_out(Question question, MonotonicTime asked_at, std::uint64_t rules,
                                  Promise<Shared> answer) {
    const MonotonicTime give_up = asked_at + question.timeout;
    effect::Found found;
    for (int tries = 0; tries < kTriesMax && loop_.now() < give_up; ++tries) {
        http::Request request;
        request.head = question.head;
        found = co_await asker_->ask(question.target, std::move(request), give_up);
        if (found.kind == effect::Kind::answered) break;
    }
    Permit judged = permit_in(found, question.caller_header);
    judged.asked_at = asked_at;
    const auto permit = std::make_shared<const Permit>(std::move(judged));
    const auto mine = asked_.find(question.name);
    if (mine != asked_.end() && mine->second.at == asked_at) asked_.erase(mine);
    if (permit->word == Permit::Word::allowed && rules == rules_ && question.cache.count() > 0)
        remember(question.name, permit, asked_at + question.cache);
    answer.set(permit);
}

void Permissions::remember(const Digest& name, Shared permit, MonotonicTime until) {
    if (given_.insert_or_assign(name, Given{std::move(permit), until}).second)
        order_.push_back(name);
    while (given_.size() > kPermissionsMax || order_.size() > 2 * kPermissionsMax) {
        given_.erase(order_.front());
        order_.pop_front();
    }
}

void Permissions::forget() {
    ++rules_;
    given_.clear();
    order_.clear();
    asked_.clear();
}

}  // namespace pawl::gateway
