// SPDX-License-Identifier: Apache-2.0
// What is shown of each request: under --dev one line on standard output, else nothing.
#pragma once

#include <string>

#include "gateway/observer.hpp"

namespace pawl::app {

// "POST /orders k1 first 201 12 ms"
std::string request_line(const gateway::RequestNote& note);

// "GET /orders passed on 200", "GET /nope no route 404", "GET /v1/flows/order served 200"
std::string passed_line(const gateway::PassedNote& note);

class DevLines final : public gateway::Observer {
  public:
    void answered(const gateway::RequestNote& note) override;
    void passed(const gateway::PassedNote& note) override;
};

class Quiet final : public gateway::Observer {
  public:
    void answered(const gateway::RequestNote&) override {}
    void passed(const gateway::PassedNote&) override {}
};

}  // namespace pawl::app
