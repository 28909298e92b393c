// SPDX-License-Identifier: Apache-2.0
#include "metrics/scores/confusion.h"

#include <algorithm>
#include <cmath>
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
        if (cell.predicted != ClassifiedImage::kNoClass) {
            counts.at(static_cast<std::size_t>(cell.predicted)).predicted += cell.images;
        }
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

std::vector<ClassifiedImage> worstMistakes(
    std::span<const ClassifiedImage> images, MistakeOrder order, std::size_t most)
{
    const auto weight = [order](const ClassifiedImage& image) {
        if (order == MistakeOrder::Confident) {
            return std::isnan(image.probability) ? -1.0F : image.probability;
        }
        return std::isnan(image.loss) ? std::numeric_limits<float>::infinity() : image.loss;
    };
    std::vector<ClassifiedImage> mistakes(images.begin(), images.end());
    std::erase_if(mistakes, &ClassifiedImage::isCorrect);
    std::ranges::stable_sort(mistakes, std::greater<>(), weight);
    mistakes.resize(std::min(mistakes.size(), most));
    return mistakes;
}

} // namespace lockstep
