// SPDX-License-Identifier: Apache-2.0
#include "network/network_spec.h"

#include "base/error.h"
#include "network/shape_inference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

void checkLogits(
    const NetworkSpec& network, const std::string& objective, const SoftmaxCrossEntropy& loss)
{
    const Layer& logits = network.layers[static_cast<std::size_t>(loss.logits)];
    if (logits.shape.elements() != network.classes) {
        fail(
            ErrorCode::BadInput, "objective '{}': layer '{}' gives {} values for {} classes",
            objective, logits.name, logits.shape.elements(), network.classes);
    }
    if (!std::holds_alternative<Dense>(logits.spec)) {
        fail(
            ErrorCode::BadInput,
            "objective '{}': layer '{}' is a {}, but logits must come from a fully connected layer "
            "(dense)",
            objective, logits.name, kindName(logits.spec));
    }
    if (!(loss.labelSmoothing >= 0.0 && loss.labelSmoothing < 1.0)) {
        fail(
            ErrorCode::BadInput,
            "objective '{}': label_smoothing is {}, but must be at least 0 and less than 1",
            objective, loss.labelSmoothing);
    }
    const auto weights = static_cast<std::int64_t>(loss.classWeights.size());
    const bool isAny =
        std::ranges::any_of(loss.classWeights, [](float weight) { return weight > 0.0F; });
    const bool isNegative = std::ranges::any_of(
        loss.classWeights, [](float weight) { return !(weight >= 0.0F) || std::isinf(weight); });
    if (weights != 0 && (weights != network.classes || isNegative || !isAny)) {
        fail(
            ErrorCode::BadInput,
            "objective '{}': class_weights needs {} numbers, one a class, of 0 or more and not all "
            "0; it has {}",
            objective, network.classes, weights);
    }
}

void checkLogits(
    const NetworkSpec& network, const std::string& objective, const SigmoidCrossEntropy& loss)
{
    if (!network.maskShape) {
        fail(
            ErrorCode::BadInput,
            "objective '{}': its target is a mask, but the model does not say of which size",
            objective);
    }
    const Layer& logits = network.layers[static_cast<std::size_t>(loss.logits)];
    const bool isMask = loss.target == SigmoidCrossEntropy::Target::Mask;
    const Shape expected = isMask ? *network.maskShape : Shape{1, 1, 1};
    if (logits.shape != expected) {
        fail(
            ErrorCode::BadInput, "objective '{}': layer '{}' gives {}, but the target is {}",
            objective, logits.name, toString(logits.shape), toString(expected));
    }
}

/// Weights [out, in, ...]: every output reads `in` values at each place of the kernel.
void fillInFans(const std::vector<std::int64_t>& shape, Initializer& initializer)
{
    if (shape.size() < 2) {
        return;
    }
    const std::int64_t places =
        std::accumulate(shape.begin() + 2, shape.end(), std::int64_t{1}, std::multiplies<>());
    if (auto* const xavier = std::get_if<XavierUniform>(&initializer)) {
        *xavier = {places * shape[1], places * shape[0]};
    } else if (auto* const he = std::get_if<HeNormal>(&initializer)) {
        *he = {places * shape[0]};
    }
}

/// How many inputs a layer takes: one, two or any number.
bool takes(const LayerSpec& spec, std::size_t inputs)
{
    if (std::holds_alternative<Concat>(spec) || std::holds_alternative<Add>(spec)) {
        return inputs > 0;
    }
    return inputs == (std::holds_alternative<Scale>(spec) ? 2 : 1);
}

} // namespace

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
    const bool isAll = std::ranges::all_of(inputs, [this](LayerId input) { return exists(input); });
    if (!isAll || !takes(spec, inputs.size())) {
        const char* needed = takes(spec, 3)   ? "at least one layer, and only layers"
                             : takes(spec, 2) ? "two layers"
                                              : "exactly one layer";
        fail(ErrorCode::BadInput, "layer '{}': needs {} before it as its input", name, needed);
    }
    std::vector<Shape> shapes;
    shapes.reserve(inputs.size());
    for (const LayerId input : inputs) {
        shapes.push_back(m_spec.layers[static_cast<std::size_t>(input)].shape);
    }
    m_spec.layers.push_back({name, spec, inputs, inferShape(name, spec, shapes), {}});
    addParameters(shapes.front());
    return id;
}

