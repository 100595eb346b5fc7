// SPDX-License-Identifier: Apache-2.0
// Flow files: whatever stands in one, it is refused with places and remedies, or it is a machine that answers
// every event in every state and is drawn.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/flow/diagram.hpp"
#include "core/flow/machine.hpp"
#include "surface/flow_file/load.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const auto loaded = pawl::flow_file::load_flow(text);
    if (!loaded) {
        if (!pawl::policy::has_errors(loaded.error())) std::abort();
        return 0;
    }
    const auto machine = pawl::flow::Machine::compile(loaded->definition);
    if (!machine) std::abort();
    for (const auto& state : loaded->definition.states)
        for (const auto& event : loaded->definition.events) {
            const auto& answer = machine->answer(state.name, *machine->event(event.name));
            if (event.external && answer.kind == pawl::flow::AnswerKind::refuse) std::abort();
        }
    if (pawl::flow::mermaid(loaded->definition).empty()) std::abort();
    return 0;
}
