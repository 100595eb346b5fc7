// SPDX-License-Identifier: Apache-2.0
// A task of the connection's loop reads one portion ahead and waits until somebody asks for it. The channel
// is all that the two ends share; everything in it but `over` belongs to that loop.
#include "net/http/answer_rest.hpp"

#include <atomic>

#include "net/http/upstream_connection.hpp"
#include "runtime/task/on_loop.hpp"

namespace pawl::http {
namespace {

using Event = MessageReader::Event;
using Portion = Result<std::string>;

struct Channel {
    explicit Channel(Loop& loop_) : loop(loop_) {}
    Loop& loop;
    std::optional<Promise<Portion>> asked;  // somebody waits for the next portion
    std::optional<Promise<bool>> idle;      // a portion waits for somebody
    bool dropped = false;
    std::atomic<bool> over{false};  // the task has ended, or its loop has
};

// Ends with the task's frame, however that ends.
class Over {
  public:
    explicit Over(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
    Over(const Over&) = delete;
    Over& operator=(const Over&) = delete;
    ~Over() { channel_->over = true; }

  private:
    std::shared_ptr<Channel> channel_;
};

struct Unread {
    ConnectionPtr connection;
    std::optional<Promise<bool>> sending;
    bool whole = false;
};

// What is there, at most a buffer; empty at the end. `connection` and `whole` are the caller's.
Task<Portion> next_portion(UpstreamConnection& connection, MonotonicTime by, bool& whole) {
    Wire& wire = connection.wire;
    std::string portion;
    while (!whole) {
        const std::string_view bytes = wire.in().bytes();
        const auto step = connection.reader.next(bytes);
        Event event = step.event;
        if (event == Event::piece) portion.append(bytes.substr(step.piece_offset, step.piece_size));
        wire.in().consume(step.taken);
        if (event == Event::more) {
            if (!portion.empty()) break;
            if (co_await wire.receive(kRelayBufferBytes, by) == 0)
                event =
                    wire.end() == Wire::End::closed ? connection.reader.finish() : Event::broken;
        }
        if (event == Event::broken)
            co_return fail(Code::unknown, "The upstream's answer broke off.", {}, "exchange");
        whole = event == Event::end;
    }
    co_return portion;
}

Task<void> put_away(Upstreams& upstreams, Unread unread) {
    bool all_sent = true;
    if (unread.sending) {
        if (!unread.sending->is_set()) unread.connection->wire.close();
        all_sent = co_await unread.sending->take();
    }
    if (!all_sent || !unread.whole || !unread.connection->reader.framing().keep_alive) co_return;
    unread.connection->reusable = true;
    upstreams.give_back(std::move(unread.connection));
}

Task<void> pump(Upstreams& upstreams, Unread unread, std::shared_ptr<Channel> channel) {
    const Over over(channel);
    Loop& loop = channel->loop;
    MonotonicTime until = kNever;
    for (bool open = true; open && loop.now() < until;) {
        Portion portion = co_await next_portion(
            *unread.connection, std::min(until, loop.now() + kRelayTimeout), unread.whole);
        open = portion && !portion->empty();
        while (!channel->asked && !channel->dropped) {
            channel->idle.emplace(loop);
            co_await channel->idle->wait();
            channel->idle.reset();
        }
        if (channel->dropped && until == kNever) until = loop.now() + kUnreadAnswerTimeout;
        if (channel->asked) std::exchange(channel->asked, std::nullopt)->set(std::move(portion));
    }
    co_await put_away(upstreams, std::move(unread));
}

void wake(Channel& channel) {
    if (channel.idle && !channel.idle->is_set()) channel.idle->set(true);
}

Task<Portion> pull(std::shared_ptr<Channel> channel) {
    Promise<Portion> answer(channel->loop);
    if (channel->over)
        co_return fail(Code::unknown, "The upstream's answer broke off.", {}, "exchange");
    channel->asked = answer;
    wake(*channel);
    co_return co_await answer.take();
}

class AnswerRest final : public ByteSource {
  public:
    AnswerRest(std::shared_ptr<Channel> channel, std::optional<std::uint64_t> left)
        : channel_(std::move(channel)), left_(left) {}
    AnswerRest(const AnswerRest&) = delete;
    AnswerRest& operator=(const AnswerRest&) = delete;
    ~AnswerRest() override {
        if (channel_->over) return;
        boost::asio::post(channel_->loop.executor(), [channel = channel_] {
            channel->dropped = true;
            channel->asked.reset();
            wake(*channel);
        });
    }

    std::optional<std::uint64_t> size() const override { return left_; }
    Task<Portion> next(Loop& here) override {
        const std::shared_ptr<Channel> channel = channel_;
        co_return co_await on_loop(here, channel->loop, pull(channel));
    }

  private:
    std::shared_ptr<Channel> channel_;  // shared with the task that reads
    std::optional<std::uint64_t> left_;
};

}  // namespace

std::shared_ptr<ByteSource> read_on(Upstreams& upstreams, ConnectionPtr connection,
                                    std::optional<Promise<bool>> sending,
                                    std::optional<std::uint64_t> left) {
    const auto channel = std::make_shared<Channel>(upstreams.loop());
    upstreams.group().spawn(pump(upstreams, {std::move(connection), std::move(sending)}, channel));
    return std::make_shared<AnswerRest>(channel, left);
}

}  // namespace pawl::http
