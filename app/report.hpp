// SPDX-License-Identifier: Apache-2.0
// What the process says about itself, to standard error, a line each with its time. Requests are not told
// here.
#pragma once

#include <memory>
#include <string>

#include "surface/config/config.hpp"

namespace spdlog {
class logger;
}

namespace pawl::app {

class Report {
  public:
    explicit Report(config::LogLevel least);
    ~Report();

    void info(const std::string& text);
    void warn(const std::string& text);
    void error(const std::string& text);

  private:
    std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace pawl::app
