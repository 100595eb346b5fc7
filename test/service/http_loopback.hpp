// SPDX-License-Identifier: Apache-2.0
// Two ends for tests of the HTTP folder over loopback: a caller that writes and reads raw bytes, and an
// upstream that does what a script says, each connection on a thread of its own. Both block, with a time-out,
// and frame messages by a small reader of their own, so that they do not share mistakes with what they test.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace pawl::http {

// A connected socket.
class Talk {
  public:
    explicit Talk(int descriptor);
    Talk(Talk&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), read_(std::move(other.read_)) {}
    Talk& operator=(Talk&&) = delete;
    ~Talk();

    struct Message {
        std::string head;  // first line and lines, each with its line end, without the blank line
        std::string body;
        std::string trailers;
        bool whole = false;
        int status() const;
        // "" when there is none; several are joined by " | ".
        std::string operator[](std::string_view name) const;
    };

    bool send(std::string_view bytes);
    // Until the other side ends, "<timed out>" when it does not; a reset counts as an end and sets was_reset().
    std::string read_to_end();
    // One message. `to_head`: an answer without a body whatever its lines say.
    Message read(bool to_head = false);
    // Exactly `size` bytes, fewer when the other side ends.
    std::string read_bytes(std::size_t size);
    bool was_reset() const { return reset_; }
    void end_sending();
    // The other side sees a reset.
    void reset();
    void close();
    int descriptor() const { return descriptor_; }

  private:
    bool more();
    std::string line();

    int descriptor_;
    std::string read_;
    bool reset_ = false;
    bool timed_out_ = false;
};

Talk call(std::uint16_t port);

class ScriptedUpstream {
  public:
    // Ends when the other side does: the upstream outlives what is connected to it and waits for its scripts.
    using Script = std::function<void(Talk&)>;
    explicit ScriptedUpstream(Script script);
    ScriptedUpstream(const ScriptedUpstream&) = delete;
    ScriptedUpstream& operator=(const ScriptedUpstream&) = delete;
    ~ScriptedUpstream();

    std::uint16_t port() const { return port_; }
    int connections() const { return connections_; }

  private:
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<int> connections_{0};
    std::mutex mutex_;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

// What an upstream's scripts have read, from their threads to the test's.
class Seen {
  public:
    void add(Talk::Message message) {
        const std::lock_guard lock(mutex_);
        messages_.push_back(std::move(message));
    }
    std::vector<Talk::Message> all() const {
        const std::lock_guard lock(mutex_);
        return messages_;
    }
    Talk::Message last() const { return all().empty() ? Talk::Message{} : all().back(); }

  private:
    mutable std::mutex mutex_;
    std::vector<Talk::Message> messages_;
};

// A port on which nobody listens.
std::uint16_t refused_port();

std::string answer_of(std::string_view body, std::string_view lines = "");

}  // namespace pawl::http
