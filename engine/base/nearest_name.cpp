// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include "base/error.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

} // namespace

std::string nearestName(std::string_view name, std::span<const std::string> names)
{
    require(!names.empty(), "there is no name to be near to");
    return *std::ranges::min_element(
        names, {}, [&](const std::string& each) { return editDistance(name, each); });
}

} // namespace lockstep
