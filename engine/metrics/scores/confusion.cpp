// SPDX-License-Identifier: Apache-2.0
#include "metrics/scores/confusion.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace lockstep {

std::vector<ConfusionCell> confusionCells(std::span<const ClassifiedImage> images)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> counts;
    for (const ClassifiedImage& image : images) {
        ++counts[{image.label, image.predicted}];
    }
    std::vector<ConfusionCell> cells;
    cells.reserve(counts.size());
    for (const auto& [place, count] : counts) {
        cells.push_back({place.first, place.second, count});
    }
    return cells;
}

std::vector<ClassCount> classCounts(std::span<const ConfusionCell> cells, std::int64_t classes)
{
    std::vector<ClassCount> counts(static_cast<std::size_t>(classes));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i].label = static_cast<std::int32_t>(i);
    }
    for (const ConfusionCell& cell : cells) {
        ClassCount& count = counts.at(static_cast<std::size_t>(cell.label));
        count.images += cell.images;
        count.correct += cell.predicted == cell.label ? cell.images : 0;
    }
    return counts;
}

double macroRecall(std::span<const ClassCount> counts)
{
    double sum = 0.0;
    int classes = 0;
    for (const ClassCount& count : counts) {
        if (count.images > 0) {
            sum += count.recall();
            ++classes;
        }
    }
    return classes == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / classes;
}

std::vector<ClassCount> worstClasses(std::span<const ClassCount> counts, std::size_t most)
{
    std::vector<ClassCount> worst(counts.begin(), counts.end());
    std::erase_if(worst, [](const ClassCount& count) { return count.images == 0; });
    std::ranges::stable_sort(worst, {}, &ClassCount::recall);
    worst.resize(std::min(worst.size(), most));
    return worst;
}

std::vector<ConfusionCell> mostConfused(std::span<const ConfusionCell> cells, std::size_t most)
{
    std::vector<ConfusionCell> confused(cells.begin(), cells.end());
    std::erase_if(confused, [](const ConfusionCell& cell) { return cell.predicted == cell.label; });
    std::ranges::stable_sort(confused, std::greater<>(), &ConfusionCell::images);
    confused.resize(std::min(confused.size(), most));
    return confused;
}

} // namespace lockstep
