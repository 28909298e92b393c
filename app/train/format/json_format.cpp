// SPDX-License-Identifier: Apache-2.0
#include "format/json_format.h"

#include "engine/base.h"
#include "engine/config.h"
#include "engine/device.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/run.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>

namespace lockstep::train {
namespace {

/// TOML's numbers, switches and texts are JSON's too, except for texts in single quotes, which are
/// meant as they stand. A setting that is not given has no text.
Json fromToml(const std::string& value)
{
    if (value.empty()) {
        return nullptr;
    }
    if (value.size() >= 2 && value.front() == '\'') {
        return value.substr(1, value.size() - 2);
    }
    const Json json = Json::parse(value, nullptr, false);
    return json.is_discarded() ? Json(value) : json;
}

template<class Number>
Json knownOrNull(Number value)
{
    return value < 0 ? Json() : Json(value);
}

Json toJson(const LayerAgreement& layer)
{
    return {
        {"weight_norm", layer.weightNorm},
        {"gradient_norm", layer.gradientNorm},
        {"update_to_weight", layer.updateToWeight},
        {"norm_tower", layer.towerNorms},
        {"cosine_tower", layer.cosines}};
}

Json toJson(const ObjectiveLosses& losses, const std::vector<std::string>& objectives)
{
    Json json = Json::object();
    for (std::size_t i = 0; i < losses.size(); ++i) {
        json[objectives.at(i)] = losses[i];
    }
    return json;
}

/// By objective the losses of the towers.
Json towerObjectives(const StepRecord& record, const std::vector<std::string>& objectives)
{
    Json json = Json::object();
    const std::size_t count = meanObjectives(record).size();
    for (std::size_t i = 0; i < count; ++i) {
        Json& losses = json[objectives.at(i)];
        for (const TowerRecord& tower : record.towers) {
            losses.push_back(tower.objectives[i]);
        }
    }
    return json;
}

Json toJson(const PrecisionRecallPoint& point)
{
    return {
        {"threshold", point.threshold},
        {"true_positives", point.truePositives},
        {"false_positives", point.falsePositives},
        {"false_negatives", point.falseNegatives},
        {"f1", point.f1()}};
}

} // namespace

Json orNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json();
}

Json toJson(const StepRecord& record, const std::vector<std::string>& objectives)
{
    const auto ofTowers = [&](double TowerRecord::*value) {
        Json values = Json::array();
        for (const TowerRecord& tower : record.towers) {
            values.push_back(
                value == &TowerRecord::loss ? Json(tower.loss) : knownOrNull(tower.*value));
        }
        return values;
    };
    const auto ifDecayIsKnown = [&](double loss) {
        return std::isnan(record.weightDecayLoss) ? Json() : Json(loss);
    };
    Json crossEntropies = Json::array();
    for (const TowerRecord& tower : record.towers) {
        crossEntropies.push_back(ifDecayIsKnown(crossEntropy(record, tower)));
    }
    return {
        {"step", record.step},
        {"loss_mean", record.lossMean},
        {"loss_last", record.lossLast},
        {"loss_tower", ofTowers(&TowerRecord::loss)},
        {"weight_decay_loss", ifDecayIsKnown(record.weightDecayLoss)},
        {"cross_entropy_mean", ifDecayIsKnown(crossEntropy(record))},
        {"cross_entropy_tower", std::move(crossEntropies)},
        {"train_accuracy", orNull(trainAccuracy(record))},
        {"objective_loss_mean", toJson(meanObjectives(record), objectives)},
        {"objective_loss_tower", towerObjectives(record, objectives)},
        {"examples_per_second", record.examplesPerSecond},
        {"seconds_per_batch", record.secondsPerBatch},
        {"step_seconds", record.stepSeconds},
        {"input_seconds", record.inputSeconds},
        {"compute_seconds", knownOrNull(record.computeSeconds)},
        {"averaging_seconds", knownOrNull(record.averagingSeconds)},
        {"update_seconds", knownOrNull(record.updateSeconds)},
        {"start_seconds_tower", ofTowers(&TowerRecord::startSeconds)},
        {"copy_seconds_tower", ofTowers(&TowerRecord::copySeconds)},
        {"forward_seconds_tower", ofTowers(&TowerRecord::forwardSeconds)},
        {"backward_seconds_tower", ofTowers(&TowerRecord::backwardSeconds)},
        {"wall_seconds", record.wallSeconds},
        {"learning_rate", record.learningRate},
        {"examples", record.examples},
        {"epoch", record.epoch}};
}

