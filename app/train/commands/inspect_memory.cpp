// SPDX-License-Identifier: Apache-2.0
#include "commands/inspect.h"
#include "engine/config.h"
#include "engine/device.h"
#include "engine/network.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep::train {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

double mebibytes(std::size_t bytes)
{
    return static_cast<double>(bytes) / kMebibyte;
}

/// Numbers of the buffers that lie where this one does, at other times.
std::vector<std::size_t> sharersOf(const ReplicaMemory& memory, std::size_t number)
{
    std::vector<std::size_t> sharers;
    for (std::size_t i = 0; i < memory.buffers.size(); ++i) {
        if (i != number && memory.buffers[i].sharesMemoryWith(memory.buffers[number])) {
            sharers.push_back(i);
        }
    }
    return sharers;
}

Json toJson(const ReplicaMemory& memory)
{
    Json buffers = Json::array();
    for (std::size_t i = 0; i < memory.buffers.size(); ++i) {
        const PlannedBuffer& buffer = memory.buffers[i];
        buffers.push_back(
            {{"layer", buffer.layer},
             {"use", toString(buffer.use)},
             {"bytes", buffer.bytes},
             {"offset", buffer.offset},
             {"first", memory.momentName(buffer.first())},
             {"last", memory.momentName(buffer.last())},
             {"shares_with", sharersOf(memory, i)}});
    }
    return {
        {"bytes", memory.bytes},
        {"bytes_without_reuse", memory.bytesWithoutReuse()},
        {"parameter_gradient_bytes", memory.gradientBytes},
        {"buffers", buffers}};
}

std::string sharersText(const ReplicaMemory& memory, std::size_t number)
{
    constexpr std::size_t kShown = 3;
    std::vector<std::string> names;
    for (const std::size_t sharer : sharersOf(memory, number)) {
        const PlannedBuffer& buffer = memory.buffers[sharer];
        names.push_back(
            buffer.use == BufferUse::Values ? buffer.layer
                                            : buffer.layer + " " + toString(buffer.use));
    }
    const std::size_t more = names.size() - std::min(names.size(), kShown);
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" +{}", more) : "");
}

std::vector<std::string> trainedObjectives(const NetworkSpec& network)
{
    std::vector<std::string> names;
    for (const Objective& objective : network.objectives) {
        if (objective.isActive()) {
            names.push_back(objective.name);
        }
    }
    return names;
}

/// ", mean_square, momentum (rmsprop)".
std::string slotsText(UpdateKind optimizer)
{
    std::string text;
    for (const SlotSpec& slot : slotsOf(optimizer)) {
        text += fmt::format(", {}", slot.name);
    }
    return text.empty() ? text : fmt::format("{} ({})", text, toString(optimizer));
}

void print(Console& console, const char* kind, const ReplicaMemory& memory)
{
    console.result(fmt::format(
        "{} replica: {:.1f} MiB; if no buffer took the place of another, {:.1f} MiB. Gradients of "
        "the parameters: {:.1f} MiB more",
        kind, mebibytes(memory.bytes), mebibytes(memory.bytesWithoutReuse()),
        mebibytes(memory.gradientBytes)));
    console.result(fmt::format(
        "{:<20} {:<10} {:>9} {:>9}  {:<48} {}", "layer", "use", "MiB", "at MiB", "alive",
        "place shared with"));
    for (std::size_t i = 0; i < memory.buffers.size(); ++i) {
        const PlannedBuffer& buffer = memory.buffers[i];
        const std::string first = memory.momentName(buffer.first());
        const std::string last = memory.momentName(buffer.last());
        console.result(fmt::format(
            "{:<20} {:<10} {:>9.2f} {:>9.1f}  {:<48} {}", buffer.layer, toString(buffer.use),
            mebibytes(buffer.bytes), mebibytes(buffer.offset),
            first == last ? first : fmt::format("{} … {}", first, last), sharersText(memory, i)));
    }
}

} // namespace

void inspectMemory(
    Console& console, const RunConfig& config, const NetworkSpec& network, bool isJson)
{
    const TowerMemory memory = planTowerMemory(config, network);
    const TowerShape shape = config.towerShape();
    if (isJson) {
        console.result(lineOf(
            {{"model", network.name},
             {"device", memory.device},
             {"precision", config.precision},
             {"batch_per_tower", shape.batchPerTower},
             {"trained", trainedObjectives(network)},
             {"parameter_bytes", memory.parameterBytes},
             {"training", toJson(memory.training)},
             {"evaluation", toJson(memory.evaluation)}}));
        return;
    }
    console.result(fmt::format(
        "memory of model {} on {}: batches of {}, {}, input {}; trained: {}", network.name,
        memory.device, shape.batchPerTower, config.precision, toString(network.inputShape()),
        fmt::join(trainedObjectives(network), ", ")));
    console.result(fmt::format(
        "weights, averaged gradient, moving average{}, for all towers: {:.1f} MiB",
        slotsText(config.optimizer.settings().kind), mebibytes(memory.parameterBytes)));
    print(console, "training", memory.training);
    print(console, "evaluation", memory.evaluation);
}

} // namespace lockstep::train
