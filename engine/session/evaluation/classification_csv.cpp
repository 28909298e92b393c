// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/classification_csv.h"

#include "metrics/scores/confusion.h"
#include "session/evaluation/csv_field.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace lockstep {
std::string className(const CheckpointEvaluation& evaluation, std::int32_t number)
{
    if (number == ClassifiedImage::kNoClass) {
        return "none";
    }
    const auto place = static_cast<std::size_t>(number);
    return place < evaluation.classes.size() ? evaluation.classes[place] : std::to_string(number);
}

void writeConfusion(const CheckpointEvaluation& evaluation, const std::filesystem::path& file)
{
    const auto cells = confusionCells(evaluation.record.classified);
    const auto classes = static_cast<std::int32_t>(evaluation.classCount);
    const bool hasNone = std::ranges::any_of(cells, [](const ConfusionCell& cell) {
        return cell.predicted == ClassifiedImage::kNoClass;
    });
    const std::int32_t first = hasNone ? ClassifiedImage::kNoClass : 0;
    std::string text = "label";
    for (std::int32_t column = first; column < classes; ++column) {
        text += ',' + csvField(className(evaluation, column));
    }
    auto cell = cells.begin();
    for (std::int32_t row = 0; row < classes; ++row) {
        text += '\n' + csvField(className(evaluation, row));
        for (std::int32_t column = first; column < classes; ++column) {
            const bool isThere =
                cell != cells.end() && cell->label == row && cell->predicted == column;
            fmt::format_to(std::back_inserter(text), ",{}", isThere ? cell->images : 0);
            cell += isThere ? 1 : 0;
        }
    }
    writeWholeFile(text + '\n', file);
}

void writeClassifiedImages(
    const CheckpointEvaluation& evaluation, const std::filesystem::path& file)
{
    std::string text = "example,name,label,prediction,probability,label_probability,rank,loss\n";
    for (const ClassifiedImage& image : evaluation.record.classified) {
        fmt::format_to(
            std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", image.example,
            csvField(evaluation.names[static_cast<std::size_t>(image.example)]),
            csvField(className(evaluation, image.label)),
            csvField(className(evaluation, image.predicted)), image.probability,
            image.labelProbability(), image.rank, image.loss);
    }
    writeWholeFile(text, file);
}

} // namespace lockstep
