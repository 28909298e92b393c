// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/classification_csv.h"

#include "base/atomic_file.h"
#include "metrics/scores/confusion.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace lockstep {
namespace {

/// As RFC 4180 wants it where a name has commas or quotes: "tench, Tinca tinca".
std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + '"';
}

void writeText(const std::string& text, const std::filesystem::path& file)
{
    AtomicFile target(file);
    target.write(text);
    target.commit();
}

std::string classFields(const FilePrediction& of, std::size_t classes)
{
    std::string fields;
    for (std::size_t i = 0; i < classes; ++i) {
        if (i < of.classes.size()) {
            // As the network has it: in float32.
            const auto probability = static_cast<float>(of.classes[i].probability);
            fields += fmt::format(",{},{}", csvField(of.classes[i].name), probability);
        } else {
            fields += ",,";
        }
    }
    return fields;
}

std::string scoreFields(const FilePrediction& of)
{
    return of.problem.empty() ? fmt::format(
               ",{},{},{},{},{},{}", of.score.score, of.score.peak, of.score.peakRow,
               of.score.peakColumn, of.maskShape.height, of.maskShape.width)
                              : ",,,,,,";
}

} // namespace

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
    writeText(text + '\n', file);
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
    writeText(text, file);
}

void writePredictions(
    std::span<const FilePrediction> predictions, const std::filesystem::path& file)
{
    std::size_t classes = 0;
    for (const FilePrediction& of : predictions) {
        classes = std::max(classes, of.classes.size());
    }
    std::string text = "path";
    if (classes == 0) {
        text += ",score,peak,peak_row,peak_column,mask_height,mask_width";
    }
    for (std::size_t i = 1; i <= classes; ++i) {
        text +=
            i == 1 ? ",prediction,probability" : fmt::format(",prediction_{},probability_{}", i, i);
    }
    text += ",problem\n";
    for (const FilePrediction& of : predictions) {
        text += csvField(of.file.string());
        text += classes == 0 ? scoreFields(of) : classFields(of, classes);
        text += ',' + csvField(of.problem) + '\n';
    }
    writeText(text, file);
}

} // namespace lockstep
