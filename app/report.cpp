// SPDX-License-Identifier: Apache-2.0
#include "app/report.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "surface/cli/terminal.hpp"

namespace pawl::app {
namespace {

spdlog::level::level_enum level_of(config::LogLevel level) {
    switch (level) {
        case config::LogLevel::debug:
            return spdlog::level::debug;
        case config::LogLevel::info:
            return spdlog::level::info;
        case config::LogLevel::warn:
            return spdlog::level::warn;
        case config::LogLevel::error:
            break;
    }
    return spdlog::level::err;
}

}  // namespace

Report::Report(config::LogLevel least)
    : logger_(std::make_unique<spdlog::logger>(
          "pawl", std::make_shared<spdlog::sinks::stderr_color_sink_mt>())) {
    logger_->set_level(level_of(least));
    logger_->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v", spdlog::pattern_time_type::utc);
    logger_->flush_on(spdlog::level::debug);
}

Report::~Report() = default;

void Report::info(const std::string& text) { logger_->info(cli::visible(text)); }
void Report::warn(const std::string& text) { logger_->warn(cli::visible(text)); }
void Report::error(const std::string& text) { logger_->error(cli::visible(text)); }

}  // namespace pawl::app
