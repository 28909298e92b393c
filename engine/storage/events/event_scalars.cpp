// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_scalars.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

std::vector<EventValue> eventScalars(
    const StepRecord& record, const std::vector<std::string>& objectives)
{
    std::vector<EventValue> values{
        {"loss/mean", record.lossMean},
        {"total_loss", record.lossLast},
        {"learning_rate", record.learningRate},
        {"speed/examples_per_second", record.examplesPerSecond},
        {"speed/seconds_per_batch", record.secondsPerBatch},
        {"input/queue_filled", record.queueFilled}};
    if (!std::isnan(record.weightDecayLoss)) {
        values.push_back({"loss/cross_entropy", crossEntropy(record)});
    }
    for (std::size_t tower = 0; tower < record.towers.size(); ++tower) {
        values.push_back({fmt::format("loss/tower_{}", tower), record.towers[tower].loss});
        const ObjectiveLosses& losses = record.towers[tower].objectives;
        for (std::size_t i = 0; i < losses.size(); ++i) {
            values.push_back({fmt::format("loss_{}/tower_{}", objectives.at(i), tower), losses[i]});
        }
    }
    const ObjectiveLosses means = meanObjectives(record);
    for (std::size_t i = 0; i < means.size(); ++i) {
        values.push_back({fmt::format("loss_{}/mean", objectives.at(i)), means[i]});
    }
    if (const auto accuracy = trainAccuracy(record)) {
        values.push_back({"accuracy/training_batch", *accuracy});
    }
    return values;
}

std::vector<EventValue> eventScalars(
    const GradientRecord& record, const GradientNoiseScale& noiseScale)
{
    const GradientAgreement agreement = gradientAgreement(record);
    std::vector<EventValue> values;
    const std::vector<double>& cosines = agreement.whole.cosines;
    if (!cosines.empty() && std::ranges::none_of(cosines, [](double c) { return std::isnan(c); })) {
        values.push_back({"gradients/cosine_min", std::ranges::min(cosines)});
    }
    if (noiseScale.examples()) {
        values.push_back({"gradients/noise_scale", *noiseScale.examples()});
    }
    for (const LayerAgreement& layer : agreement.layers) {
        if (std::isfinite(layer.updateToWeight)) {
            values.push_back({"update_to_weight/" + layer.layer, layer.updateToWeight});
        }
    }
    return values;
}

std::vector<EventValue> eventScalars(
    const EvaluationRecord& record, const std::vector<std::string>& objectives)
{
    const std::string_view weights = toString(record.weights);
    std::vector<EventValue> values{
        {fmt::format("test/accuracy_{}", weights), record.accuracy},
        {fmt::format("test/loss_{}", weights), record.loss}};
    for (std::size_t i = 0; i < record.objectives.size(); ++i) {
        values.push_back(
            {fmt::format("test/loss_{}_{}", objectives.at(i), weights), record.objectives[i]});
    }
    if (record.detection) {
        values.push_back(
            {fmt::format("test/average_precision_{}", weights),
             record.detection->averagePrecision});
    }
    if (record.inTopFive) {
        values.push_back({fmt::format("test/top5_{}", weights), record.topFive()});
    }
    if (record.weights == WeightsKind::Average) {
        values.push_back({"Precision @ 1", record.accuracy});
        if (record.inTopFive) {
            values.push_back({"Recall @ 5", record.topFive()});
        }
    }
    return values;
}

} // namespace lockstep
