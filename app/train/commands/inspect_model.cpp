// SPDX-License-Identifier: Apache-2.0
#include "commands/inspect.h"
#include "engine/network.h"
#include "format/units.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

Json tensorsOf(const NetworkSpec& network)
{
    Json tensors = Json::array();
    for (const ParameterSpec& parameter : network.parameters) {
        tensors.push_back(
            {{"name", parameter.name},
             {"shape", parameter.shape},
             {"elements", parameter.elements()},
             {"weight_decay", parameter.weightDecay},
             {"group", parameter.group},
             {"is_statistic", parameter.isStatistic()}});
    }
    return tensors;
}

std::vector<std::string> inputNames(const NetworkSpec& network, const Layer& layer)
{
    std::vector<std::string> names;
    for (const LayerId input : layer.inputs) {
        names.push_back(network.layers[static_cast<std::size_t>(input)].name);
    }
    return names;
}

Json objectivesOf(const NetworkSpec& network)
{
    Json objectives = Json::array();
    for (const Objective& objective : network.objectives) {
        const auto source = static_cast<std::size_t>(sourceOf(objective));
        objectives.push_back(
            {{"name", objective.name},
             {"logits", network.layers[source].name},
             {"weight", objective.weight},
             {"parameters", network.parameterElementsBelow(objective)},
             {"groups", objective.groups}});
    }
    return objectives;
}

/// Tensors that are parameters of the model, and no statistics.
std::size_t tensorCount(const NetworkSpec& network)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        network.parameters, [](const auto& parameter) { return !parameter.isStatistic(); }));
}

/// Values that follow the data.
std::int64_t statisticElements(const NetworkSpec& network)
{
    std::int64_t sum = 0;
    for (const ParameterSpec& parameter : network.parameters) {
        sum += parameter.isStatistic() ? parameter.elements() : 0;
    }
    return sum;
}

Json layersOf(const NetworkSpec& network)
{
    Json layers = Json::array();
    const auto costs = layerCosts(network);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const Layer& layer = network.layers[i];
        layers.push_back(
            {{"name", layer.name},
             {"type", kindName(layer.spec)},
             {"inputs", inputNames(network, layer)},
             {"shape", {layer.shape.height, layer.shape.width, layer.shape.channels}},
             {"parameters", costs[i].parameterElements},
             {"flop_forward", costs[i].fpropFlop},
             {"flop_backward", costs[i].dgradFlop + costs[i].wgradFlop},
             {"activation_bytes", costs[i].activationBytes}});
    }
    return layers;
}

Json toJson(const NetworkSpec& network)
{
    const LayerCost total = totalCost(network);
    return {
        {"model", network.name},
        {"parameters", network.parameterElements()},
        {"statistics", statisticElements(network)},
        {"tensors", tensorCount(network)},
        {"classes", network.classes},
        {"flop_forward", total.fpropFlop},
        {"flop_backward", total.dgradFlop + total.wgradFlop},
        {"activation_bytes", total.activationBytes},
        {"parameter_bytes", total.parameterBytes},
        {"objectives", objectivesOf(network)},
        {"layers", layersOf(network)},
        {"parameter_tensors", tensorsOf(network)}};
}

/// A row of the table of the layers, whose names are up to `width` letters long.
std::string layerRow(
    std::size_t width, const std::string& name, const std::string& type, const std::string& shape,
    const LayerCost& cost)
{
    return fmt::format(
        "{:<{}} {:<13} {:>13} {:>11} {:>14.3f} {:>15.3f} {:>11}", name, width, type, shape,
        cost.parameterElements, static_cast<double>(cost.fpropFlop) / kMega,
        static_cast<double>(cost.dgradFlop + cost.wgradFlop) / kMega, cost.activationBytes);
}

void print(Console& console, const NetworkSpec& network)
{
    console.result(fmt::format(
        "model {}: {} parameters in {} tensors, {} values of statistics, {} classes", network.name,
        network.parameterElements(), tensorCount(network), statisticElements(network),
        network.classes));
    std::size_t width = 20;
    for (const Layer& layer : network.layers) {
        width = std::max(width, layer.name.size());
    }
    console.result(fmt::format(
        "{:<{}} {:<13} {:>13} {:>11} {:>14} {:>15} {:>11}", "layer", width, "type", "shape",
        "parameters", "MFLOP forward", "MFLOP backward", "bytes"));
    const auto costs = layerCosts(network);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const Layer& layer = network.layers[i];
        console.result(
            layerRow(width, layer.name, kindName(layer.spec), toString(layer.shape), costs[i]));
    }
    console.result(layerRow(width, "total", "", "", totalCost(network)));
    console.result(
        "For one example, float32; a multiply-add is 2 FLOP, element-wise work not counted.");
    for (const Objective& objective : network.objectives) {
        const auto source = static_cast<std::size_t>(sourceOf(objective));
        const std::string groups = fmt::format("{}", fmt::join(objective.groups, ", "));
        console.result(fmt::format(
            "objective {}: reads {}, {} parameters below it, {}", objective.name,
            network.layers[source].name, network.parameterElementsBelow(objective),
            !objective.isActive() ? "is only reported"
            : groups.empty()      ? "trains all groups"
                                  : "trains " + groups));
    }
    for (const ParameterSpec& parameter : network.parameters) {
        const std::string decay = parameter.weightDecay > 0.0
                                      ? fmt::format(", weight decay {}", parameter.weightDecay)
                                      : "";
        console.result(fmt::format(
            "{:<24} [{}]{}{}", parameter.name, fmt::join(parameter.shape, ", "), decay,
            parameter.isStatistic() ? ", a statistic" : ""));
    }
}

} // namespace

void inspectModel(Console& console, const NetworkSpec& network, bool isJson)
{
    if (isJson) {
        console.result(lineOf(toJson(network)));
    } else {
        print(console, network);
    }
}

} // namespace lockstep::train
