// SPDX-License-Identifier: Apache-2.0
#include "session/run/split_check.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr std::int64_t kMostExamples = 200'000;

} // namespace

SplitCheck::SplitCheck(const Dataset& dataset, std::int64_t classes)
    : m_dataset(dataset), m_seen(static_cast<std::size_t>(classes))
{
    const std::int64_t stride = std::max<std::int64_t>(1, dataset.size() / kMostExamples);
    for (std::int64_t index = 0; index < dataset.size(); index += stride) {
        take(index);
    }
}

std::int64_t SplitCheck::missingClasses(std::ptrdiff_t first) const
{
    const auto named = static_cast<std::ptrdiff_t>(m_dataset.info().classNames.size());
    return std::count(m_seen.begin() + std::min(first, named), m_seen.begin() + named, false);
}

void SplitCheck::take(std::int64_t index)
{
    const ExampleView example = m_dataset.example(index);
    const DatasetInfo& info = m_dataset.info();
    if (std::cmp_less(example.label, 0) || std::cmp_greater_equal(example.label, m_seen.size())) {
        fail(
            ErrorCode::Data,
            "data set {}, {} example {}: label {}, but the model tells {} classes "
            "apart",
            info.name, info.split, index, example.label, m_seen.size());
    }
    const std::int64_t bytes = shapeOf(info, example).elements();
    if (std::cmp_not_equal(example.pixels.size(), bytes)) {
        fail(
            ErrorCode::Data, "data set {}, {} example {}: {} bytes instead of {}", info.name,
            info.split, index, example.pixels.size(), bytes);
    }
    m_seen[static_cast<std::size_t>(example.label)] = true;
}

} // namespace lockstep
