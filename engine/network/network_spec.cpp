// SPDX-License-Identifier: Apache-2.0
#include "network/network_spec.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace lockstep {
namespace {

bool trains(const Objective& objective, const std::string& group)
{
    return objective.groups.empty()
           || std::ranges::find(objective.groups, group) != objective.groups.end();
}

/// For every layer: does the objective depend on it?
std::vector<bool> layersBelow(const NetworkSpec& network, const Objective& objective)
{
    std::vector<bool> below(network.layers.size());
    below[static_cast<std::size_t>(sourceOf(objective))] = true;
    for (std::size_t i = network.layers.size(); i-- > 0;) {
        if (below[i]) {
            for (const LayerId input : network.layers[i].inputs) {
                below[static_cast<std::size_t>(input)] = true;
            }
        }
    }
    return below;
}

/// A statistic that steps never move: its layer takes it as a constant.
bool isConstant(const NetworkSpec& network, const ParameterSpec& parameter)
{
    const Layer& layer = network.layers[static_cast<std::size_t>(parameter.layer)];
    const auto* normalization = std::get_if<Normalization>(&layer.spec);
    return parameter.isStatistic() && normalization != nullptr
           && normalization->mode == NormalizationMode::Moving;
}

} // namespace

LayerId sourceOf(const Objective& objective)
{
    return std::visit([](const auto& loss) { return loss.logits; }, objective.loss);
}

std::string kindName(const LayerSpec& spec)
{
    static constexpr std::array<const char*, std::variant_size_v<LayerSpec>> kNames{
        "input", "conv2d",        "conv_transpose2d", "max_pool",    "average_pool", "lrn",
        "dense", "normalization", "layer_norm",       "global_pool", "concat",       "add",
        "scale", "dropout",       "elementwise"};
    return kNames.at(spec.index());
}

std::string toString(Activation activation)
{
    static constexpr std::array<const char*, 7> kNames{"none", "relu",       "sigmoid",     "silu",
                                                       "gelu", "hard_swish", "hard_sigmoid"};
    return kNames.at(static_cast<std::size_t>(activation));
}

std::int64_t ParameterSpec::elements() const
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t NetworkSpec::parameterElements() const
{
    return std::accumulate(
        parameters.begin(), parameters.end(), std::int64_t{0},
        [](std::int64_t sum, const ParameterSpec& parameter) {
            return parameter.isStatistic() ? sum : sum + parameter.elements();
        });
}

std::int64_t NetworkSpec::parameterElementsBelow(const Objective& objective) const
{
    const auto below = layersBelow(*this, objective);
    std::int64_t sum = 0;
    for (const ParameterSpec& parameter : parameters) {
        const bool counts =
            below[static_cast<std::size_t>(parameter.layer)] && !parameter.isStatistic();
        sum += counts ? parameter.elements() : 0;
    }
    return sum;
}

std::optional<int> NetworkSpec::parameterOf(const Layer& layer, ParameterRole role) const
{
    const auto found = std::ranges::find_if(layer.parameters, [&](int number) {
        return parameters[static_cast<std::size_t>(number)].role == role;
    });
    return found == layer.parameters.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> NetworkSpec::groups() const
{
    std::vector<std::string> names;
    for (const ParameterSpec& parameter : parameters) {
        if (std::ranges::find(names, parameter.group) == names.end()) {
            names.push_back(parameter.group);
        }
    }
    return names;
}

std::vector<bool> NetworkSpec::updatedParameters() const
{
    std::vector<bool> updated(parameters.size());
    for (const Objective& objective : objectives) {
        if (!objective.isActive()) {
            continue;
        }
        const auto below = layersBelow(*this, objective);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (below[static_cast<std::size_t>(parameters[i].layer)]
                && trains(objective, parameters[i].group) && !isConstant(*this, parameters[i])) {
                updated[i] = true;
            }
        }
    }
    return updated;
}

std::vector<bool> NetworkSpec::trainedParameters() const
{
    auto trained = updatedParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        trained[i] = trained[i] && !parameters[i].isStatistic();
    }
    return trained;
}

std::vector<bool> NetworkSpec::layersWithGradient() const
{
    const auto trained = trainedParameters();
    std::vector<bool> above(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto hasTrained = [&](int parameter) {
            return trained[static_cast<std::size_t>(parameter)];
        };
        const auto isAbove = [&](LayerId input) { return above[static_cast<std::size_t>(input)]; };
        above[i] = std::ranges::any_of(layers[i].parameters, hasTrained)
                   || std::ranges::any_of(layers[i].inputs, isAbove);
    }
    std::vector<bool> result(layers.size());
    for (const Objective& objective : objectives) {
        if (!objective.isActive()) {
            continue;
        }
        const auto below = layersBelow(*this, objective);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            result[i] = result[i] || (below[i] && above[i]);
        }
    }
    return result;
}

} // namespace lockstep
