// SPDX-License-Identifier: Apache-2.0
#include "network/network_spec.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

bool trains(const Objective& objective, const ParameterSpec& parameter)
{
    return objective.groups.empty()
           || std::ranges::find(objective.groups, parameter.group) != objective.groups.end();
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

std::int64_t outputCells(
    Padding padding, std::int64_t size, std::int64_t window, std::int64_t stride)
{
    return padding == Padding::Same ? (size + stride - 1) / stride : (size - window) / stride + 1;
}

/// Infers the shape that comes out of a layer.
class ShapeInference
{
public:
    ShapeInference(const std::string& name, const Shape& src) : m_name(name), m_src(src) {}

    Shape operator()(const Input& input) const { return input.shape; }
    Shape operator()(const Conv2d& conv) const
    {
        checkPositive(conv.channels, "channels");
        return windows(conv.kernel, conv.stride, conv.padding, conv.channels);
    }
    Shape operator()(const MaxPool& pool) const
    {
        return windows(pool.window, pool.stride, pool.padding, m_src.channels);
    }
    Shape operator()(const Lrn& lrn) const
    {
        checkPositive(lrn.depthRadius, "depth_radius");
        // Then what is raised to the power of -beta is never 0 or negative.
        if (!(lrn.bias > 0.0) || !(lrn.alpha >= 0.0)) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': bias is {} and alpha is {}, but bias must be greater than 0 and "
                "alpha not negative",
                m_name, lrn.bias, lrn.alpha);
        }
        return m_src;
    }
    Shape operator()(const Dense& dense) const
    {
        checkPositive(dense.units, "units");
        return {1, 1, dense.units};
    }

private:
    void checkPositive(std::int64_t value, const char* field) const
    {
        if (value <= 0) {
            fail(
                ErrorCode::BadInput, "layer '{}': {} is {}, but must be at least 1", m_name, field,
                value);
        }
    }

    [[nodiscard]] Shape windows(
        const Extent& window, const Extent& stride, Padding padding, std::int64_t channels) const
    {
        checkPositive(std::min(window.height, window.width), "window");
        checkPositive(std::min(stride.height, stride.width), "stride");
        if (padding == Padding::Valid
            && (window.height > m_src.height || window.width > m_src.width)) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': a window of {}x{} does not fit into its {} input; use padding = "
                "\"same\"",
                m_name, window.height, window.width, toString(m_src));
        }
        return {
            outputCells(padding, m_src.height, window.height, stride.height),
            outputCells(padding, m_src.width, window.width, stride.width), channels};
    }

    const std::string& m_name;
    const Shape& m_src;
};

} // namespace

PaddingCells paddingCells(
    Padding padding, std::int64_t size, std::int64_t window, std::int64_t stride)
{
    const std::int64_t cells = outputCells(padding, size, window, stride);
    const std::int64_t total = std::max<std::int64_t>(0, (cells - 1) * stride + window - size);
    if (padding == Padding::Valid) {
        return {0, 0};
    }
    return {total / 2, total - total / 2};
}

LayerId sourceOf(const Objective& objective)
{
    return std::visit([](const SoftmaxCrossEntropy& loss) { return loss.logits; }, objective.loss);
}

std::string kindName(const LayerSpec& spec)
{
    static constexpr std::array<const char*, std::variant_size_v<LayerSpec>> kNames{
        "input", "conv2d", "max_pool", "lrn", "dense"};
    return kNames.at(spec.index());
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
            return sum + parameter.elements();
        });
}

std::vector<bool> NetworkSpec::trainedParameters() const
{
    std::vector<bool> trained(parameters.size());
    for (const Objective& objective : objectives) {
        const auto below = layersBelow(*this, objective);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (below[static_cast<std::size_t>(parameters[i].layer)]
                && trains(objective, parameters[i])) {
                trained[i] = true;
            }
        }
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
        const auto below = layersBelow(*this, objective);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            result[i] = result[i] || (below[i] && above[i]);
        }
    }
    return result;
}

NetworkBuilder::NetworkBuilder(std::string name, const Shape& input, std::int64_t classes)
{
    if (input.height <= 0 || input.width <= 0 || input.channels <= 0) {
        fail(
            ErrorCode::BadInput, "model '{}': an input of {} holds nothing", name, toString(input));
    }
    m_spec.name = std::move(name);
    m_spec.classes = classes;
    m_spec.layers.push_back({"input", Input{input}, {}, input, {}});
}

