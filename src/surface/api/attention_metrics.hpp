// SPDX-License-Identifier: Apache-2.0
// By which an alarm says that a person is needed, in the text format of Prometheus: what stands before one, for how
// long, and money that came twice. It does not matter who told it.
#pragma once

#include <string>

#include "engine/fact_figures.hpp"
#include "runtime/task/loop.hpp"
#include "store/port/flows.hpp"

namespace pawl::api {

inline constexpr std::size_t kAttentionCountedMax = 1'000;

// Of this loop's flows; empty where none are served. What the store does not answer is left out. All outlive the task.
Task<std::string> attention_metrics(store::Flows* flows, const engine::FactFigures* counted,
                                    Loop& here);

}  // namespace pawl::api
