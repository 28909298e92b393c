// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_frames.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {
namespace {

Frame packed(const std::vector<float>& values)
{
    std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
    if (!bytes.empty()) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return Frame::binary(std::move(bytes));
}

std::vector<float> floatsIn(const Frame& value)
{
    const std::span<const std::uint8_t> bytes = bytesOf(value);
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty()) {
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    }
    return values;
}

std::optional<double> numberIn(const Frame& value)
{
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

Frame orNull(const std::optional<double>& value)
{
    return value ? Frame(*value) : Frame();
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming,modernize-*,bugprone-*): nlohmann's names and macros
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    DeviceInfo, name, description, library, processors, memoryBytes, precisions, lacks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    DeviceReading, memoryUsedBytes, memoryTotalBytes, load, temperature, powerWatts, throttleReason,
    processMemoryBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceProgram, process, name, memoryBytes, isThis)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceReport, name, isAvailable, info, reason, reading, programs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shape, height, width, channels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RemoteFacts::DataSet, name, folder)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RemoteFacts::Preset, name, configuration)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    ImageScore, example, name, isPositive, score, loss, peak, peakRow, peakColumn, isPeakInside)

void to_json(Frame& frame, const RemoteFacts& facts)
{
    frame = {{"host", facts.host},       {"version", facts.version},    {"runs", facts.runs},
             {"devices", facts.devices}, {"data_sets", facts.dataSets}, {"presets", facts.presets}};
}

void from_json(const Frame& frame, RemoteFacts& facts)
{
    frame.at("host").get_to(facts.host);
    frame.at("version").get_to(facts.version);
    frame.at("runs").get_to(facts.runs);
    frame.at("devices").get_to(facts.devices);
    frame.at("data_sets").get_to(facts.dataSets);
    frame.at("presets").get_to(facts.presets);
}

void to_json(Frame& frame, const RemoteRun& run)
{
    frame = {
        {"name", run.name},
        {"is_trained", run.isTrained},
        {"state", run.state},
        {"step", run.step},
        {"started", run.started},
        {"changed", run.changed},
        {"last_loss", orNull(run.lastLoss)},
        {"last_accuracy", orNull(run.lastAccuracy)},
        {"best_accuracy", orNull(run.bestAccuracy)},
        {"configuration", run.configuration},
        {"title", run.title},
        {"problem", run.problem}};
}

void from_json(const Frame& frame, RemoteRun& run)
{
    frame.at("name").get_to(run.name);
    frame.at("is_trained").get_to(run.isTrained);
    frame.at("state").get_to(run.state);
    frame.at("step").get_to(run.step);
    frame.at("started").get_to(run.started);
    frame.at("changed").get_to(run.changed);
    run.lastLoss = numberIn(frame.at("last_loss"));
    run.lastAccuracy = numberIn(frame.at("last_accuracy"));
    run.bestAccuracy = numberIn(frame.at("best_accuracy"));
    frame.at("configuration").get_to(run.configuration);
    frame.at("title").get_to(run.title);
    frame.at("problem").get_to(run.problem);
}

void to_json(Frame& frame, const RemoteCheckpoint& checkpoint)
{
    frame = {
        {"step", checkpoint.step},
        {"file", checkpoint.file},
        {"bytes", checkpoint.bytes},
        {"written", checkpoint.written},
        {"is_pinned", checkpoint.isPinned}};
}

void from_json(const Frame& frame, RemoteCheckpoint& checkpoint)
{
    frame.at("step").get_to(checkpoint.step);
    frame.at("file").get_to(checkpoint.file);
    frame.at("bytes").get_to(checkpoint.bytes);
    frame.at("written").get_to(checkpoint.written);
    frame.at("is_pinned").get_to(checkpoint.isPinned);
}

void to_json(Frame& frame, const PredictedImage& image)
{
    frame = {
        {"score", image.score},
        {"has_label", image.hasLabel},
        {"input_shape", image.inputShape},
        {"input", packed(image.input)},
        {"class_probabilities", packed(image.classProbabilities)},
        {"class_label", image.classLabel},
        {"class_names", image.classNames},
        {"mask_shape", image.maskShape},
        {"probabilities", packed(image.probabilities)},
        {"label", packed(image.label)}};
}

void from_json(const Frame& frame, PredictedImage& image)
{
    frame.at("score").get_to(image.score);
    frame.at("has_label").get_to(image.hasLabel);
    frame.at("input_shape").get_to(image.inputShape);
    image.input = floatsIn(frame.at("input"));
    image.classProbabilities = floatsIn(frame.at("class_probabilities"));
    frame.at("class_label").get_to(image.classLabel);
    frame.at("class_names").get_to(image.classNames);
    frame.at("mask_shape").get_to(image.maskShape);
    image.probabilities = floatsIn(frame.at("probabilities"));
    image.label = floatsIn(frame.at("label"));
}

void to_json(Frame& frame, const RemoteExample& example)
{
    frame = {{"name", example.name},         {"class_name", example.className},
             {"examples", example.examples}, {"height", example.image.height},
             {"width", example.image.width}, {"pixels", Frame::binary(example.image.pixels)}};
}

void from_json(const Frame& frame, RemoteExample& example)
{
    frame.at("name").get_to(example.name);
    frame.at("class_name").get_to(example.className);
    frame.at("examples").get_to(example.examples);
    frame.at("height").get_to(example.image.height);
    frame.at("width").get_to(example.image.width);
    const std::span<const std::uint8_t> pixels = bytesOf(frame.at("pixels"));
    example.image.pixels.assign(pixels.begin(), pixels.end());
}

// NOLINTEND(readability-identifier-naming,modernize-*,bugprone-*)

bool isInside(const std::filesystem::path& name)
{
    return !name.empty() && name.is_relative()
           && std::ranges::none_of(name, [](const auto& part) { return part == ".."; });
}

bool isRunName(const std::string& name)
{
    return isInside(name) && name != "." && name.find('/') == std::string::npos;
}

} // namespace lockstep