void NetworkBuilder::addParameters(const Shape& src)
{
    const LayerSpec spec = m_spec.layers.back().spec;
    if (const auto* conv = std::get_if<Conv2d>(&spec)) {
        addParameter(
            ParameterRole::Weights,
            {conv->channels, src.channels / conv->groups, conv->kernel.height, conv->kernel.width},
            conv->parameters);
        if (conv->hasBias) {
            addParameter(ParameterRole::Bias, {conv->channels}, conv->parameters);
        }
    } else if (const auto* transposed = std::get_if<ConvTranspose2d>(&spec)) {
        const Extent& kernel = transposed->kernel;
        addParameter(
            ParameterRole::Weights,
            {src.channels, transposed->channels, kernel.height, kernel.width},
            transposed->parameters);
        if (transposed->hasBias) {
            addParameter(ParameterRole::Bias, {transposed->channels}, transposed->parameters);
        }
    } else if (const auto* dense = std::get_if<Dense>(&spec)) {
        addParameter(ParameterRole::Weights, {dense->units, src.elements()}, dense->parameters);
        addParameter(ParameterRole::Bias, {dense->units}, dense->parameters);
    } else if (const auto* normalization = std::get_if<Normalization>(&spec)) {
        const ParameterSettings& settings = normalization->parameters;
        if (normalization->hasScale) {
            addParameter(ParameterRole::Weights, {src.channels}, settings);
        }
        addParameter(ParameterRole::Bias, {src.channels}, settings);
        addParameter(ParameterRole::MovingMean, {src.channels}, settings);
        addParameter(ParameterRole::MovingVariance, {src.channels}, settings);
    } else if (const auto* layerNorm = std::get_if<LayerNorm>(&spec)) {
        addParameter(ParameterRole::Weights, {src.channels}, layerNorm->parameters);
        addParameter(ParameterRole::Bias, {src.channels}, layerNorm->parameters);
    }
}

void NetworkBuilder::addParameter(
    ParameterRole role, const std::vector<std::int64_t>& shape, const ParameterSettings& settings)
{
    struct Kind
    {
        const char* suffix;
        Initializer initializer;
    };
    const std::array<Kind, 4> kinds{
        {{".weight", settings.weights},
         {".bias", settings.bias},
         {".moving_mean", Constant{0.0}},
         {".moving_variance", Constant{1.0}}}};
    const Kind& kind = kinds.at(static_cast<std::size_t>(role));
    Layer& layer = m_spec.layers.back();
    ParameterSpec parameter;
    parameter.name = layer.name + kind.suffix;
    parameter.shape = shape;
    parameter.initializer = kind.initializer;
    fillInFans(shape, parameter.initializer);
    parameter.weightDecay = role == ParameterRole::Weights ? settings.weightDecay : 0.0;
    parameter.group = settings.group;
    parameter.layer = static_cast<LayerId>(m_spec.layers.size()) - 1;
    parameter.role = role;
    if (parameter.isStatistic()) {
        parameter.decay = std::get<Normalization>(layer.spec).decay;
    }
    layer.parameters.push_back(static_cast<int>(m_spec.parameters.size()));
    m_spec.parameters.push_back(std::move(parameter));
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

void NetworkBuilder::mask(std::int64_t height, std::int64_t width)
{
    if (height <= 0 || width <= 0) {
        fail(
            ErrorCode::BadInput, "model '{}': a mask of {}x{} holds nothing", m_spec.name, height,
            width);
    }
    m_spec.maskShape = Shape{height, width, 1};
}

void NetworkBuilder::objective(Objective objective)
{
    if (std::ranges::find(m_spec.objectives, objective.name, &Objective::name)
        != m_spec.objectives.end()) {
        fail(ErrorCode::BadInput, "objective '{}': the name is used twice", objective.name);
    }
    if (!exists(sourceOf(objective))) {
        fail(ErrorCode::BadInput, "objective '{}': its layer does not exist", objective.name);
    }
    std::visit(
        [&](const auto& loss) { checkLogits(m_spec, objective.name, loss); }, objective.loss);
    objective.isReportedOnly = !objective.isActive();
    m_spec.objectives.push_back(std::move(objective));
}

const Shape& NetworkBuilder::shapeOf(LayerId layer) const
{
    return m_spec.layers.at(static_cast<std::size_t>(layer)).shape;
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
