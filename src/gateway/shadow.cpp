// SPDX-License-Identifier: Apache-2.0
#include "gateway/shadow.hpp"

#include <boost/asio/post.hpp>

#include "core/key/identity.hpp"
#include "effect/upstream_head.hpp"
#include "gateway/keying.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

constexpr std::size_t kTagLength = 16;

bool is_inside_the_body(const policy::CompiledRoute& entry) {
    return entry.route.key.source == policy::KeyRule::Source::json ||
           entry.route.version.source == policy::VersionRule::Source::json ||
           std::ranges::any_of(entry.key_parts, [](const policy::KeyPart& part) {
               return part.kind == policy::KeyPart::Kind::json;
           });
}

bool names_the_body(const policy::CompiledRoute& entry) {
    return std::ranges::any_of(entry.key_parts, [](const policy::KeyPart& part) {
        return part.kind == policy::KeyPart::Kind::body;
    });
}

ShadowSeen seen_of(const Error& why) {
    if (why.code == Code::key_missing) return ShadowSeen::key_missing;
    if (why.code == Code::key_invalid) return ShadowSeen::key_invalid;
    if (why.code == Code::caller_unknown) return ShadowSeen::caller_unknown;
    return ShadowSeen::not_judged;
}

class ShadowWatch final : public http::RelayWatcher {
  public:
    ShadowWatch(const ShadowDesk& desk, Loop& here, ShadowRequest request)
        : desk_(desk), here_(here), request_(std::move(request)) {
        note_.route = request_.entry->route.name;
        note_.began = here_.now();
        name();
    }

    void body(std::string_view piece) override {
        size_ += piece.size();
        if (note_.seen == ShadowSeen::first && size_ <= request_.entry->route.body_bytes_max)
            bytes_.add(piece);
    }

    void ended(bool whole, int status, const http::Headers& answer) override {
        note_.ended = here_.now();
        if (!whole || size_ > request_.entry->route.body_bytes_max)
            note_.seen = ShadowSeen::not_judged;
        if (note_.seen == ShadowSeen::first) {
            const Digest digest = bytes_.finish();
            note_.fingerprint = sha256_parts("shadow", {note_.fingerprint.view(), digest.view()});
            if (body_in_key_)
                note_.identity = sha256_parts("shadow", {note_.identity.view(), digest.view()});
            const bool answered = status != 0;
            note_.outcome = request_.entry->classify(
                {answered ? effect::Kind::answered : effect::Kind::no_answer, status,
                 effect::declared_in(answer)});
        }
        desk_.hand_over(std::move(note_));
    }

  private:
    // The name of the operation as far as the head tells it.
    void name() {
        if (!request_.caller) {
            note_.seen = seen_of(request_.caller.error());
            return;
        }
        const policy::CompiledRoute& entry = *request_.entry;
        const Status in_head = check_key_in_head(entry.route, request_.head);
        http::Request bare{request_.head, {}};
        auto keyed = in_head ? key_of(entry, bare, request_.tenant, *request_.caller,
                                      request_.client, here_.entropy())
                             : Result<Keyed>(std::unexpected(in_head.error()));
        if (!keyed || is_inside_the_body(entry)) {
            note_.seen = keyed                       ? ShadowSeen::not_judged
                         : is_inside_the_body(entry) ? ShadowSeen::not_judged
                                                     : seen_of(keyed.error());
            return;
        }
        // Each version runs once; which of two is the older one, nobody remembers here.
        note_.identity = keyed->stamp ? key::derived_key(keyed->identity, keyed->stamp->canonical)
                                      : keyed->identity;
        note_.fingerprint = keyed->fingerprint;
        note_.window = keyed->window;
        note_.key_tag = to_hex(keyed->identity.view()).substr(0, kTagLength);
        body_in_key_ = keyed->line.empty() && names_the_body(entry);
    }

    const ShadowDesk& desk_;
    Loop& here_;
    ShadowRequest request_;
    ShadowNote note_;
    DigestStream bytes_;
    std::uint64_t size_ = 0;
    bool body_in_key_ = false;
};

}  // namespace

void ShadowDesk::hand_over(ShadowNote note) const {
    boost::asio::post(loop.executor(),
                      [&there = book, taken = std::move(note)] { there.take(taken); });
}

std::unique_ptr<http::RelayWatcher> watch_in_shadow(const ShadowDesk& desk, Loop& here,
                                                    ShadowRequest request) {
    return std::make_unique<ShadowWatch>(desk, here, std::move(request));
}

}  // namespace pawl::gateway
