// SPDX-License-Identifier: Apache-2.0
// The program. Reads its words, builds what they need, and lends the commands the one thing they cannot name
// themselves: the store.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "app/serve.hpp"
#include "app/store_place.hpp"
#include "surface/cli/arguments.hpp"
#include "surface/cli/check.hpp"
#include "surface/cli/commands.hpp"
#include "surface/cli/run_suggest.hpp"
#include "surface/cli/terminal.hpp"
#include "surface/config/schema.hpp"

namespace {

using namespace pawl;

std::string user_name() {
    for (const char* variable : {"SUDO_USER", "USER", "LOGNAME"})
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
            return value;
    return fmt::format("uid {}", getuid());
}

// A name on the PATH as it is, a path below the working directory without it, any other in full.
std::string called_as(const std::string& word) {
    if (word.find('/') == std::string::npos) return word;
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    const std::filesystem::path below =
        std::filesystem::absolute(word, error).lexically_relative(here);
    return error || below.empty() || *below.begin() == ".." ? word : below.string();
}

int run(const cli::Asked& asked, app::Program program) {
    const config::Environment environment = config::environment_of_process();
    if (const auto* serve = std::get_if<cli::Serve>(&asked.command))
        return app::run_serve(*serve, asked.common, environment, program);
    if (const auto* check = std::get_if<cli::Check>(&asked.command)) {
        if (check->schema) {
            std::cout << config::json_schema();
            return 0;
        }
        if (check->suggest)
            return cli::run_suggest(*check, asked.common, environment, std::cout, std::cerr);
        const cli::CheckOrder order{check->file, environment, asked.common.json,
                                    cli::wants_colour(STDERR_FILENO), check->against};
        return cli::run_check(order, std::cout, std::cerr);
    }
    return cli::run_command(asked, {environment, user_name(), PAWL_VERSION, app::open_store_to_read,
                                    app::open_flows_to_read});
}

}  // namespace

int main(int count, char** words) {
    app::Program program{PAWL_VERSION, called_as(count > 0 ? words[0] : "pawl"),
                         SystemClock().monotonic()};
    const auto parsed = cli::parse_arguments(std::vector<std::string>(words + 1, words + count));
    if (const auto* refused = std::get_if<cli::Refused>(&parsed)) {
        fmt::print(refused->exit_code == 0 ? stdout : stderr, "{}", refused->text);
        return refused->exit_code;
    }
    return run(std::get<cli::Asked>(parsed), std::move(program));
}
