// SPDX-License-Identifier: Apache-2.0
// Optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours.
#include "surface/yaml/nearest.hpp"

#include <algorithm>

namespace pawl::yaml {
namespace {

constexpr std::size_t kNameLengthMax = 64;  // of a name worth a guess; the work is quadratic

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

std::string folded(std::string_view name) {
    std::string text(name.substr(0, kNameLengthMax + 1));
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == '-') c = '_';
    }
    return text;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
    if (name.empty() || name.size() > kNameLengthMax) return std::nullopt;
    const std::string wanted = folded(name);
    std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    std::optional<std::string> best;
    for (const std::string& candidate : known) {
        const std::size_t changes = distance(wanted, folded(candidate));
        if (changes >= least) continue;
        least = changes;
        best = candidate;
    }
    return best;
}

}  // namespace pawl::yaml
