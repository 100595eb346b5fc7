// SPDX-License-Identifier: Apache-2.0
#include "app/request_lines.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "core/record/row.hpp"
#include "surface/cli/terminal.hpp"

namespace pawl::app {
namespace {

// One write per line, so that lines of several loops do not mix.
void print(std::string line) {
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
}

}  // namespace

std::string request_line(const gateway::RequestNote& note) {
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::microseconds>(note.elapsed).count();
    const std::string time = elapsed < 10'000
                                 ? fmt::format("{:.1f} ms", static_cast<double>(elapsed) / 1e3)
                                 : fmt::format("{} ms", elapsed / 1'000);
    std::string line = fmt::format("{} {} {} {} {} {}", note.method, cli::visible(note.path),
                                   note.key.empty() ? "-" : cli::visible(note.key),
                                   name_of(note.seen), note.status, time);
    if (!note.code.empty() && note.code != name_of(note.seen))
        line += fmt::format("  {}", note.code);
    if (note.seen == gateway::Seen::uncertain)
        line += fmt::format("  {}", record::reference_of(note.identity));
    return line;
}

std::string passed_line(const gateway::PassedNote& note) {
    const std::string_view how = note.here           ? "served"
                                 : note.has_upstream ? "passed on"
                                                     : "no route";
    return fmt::format("{} {} {} {}", note.method, cli::visible(note.path), how, note.status);
}

void DevLines::answered(const gateway::RequestNote& note) { print(request_line(note)); }

void DevLines::passed(const gateway::PassedNote& note) { print(passed_line(note)); }

}  // namespace pawl::app
