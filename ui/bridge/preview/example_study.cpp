// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/example_study.h"

#include "bridge/preview/distortion_text.h"
#include "bridge/preview/input_picture.h"
#include "bridge/preview/preview_batch.h"
#include "engine/run.h"

namespace lockstep::ui {
namespace {

/// Of a side of the original: more than there is room for.
constexpr int kLongestSide = 640;

QRectF inShares(const CropBox& crop, const ColourImage& original)
{
    const auto height = static_cast<double>(original.height);
    const auto width = static_cast<double>(original.width);
    return {
        static_cast<double>(crop.column) / width, static_cast<double>(crop.row) / height,
        static_cast<double>(crop.width) / width, static_cast<double>(crop.height) / height};
}

} // namespace

ExampleStudy studyExample(
    const StudyRequest& request, PreviewData& data, const LoadProgress& progress)
{
    request.config.validate();
    const Dataset& dataset = data.open(request.config, request.split, progress);
    PipelineSettings settings = pipelineFor(request.config, makeNetwork(request.config.model));
    const bool isTraining = request.split == Split::Train;
    if (!isTraining) {
        settings = settings.forEvaluation();
    }
    const RowOrder order(dataset, settings);
    BatchBuilder builder(dataset, settings, order);
    const std::uint32_t example = request.visit.example;
    if (example >= dataset.size()) {
        fail(
            ErrorCode::BadInput, "{} ({}) has no example {}: choose another image",
            dataset.info().name, dataset.info().split, example);
    }
    const ColourImage original = originalImage(dataset, example);
    const auto label = static_cast<std::size_t>(dataset.example(example).label);
    ExampleStudy study;
    study.split = request.split;
    study.visit = request.visit;
    study.name = QString::fromStdString(dataset.exampleName(example));
    study.className = QString::fromStdString(dataset.info().classNames[label]);
    study.original = originalPicture(original, kLongestSide);
    study.size = {static_cast<int>(original.width), static_cast<int>(original.height)};
    Batch batch;
    for (int i = 0; i <= (isTraining ? request.furtherDraws : 0); ++i) {
        const Visit visit{request.visit.epoch + static_cast<std::uint32_t>(i), example};
        builder.buildVisit(visit, batch);
        const DrawnDistortion drawn = builder.draw(visit);
        const auto crop = cropOf(drawn, settings.distortion);
        study.draws.push_back(
            {visit.epoch, rowPicture(batch, 0, settings.distortion),
             crop ? inShares(*crop, original) : QRectF(),
             distortionText(drawn, settings.distortion)});
    }
    return study;
}

} // namespace lockstep::ui
