// SPDX-License-Identifier: Apache-2.0
#include "session/exchange/onnx_graph.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

/// Behind a layer's name in that of its value, which an output may be called like.
constexpr const char* kValue = ":0";

void setInts(onnx::NodeProto& node, const char* name, const std::vector<std::int64_t>& values)
{
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    attribute.mutable_ints()->Assign(values.begin(), values.end());
}

void setInt(onnx::NodeProto& node, const char* name, std::int64_t value)
{
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
}

void setFloat(onnx::NodeProto& node, const char* name, double value)
{
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(static_cast<float>(value));
}

} // namespace

OnnxGraph::OnnxGraph(
    const NetworkSpec& network, std::span<const NamedTensor> weights, onnx::GraphProto& graph)
    : m_network(network), m_graph(graph)
{
    for (const NamedTensor& tensor : weights) {
        m_weights.emplace(tensor.name, &tensor);
    }
}

void OnnxGraph::addLayer(const Layer& layer)
{
    m_layer = &layer;
    m_values.push_back(layer.name + kValue);
    std::visit([this](const auto& spec) { (*this)(spec); }, layer.spec);
}

void OnnxGraph::addOutput(const NamedOutput& output)
{
    const auto number = static_cast<std::size_t>(output.layer);
    const Layer& layer = m_network.layers[number];
    const Shape& shape = layer.shape;
    onnx::ValueInfoProto& value = *m_graph.add_output();
    value.set_name(output.name);
    auto& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape()->add_dim()->set_dim_param("batch");
    type.mutable_shape()->add_dim()->set_dim_value(shape.channels);
    if (std::holds_alternative<Dense>(layer.spec)) {
        setInt(node("Flatten", {m_values[number]}, output.name), "axis", 1);
        return;
    }
    type.mutable_shape()->add_dim()->set_dim_value(shape.height);
    type.mutable_shape()->add_dim()->set_dim_value(shape.width);
    node("Identity", {m_values[number]}, output.name);
}

void OnnxGraph::operator()(const Input& input)
{
    m_values.back() = "image";
    onnx::ValueInfoProto& value = *m_graph.add_input();
    value.set_name("image");
    auto& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape()->add_dim()->set_dim_param("batch");
    for (const std::int64_t size : {input.shape.channels, input.shape.height, input.shape.width}) {
        type.mutable_shape()->add_dim()->set_dim_value(size);
    }
}

void OnnxGraph::operator()(const Conv2d& conv)
{
    Names inputs{src(), parameter(ParameterRole::Weights)};
    if (conv.hasBias) {
        inputs.push_back(parameter(ParameterRole::Bias));
    }
    auto& made = windows("Conv", inputs, before(conv.activation), conv.kernel, conv.stride);
    pads(made, conv.padding, conv.kernel, conv.stride, shapeOf(m_layer->inputs.front()));
    setInt(made, "group", conv.groups);
    activate(conv.activation);
}

/// ONNX gives the padding that is cut off, and what is added at the end where that is negative.
void OnnxGraph::operator()(const ConvTranspose2d& conv)
{
    Names inputs{src(), parameter(ParameterRole::Weights)};
    if (conv.hasBias) {
        inputs.push_back(parameter(ParameterRole::Bias));
    }
    auto& made = windows("ConvTranspose", inputs, dst(), conv.kernel, conv.stride);
    const Shape& from = shapeOf(m_layer->inputs.front());
    const Shape& to = m_layer->shape;
    const auto cut = [&](std::int64_t src, std::int64_t dst, std::int64_t kernel,
                         std::int64_t stride) {
        const std::int64_t first = paddingCells(conv.padding, dst, kernel, stride).before;
        const std::int64_t last = (src - 1) * stride + kernel - dst - first;
        return std::array{first, std::max<std::int64_t>(last, 0), std::max<std::int64_t>(-last, 0)};
    };
    const auto rows = cut(from.height, to.height, conv.kernel.height, conv.stride.height);
    const auto columns = cut(from.width, to.width, conv.kernel.width, conv.stride.width);
    setInts(made, "pads", {rows[0], columns[0], rows[1], columns[1]});
    setInts(made, "output_padding", {rows[2], columns[2]});
}

void OnnxGraph::operator()(const MaxPool& pool)
{
    auto& made = windows("MaxPool", {src()}, dst(), pool.window, pool.stride);
    pads(made, pool.padding, pool.window, pool.stride, shapeOf(m_layer->inputs.front()));
}