Json toJson(const EvaluationRecord& record, const std::vector<std::string>& objectives)
{
    Json json{{"step", record.step},         {"weights", toString(record.weights)},
              {"accuracy", record.accuracy}, {"loss", record.loss},
              {"examples", record.examples}, {"correct", record.correct},
              {"seconds", record.seconds}};
    if (!record.objectives.empty()) {
        json["objective_loss"] = toJson(record.objectives, objectives);
    }
    if (record.inTopFive) {
        json["top5"] = record.topFive();
        json["in_top_five"] = *record.inTopFive;
    }
    if (record.detection) {
        json["detection"] = toJson(*record.detection);
    }
    return json;
}

Json toJson(const DetectionScores& scores)
{
    return {
        {"average_precision", scores.averagePrecision},
        {"average_precision_definition", kAveragePrecisionDefinition},
        {"best_f1", toJson(scores.best)},
        {"full_recall", toJson(scores.fullRecall)},
        {"peaks_inside", scores.peaksInside}};
}

Json toJson(const ImageScore& image)
{
    return {
        {"example", image.example},
        {"name", image.name},
        {"is_positive", image.isPositive},
        {"score", image.score},
        {"loss", image.loss},
        {"peak", image.peak},
        {"peak_row", image.peakRow},
        {"peak_column", image.peakColumn},
        {"is_peak_inside", image.isPeakInside}};
}

Json toJson(const DeviceReadingRecord& record)
{
    return {
        {"step", record.step},
        {"time", record.time},
        {"device", record.device},
        {"memory_used_bytes", knownOrNull(record.memoryUsedBytes)},
        {"memory_total_bytes", knownOrNull(record.memoryTotalBytes)},
        {"load", knownOrNull(record.load)},
        {"temperature", knownOrNull(record.temperature)},
        {"power_watts", knownOrNull(record.powerWatts)},
        {"throttle_reason", record.throttleReason},
        {"process_memory_bytes", knownOrNull(record.processMemoryBytes)}};
}

Json toJson(const GradientRecord& record, const GradientNoiseScale& noiseScale)
{
    const GradientAgreement agreement = gradientAgreement(record);
    Json json{{"step", record.step}, {"noise_scale", orNull(noiseScale.examples())}};
    json.update(toJson(agreement.whole));
    for (const LayerAgreement& layer : agreement.layers) {
        json["layers"][layer.layer] = toJson(layer);
    }
    return json;
}

Json toJson(const PreflightRecord& record)
{
    return {
        {"name", record.name},
        {"result", toString(record.result)},
        {"text", record.text},
        {"seconds", record.seconds}};
}

Json toJson(const InitialWeights& initial)
{
    Json tensors = Json::array();
    for (const InitialTensor& tensor : initial.tensors) {
        tensors.push_back(
            {{"name", tensor.name},
             {"shape", tensor.shape},
             {"is_taken", tensor.isTaken()},
             {"reason", tensor.reason()}});
    }
    return {
        {"file", initial.file.string()},
        {"model", initial.model},
        {"run", initial.run},
        {"step", initial.step},
        {"weights", toString(initial.weights)},
        {"tensors", tensors},
        {"unused", initial.unused}};
}

Json toJson(const AlertRecord& alert)
{
    return {
        {"kind", toString(alert.kind)},
        {"is_over", alert.isOver},
        {"step", alert.step},
        {"tower", knownOrNull(alert.tower)},
        {"text", alert.text}};
}

Json toJson(const RunStatus& status)
{
    return {
        {"state", toString(status.state)},
        {"step", status.step},
        {"steps", status.steps},
        {"process", status.process},
        {"stop_step", knownOrNull(status.stopStep)}};
}

Json toJson(const DeviceInfo& info)
{
    Json precisions = Json::array();
    for (const Precision precision : info.precisions) {
        precisions.push_back(toString(precision));
    }
    return {
        {"description", info.description},
        {"library", info.library},
        {"processors", info.processors},
        {"memory_bytes", info.memoryBytes},
        {"precisions", precisions}};
}

Json toJson(const RunConfig& config)
{
    Json json = Json::object();
    for (const ConfigKey& key : configKeys(config)) {
        json[key.name] = fromToml(key.value);
    }
    return json;
}

std::string lineOf(const Json& json)
{
    // Names may hold any bytes, JSON only UTF-8.
    const std::function<Json(const Json&)> asUtf8 = [&](const Json& value) -> Json {
        if (value.is_string()) {
            return toUtf8(value.get_ref<const std::string&>());
        }
        Json copy = value;
        if (value.is_structured()) {
            for (auto& each : copy) {
                each = asUtf8(each);
            }
        }
        return copy;
    };
    return asUtf8(json).dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace lockstep::train
