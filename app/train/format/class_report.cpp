// SPDX-License-Identifier: Apache-2.0
#include "format/class_report.h"

#include "engine/evaluation.h"
#include "engine/records.h"

#include <nlohmann/json.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

/// Classes, and pairs of them, that are worth a line.
constexpr std::size_t kWorst = 5;

std::vector<ConfusionCell> cellsOf(const CheckpointEvaluation& evaluation)
{
    return confusionCells(evaluation.record.classified);
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

/// Of no images there is none.
std::string share(double value)
{
    return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

} // namespace

void printClasses(Console& console, const CheckpointEvaluation& evaluation)
{
    const auto cells = cellsOf(evaluation);
    const auto counts = classCounts(cells, evaluation.classCount);
    console.result(fmt::format("macro recall {:.4f}", macroRecall(counts)));
    for (const ClassCount& count : worstClasses(counts, kWorst)) {
        console.result(fmt::format(
            "recall {}  precision {}  {}: {} of {}, {} taken for it", share(count.recall()),
            share(count.precision()), className(evaluation, count.label), count.correct,
            count.images, count.predicted));
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
    const auto error = [](const ClassifiedImage& image) {
        return std::isnan(image.loss) ? std::numeric_limits<float>::infinity() : image.loss;
    };
    std::ranges::stable_sort(images, std::greater<>(), error);
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
             {"correct", count.correct},
             {"predicted", count.predicted},
             {"recall", count.recall()},
             {"precision", count.precision()},
             {"f1", count.f1()}});
    }
    json["confusion"] = Json::array();
    for (const ConfusionCell& cell : cells) {
        json["confusion"].push_back(Json::array({cell.label, cell.predicted, cell.images}));
    }
    if (withImages) {
        json["images"] = imagesJson(evaluation);
    }
}

} // namespace lockstep::train