LayerId NetworkBuilder::add(
    const std::string& name, const LayerSpec& spec, const std::vector<LayerId>& inputs)
{
    const auto id = static_cast<LayerId>(m_spec.layers.size());
    if (std::ranges::any_of(
            m_spec.layers, [&](const Layer& other) { return other.name == name; })) {
        fail(ErrorCode::BadInput, "layer '{}': the name is used twice", name);
    }
    if (std::holds_alternative<Input>(spec)) {
        fail(ErrorCode::BadInput, "layer '{}': a network has one input, its first layer", name);
    }
    const auto isUnknown = [&](LayerId input) { return input < 0 || input >= id; };
    if (inputs.size() != 1 || std::ranges::any_of(inputs, isUnknown)) {
        fail(
            ErrorCode::BadInput, "layer '{}': needs exactly one layer before it as its input",
            name);
    }
    const Shape src = m_spec.layers[static_cast<std::size_t>(inputs.front())].shape;
    m_spec.layers.push_back({name, spec, inputs, std::visit(ShapeInference(name, src), spec), {}});
    if (const auto* conv = std::get_if<Conv2d>(&spec)) {
        addParameters(
            name, conv->parameters,
            {conv->channels, src.channels, conv->kernel.height, conv->kernel.width});
    } else if (const auto* dense = std::get_if<Dense>(&spec)) {
        addParameters(name, dense->parameters, {dense->units, src.elements()});
    }
    return id;
}

void NetworkBuilder::addParameters(
    const std::string& layer, const ParameterSettings& settings,
    const std::vector<std::int64_t>& weights)
{
    const auto id = static_cast<LayerId>(m_spec.layers.size()) - 1;
    const auto first = static_cast<int>(m_spec.parameters.size());
    m_spec.parameters.push_back(
        {layer + ".weight", weights, settings.weights, settings.weightDecay, settings.group, id});
    m_spec.parameters.push_back(
        {layer + ".bias", {weights.front()}, settings.bias, 0.0, settings.group, id});
    m_spec.layers.back().parameters = {first, first + 1};
}

bool NetworkBuilder::exists(LayerId layer) const
{
    return layer >= 0 && layer < static_cast<LayerId>(m_spec.layers.size());
}

void NetworkBuilder::output(const std::string& name, LayerId layer)
{
    if (std::ranges::find(m_spec.outputs, name, &NamedOutput::name) != m_spec.outputs.end()) {
        fail(ErrorCode::BadInput, "output '{}': the name is used twice", name);
    }
    if (!exists(layer)) {
        fail(ErrorCode::BadInput, "output '{}': its layer does not exist", name);
    }
    m_spec.outputs.push_back({name, layer});
}

void NetworkBuilder::objective(Objective objective)
{
    if (std::ranges::find(m_spec.objectives, objective.name, &Objective::name)
        != m_spec.objectives.end()) {
        fail(ErrorCode::BadInput, "objective '{}': the name is used twice", objective.name);
    }
    const LayerId source = sourceOf(objective);
    if (!exists(source)) {
        fail(ErrorCode::BadInput, "objective '{}': its layer does not exist", objective.name);
    }
    const Layer& logits = m_spec.layers[static_cast<std::size_t>(source)];
    if (logits.shape.elements() != m_spec.classes) {
        fail(
            ErrorCode::BadInput, "objective '{}': layer '{}' gives {} values for {} classes",
            objective.name, logits.name, logits.shape.elements(), m_spec.classes);
    }
    if (!std::holds_alternative<Dense>(logits.spec)) {
        fail(
            ErrorCode::BadInput,
            "objective '{}': layer '{}' is a {}, but logits must come from a fully connected layer "
            "(dense)",
            objective.name, logits.name, kindName(logits.spec));
    }
    m_spec.objectives.push_back(std::move(objective));
}

NetworkSpec NetworkBuilder::build() const
{
    if (m_spec.objectives.empty()) {
        fail(ErrorCode::BadInput, "model '{}': has no objective to train", m_spec.name);
    }
    const auto trained = m_spec.trainedParameters();
    if (std::ranges::find(trained, true) == trained.end()) {
        fail(ErrorCode::BadInput, "model '{}': its objectives train no parameter", m_spec.name);
    }
    return m_spec;
}

} // namespace lockstep
