// SPDX-License-Identifier: Apache-2.0
// The HTTP folder alone on one loop, for `bench/http`: /static is answered at once, /whole after its body was
// read, anything else is relayed to the upstream.
//
//   bench_http_loop PORT UPSTREAM_PORT
#include <cstdio>
#include <cstdlib>

#include "net/http/problem.hpp"
#include "net/http/server.hpp"
#include "runtime/task/system_loop.hpp"

namespace {

using namespace pawl;

class Measured final : public http::Service {
  public:
    explicit Measured(std::uint16_t upstream_port) : upstream_{"127.0.0.1", upstream_port, false} {}

    http::Plan plan(const http::RequestHead& head, const http::Peer&) override {
        if (head.target.starts_with("/static")) return {answer_};
        if (head.target.starts_with("/whole")) return {http::Whole{.body_bytes_max = 1U << 20}};
        return {http::Onward{.target = upstream_}};
    }
    http::Serving serve(http::Request, const http::Peer&) override { return answer_; }
    http::Response refuse(int status, std::string_view code, std::string_view detail) override {
        return http::refusal(status, code, detail);
    }
    void relayed(const http::RequestHead&, int) override {}

  private:
    const http::Target upstream_;
    const http::Response answer_{
        200, {{"Content-Type", "application/json"}}, R"({"id":"ord_00000001","status":"created"})"};
};

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: bench_http_loop PORT UPSTREAM_PORT\n");
        return 2;
    }
    SystemLoop system;
    Measured service(static_cast<std::uint16_t>(std::atoi(words[2])));
    http::Upstreams upstreams(system.loop());
    http::Server server(system.loop(), service, upstreams);
    const auto port = server.listen("127.0.0.1", static_cast<std::uint16_t>(std::atoi(words[1])));
    if (!port) {
        std::fprintf(stderr, "%s\n", describe(port.error()).c_str());
        return 1;
    }
    system.run();
}
