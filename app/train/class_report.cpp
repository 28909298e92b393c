// SPDX-License-Identifier: Apache-2.0
#include "class_report.h"

#include "base/atomic_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <vector>

namespace lockstep::train {
namespace {

/// Classes, and pairs of them, that are worth a line.
constexpr std::size_t kWorst = 5;

std::vector<ConfusionCell> cellsOf(const CheckpointEvaluation& evaluation)
{
    return confusionCells(evaluation.record.classified);
}

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

const std::string& nameOf(const CheckpointEvaluation& evaluation, const ClassifiedImage& image)
{
    return evaluation.names[static_cast<std::size_t>(image.example)];
}

Json imagesJson(const CheckpointEvaluation& evaluation)
{
    Json images = Json::array();
    for (const ClassifiedImage& image : evaluation.record.classified) {
        images.push_back(
            {{"example", image.example},
             {"name", nameOf(evaluation, image)},
             {"label", image.label},
             {"predicted", image.predicted},
             {"probability", image.probability},
             {"label_probability", image.labelProbability()},
             {"rank", image.rank},
             {"loss", image.loss}});
    }
    return images;
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

void printClasses(Console& console, const CheckpointEvaluation& evaluation)
{
    const auto cells = cellsOf(evaluation);
    const auto counts = classCounts(cells, evaluation.classCount);
    console.result(fmt::format("macro recall {:.4f}", macroRecall(counts)));
    for (const ClassCount& count : worstClasses(counts, kWorst)) {
        console.result(fmt::format(
            "recall {:.4f}  {}: {} of {}", count.recall(), className(evaluation, count.label),
            count.correct, count.images));
    }
    for (const ConfusionCell& cell : mostConfused(cells, kWorst)) {
        console.result(fmt::format(
            "{} taken for {}: {}", className(evaluation, cell.label),
            className(evaluation, cell.predicted), cell.images));
    }
}

void printClassifiedImages(Console& console, const CheckpointEvaluation& evaluation)
{
    std::vector<ClassifiedImage> images = evaluation.record.classified;
    std::ranges::stable_sort(images, std::greater<>(), &ClassifiedImage::loss);
    for (const ClassifiedImage& image : images) {
        const std::string label = className(evaluation, image.label);
        console.result(fmt::format(
            "loss {:.4f}  {} taken for {} ({:.2f}, {} {:.2f})  {}", image.loss, label,
            className(evaluation, image.predicted), image.probability, label,
            image.labelProbability(), nameOf(evaluation, image)));
    }
}

void addClasses(Json& json, const CheckpointEvaluation& evaluation, bool withImages)
{
    const auto cells = cellsOf(evaluation);
    const auto counts = classCounts(cells, evaluation.classCount);
    json["macro_recall"] = macroRecall(counts);
    json["classes"] = Json::array();
    for (const ClassCount& count : counts) {
        json["classes"].push_back(
            {{"label", count.label},
             {"name", className(evaluation, count.label)},
             {"images", count.images},
             {"correct", count.correct}});
    }
    json["confusion"] = Json::array();
    for (const ConfusionCell& cell : cells) {
        json["confusion"].push_back(Json::array({cell.label, cell.predicted, cell.images}));
    }
    if (withImages) {
        json["images"] = imagesJson(evaluation);
    }
}

void writeConfusion(const CheckpointEvaluation& evaluation, const std::filesystem::path& file)
{
    const auto cells = cellsOf(evaluation);
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
            csvField(nameOf(evaluation, image)), csvField(className(evaluation, image.label)),
            csvField(className(evaluation, image.predicted)), image.probability,
            image.labelProbability(), image.rank, image.loss);
    }
    writeText(text, file);
}

} // namespace lockstep::train