void OnnxGraph::operator()(const AveragePool& pool)
{
    auto& made = windows("AveragePool", {src()}, dst(), pool.window, pool.stride);
    pads(made, pool.padding, pool.window, pool.stride, shapeOf(m_layer->inputs.front()));
    setInt(made, "count_include_pad", pool.countsPadding ? 1 : 0);
}

/// ONNX divides alpha by the number of channels that are summed.
void OnnxGraph::operator()(const Lrn& lrn)
{
    auto& made = node("LRN", {src()}, dst());
    const std::int64_t size = 2 * lrn.depthRadius + 1;
    setInt(made, "size", size);
    setFloat(made, "alpha", lrn.alpha * static_cast<double>(size));
    setFloat(made, "beta", lrn.beta);
    setFloat(made, "bias", lrn.bias);
}

void OnnxGraph::operator()(const Dense& dense)
{
    const std::string flat = m_layer->name + ":flat";
    const std::string sums = m_layer->name + ":sums";
    setInt(node("Flatten", {src()}, flat), "axis", 1);
    setInt(
        node(
            "Gemm", {flat, parameter(ParameterRole::Weights), parameter(ParameterRole::Bias)},
            sums),
        "transB", 1);
    node(
        "Reshape", {sums, numbers(m_layer->name + ":shape", {0, dense.units, 1, 1})},
        before(dense.activation));
    activate(dense.activation);
}

void OnnxGraph::operator()(const Normalization& norm)
{
    const std::string gamma =
        norm.hasScale ? parameter(ParameterRole::Weights) : same(m_layer->name + ":gamma", 1.0F);
    Names inputs{src(), gamma, parameter(ParameterRole::Bias)};
    const bool isPerImage = norm.mode == NormalizationMode::PerImage;
    if (!isPerImage) {
        inputs.push_back(parameter(ParameterRole::MovingMean));
        inputs.push_back(parameter(ParameterRole::MovingVariance));
    }
    setFloat(
        node(
            isPerImage ? "InstanceNormalization" : "BatchNormalization", inputs,
            before(norm.activation)),
        "epsilon", norm.epsilon);
    activate(norm.activation);
}

/// ONNX normalises over the last axes.
void OnnxGraph::operator()(const LayerNorm& norm)
{
    const std::string last = m_layer->name + ":last";
    const std::string normalized = m_layer->name + ":normalized";
    setInts(node("Transpose", {src()}, last), "perm", {0, 2, 3, 1});
    auto& made = node(
        "LayerNormalization",
        {last, parameter(ParameterRole::Weights), parameter(ParameterRole::Bias)}, normalized);
    setInt(made, "axis", -1);
    setFloat(made, "epsilon", norm.epsilon);
    setInts(node("Transpose", {normalized}, dst()), "perm", {0, 3, 1, 2});
}

void OnnxGraph::operator()(const GlobalPool& pool)
{
    const bool isMax = pool.reduction == Reduction::Max;
    node(isMax ? "GlobalMaxPool" : "GlobalAveragePool", {src()}, dst());
}

void OnnxGraph::operator()(const Concat& /*concat*/)
{
    Names inputs;
    for (std::size_t i = 0; i < m_layer->inputs.size(); ++i) {
        inputs.push_back(src(i));
    }
    setInt(node("Concat", inputs, dst()), "axis", 1);
}

void OnnxGraph::operator()(const Add& add)
{
    Names inputs;
    for (std::size_t i = 0; i < m_layer->inputs.size(); ++i) {
        const std::int64_t lacking = m_layer->shape.channels - shapeOf(m_layer->inputs[i]).channels;
        inputs.push_back(src(i));
        if (lacking > 0) {
            const std::string padded = m_layer->name + ":padded" + std::to_string(i);
            node("Pad", {src(i), numbers(padded + ":by", {0, 0, 0, 0, 0, lacking, 0, 0})}, padded);
            inputs.back() = padded;
        }
    }
    node("Sum", inputs, before(add.activation));
    activate(add.activation);
}

void OnnxGraph::operator()(const Scale& /*scale*/)
{
    node("Mul", {src(0), src(1)}, dst());
}

/// Evaluation keeps everything.
void OnnxGraph::operator()(const Dropout& /*dropout*/)
{
    m_values.back() = src();
}

