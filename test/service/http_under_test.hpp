// SPDX-License-Identifier: Apache-2.0
// A loop on a thread of its own, with what the tests of the HTTP folder run on it.
#pragma once

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "http_loopback.hpp"
#include "net/http/problem.hpp"
#include "net/http/server.hpp"
#include "runtime/task/group.hpp"
#include "runtime/task/system_loop.hpp"

namespace pawl::http {

class LoopThread {
  public:
    LoopThread() : thread_([this] { system_.run(); }) {}
    ~LoopThread() { stop(); }
    void stop() {
        system_.stop();
        if (thread_.joinable()) thread_.join();
    }
    Loop& loop() { return system_.loop(); }

    template <class T>
    T run(Task<T> task) {
        std::promise<T> promise;
        auto future = promise.get_future();
        boost::asio::co_spawn(loop().executor(), keep(std::move(task), std::move(promise)),
                              boost::asio::detached);
        return future.get();
    }
    // `what()` on the loop's thread.
    template <class What>
    auto at(What what) {
        std::packaged_task<decltype(what())()> task(std::move(what));
        auto future = task.get_future();
        boost::asio::post(loop().executor(), std::move(task));
        return future.get();
    }

  private:
    template <class T>
    static Task<void> keep(Task<T> task, std::promise<T> promise) {
        promise.set_value(co_await std::move(task));
    }

    SystemLoop system_;
    std::thread thread_;
};

// Longer than a busy machine may make a test wait between two requests, or for a connection.
inline UpstreamLimits patient_limits() {
    UpstreamLimits limits;
    limits.idle = std::chrono::seconds(60);
    limits.connect_timeout = std::chrono::seconds(10);
    return limits;
}

// Plans by the path: /answer, /whole, /relay, and below them. Every whole request is answered with its body.
class StubService final : public Service {
  public:
    explicit StubService(Loop& loop) : loop_(loop) {}

    Plan plan(const RequestHead& head, const Peer& peer) override {
        ++planned;
        last_peer = peer;
        if (head.target.starts_with("/whole")) return {Whole{.body_bytes_max = body_bytes_max}};
        if (!head.target.starts_with("/relay")) return {answer};
        Onward onward{.target = target};
        if (!relayed_path.empty()) {
            onward.head = head;
            onward.head->target = relayed_path;
        }
        return {std::move(onward)};
    }
    Serving serve(Request request, const Peer&) override { return echo(std::move(request)); }
    Task<Response> echo(Request request) {
        ++began;
        while (held) co_await loop_.sleep_for(std::chrono::milliseconds(2));
        ++served;
        Response response = answer;
        response.body = std::move(request.body);
        if (rest) response.rest = rest();
        response.headers.emplace_back("X-Method", request.head.method);
        co_return response;
    }
    Response refuse(int status, std::string_view code, std::string_view detail) override {
        return refusal(status, code, detail);
    }
    void relayed(const RequestHead&, int status) override {
        ++relays;
        last_relayed = status;
    }

    Response answer{200, {{"Content-Type", "text/plain"}}, "hello"};
    std::function<std::shared_ptr<ByteSource>()> rest;  // of the answers to whole requests
    Target target;
    std::string relayed_path;  // empty: as asked
    std::size_t body_bytes_max = 1000;
    std::atomic<bool> held{false};  // whole requests wait until it is over
    std::atomic<int> planned{0};
    std::atomic<int> began{0};
    std::atomic<int> served{0};
    std::atomic<int> relays{0};
    std::atomic<int> last_relayed{0};
    Peer last_peer;

  private:
    Loop& loop_;
};

struct ServerUnderTest {
    explicit ServerUnderTest(ServerLimits limits = {}, std::uint16_t upstream_port = 0)
        : upstreams(thread.loop(), patient_limits()),
          service(thread.loop()),
          server(thread.loop(), service, upstreams, limits) {
        service.target = {"127.0.0.1", upstream_port, false};
        port = thread.at([this] { return server.listen("127.0.0.1", 0).value(); });
    }
    ~ServerUnderTest() { thread.stop(); }
    Talk call() const { return http::call(port); }

    LoopThread thread;
    Upstreams upstreams;
    StubService service;
    Server server;
    std::uint16_t port = 0;
};

// Polls until it holds, for at most ten seconds.
template <class Condition>
bool eventually(Condition condition) {
    for (int i = 0; i < 1000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

}  // namespace pawl::http
