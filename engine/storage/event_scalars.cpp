// SPDX-License-Identifier: Apache-2.0
#include "storage/event_scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

std::vector<EventValue> eventScalars(const StepRecord& record)
{
    std::vector<EventValue> values{
        {"loss/mean", record.lossMean},
        {"total_loss", record.lossLast},
        {"learning_rate", record.learningRate},
        {"speed/examples_per_second", record.examplesPerSecond},
        {"speed/seconds_per_batch", record.secondsPerBatch},
        {"input/queue_filled", record.queueFilled}};
    std::int64_t correct = 0;
    std::int64_t examples = 0;
    for (std::size_t tower = 0; tower < record.towers.size(); ++tower) {
        values.push_back({fmt::format("loss/tower_{}", tower), record.towers[tower].loss});
        correct += record.towers[tower].correct;
        examples += record.towers[tower].examples;
    }
    if (examples > 0) {
        values.push_back(
            {"accuracy/training_batch",
             static_cast<double>(correct) / static_cast<double>(examples)});
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

std::vector<EventValue> eventScalars(const EvaluationRecord& record)
{
    std::vector<EventValue> values{
        {fmt::format("test/accuracy_{}", toString(record.weights)), record.accuracy},
        {fmt::format("test/loss_{}", toString(record.weights)), record.loss}};
    if (record.weights == WeightsKind::Average) {
        values.push_back({"Precision @ 1", record.accuracy});
    }
    return values;
}

} // namespace lockstep