void OnnxGraph::operator()(const Elementwise& elementwise)
{
    const std::string& name = m_layer->name;
    const std::string half = name + ":gate";
    switch (elementwise.activation) {
    case Activation::None:
        m_values.back() = src();
        break;
    case Activation::Relu:
        node("Relu", {src()}, dst());
        break;
    case Activation::Sigmoid:
        node("Sigmoid", {src()}, dst());
        break;
    case Activation::Silu:
        node("Sigmoid", {src()}, half);
        node("Mul", {src(), half}, dst());
        break;
    case Activation::HardSwish:
        node("HardSwish", {src()}, dst());
        break;
    case Activation::HardSigmoid:
        setFloat(node("HardSigmoid", {src()}, dst()), "alpha", 1.0 / 6.0);
        break;
    case Activation::Gelu: {
        // x * (1 + erf(x / sqrt 2)) / 2
        const auto number = [&](const char* what, double value) {
            const auto rounded = static_cast<float>(value);
            return constant(name + what, {}, std::span(&rounded, 1));
        };
        node("Mul", {src(), number(":root", std::numbers::sqrt2 / 2.0)}, name + ":scaled");
        node("Erf", {name + ":scaled"}, name + ":erf");
        node("Add", {name + ":erf", number(":one", 1.0)}, name + ":sum");
        node("Mul", {name + ":sum", number(":half", 0.5)}, half);
        node("Mul", {src(), half}, dst());
        break;
    }
    }
}

onnx::NodeProto& OnnxGraph::node(const char* type, const Names& inputs, const std::string& output)
{
    onnx::NodeProto& made = *m_graph.add_node();
    made.set_op_type(type);
    made.set_name(output);
    for (const std::string& input : inputs) {
        made.add_input(input);
    }
    made.add_output(output);
    return made;
}

onnx::NodeProto& OnnxGraph::windows(
    const char* type, const Names& inputs, const std::string& output, const Extent& window,
    const Extent& stride)
{
    onnx::NodeProto& made = node(type, inputs, output);
    setInts(made, "kernel_shape", {window.height, window.width});
    setInts(made, "strides", {stride.height, stride.width});
    return made;
}

void OnnxGraph::pads(
    onnx::NodeProto& node, Padding padding, const Extent& window, const Extent& stride,
    const Shape& src)
{
    const auto rows = paddingCells(padding, src.height, window.height, stride.height);
    const auto columns = paddingCells(padding, src.width, window.width, stride.width);
    setInts(node, "pads", {rows.before, columns.before, rows.after, columns.after});
}

std::string OnnxGraph::constant(
    const std::string& name, const Numbers& shape, std::span<const float> values)
{
    onnx::TensorProto& tensor = *m_graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.mutable_dims()->Assign(shape.begin(), shape.end());
    tensor.mutable_raw_data()->assign(
        reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return name;
}

std::string OnnxGraph::numbers(const std::string& name, const Numbers& values)
{
    onnx::TensorProto& tensor = *m_graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(static_cast<std::int64_t>(values.size()));
    tensor.mutable_int64_data()->Assign(values.begin(), values.end());
    return name;
}

std::string OnnxGraph::parameter(ParameterRole role)
{
    const auto number = m_network.parameterOf(*m_layer, role);
    require(number.has_value(), "a layer lacks a parameter");
    const ParameterSpec& spec = m_network.parameters[static_cast<std::size_t>(*number)];
    const auto found = m_weights.find(spec.name);
    if (found == m_weights.end() || found->second->shape != spec.shape) {
        fail(
            ErrorCode::BadInput, "the checkpoint has no fitting weights '{}' of model '{}'",
            spec.name, m_network.name);
    }
    return constant(spec.name, spec.shape, found->second->values);
}

std::string OnnxGraph::same(const std::string& name, float value)
{
    const std::int64_t channels = m_layer->shape.channels;
    return constant(
        name, {channels}, std::vector<float>(static_cast<std::size_t>(channels), value));
}

std::string OnnxGraph::before(Activation activation) const
{
    return activation == Activation::Relu ? m_layer->name + ":sum" : dst();
}

void OnnxGraph::activate(Activation activation)
{
    if (activation == Activation::Relu) {
        node("Relu", {before(activation)}, dst());
    }
}

const Shape& OnnxGraph::shapeOf(LayerId layer) const
{
    return m_network.layers[static_cast<std::size_t>(layer)].shape;
}

const std::string& OnnxGraph::dst() const
{
    return m_values.back();
}

const std::string& OnnxGraph::src(std::size_t i) const
{
    return m_values[static_cast<std::size_t>(m_layer->inputs[i])];
}

} // namespace lockstep
