// SPDX-License-Identifier: Apache-2.0
#include "cuda/op_trial.h"

#include "device/cuda/ops/ops.h"
#include "network/network_spec.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

namespace lockstep::test {
namespace {

constexpr std::int64_t kWeightsOffset = 64;

Shape dstShapeOf(const LayerSpec& layer, const Shape& src)
{
    NetworkBuilder builder("one", src, 4);
    const LayerId id = builder.add("layer", layer, {0});
    const LayerId logits = builder.add("logits", fullyConnected(4), {id});
    builder.objective({"loss", 1.0, SoftmaxCrossEntropy{logits}, {}});
    return builder.build().layers[static_cast<std::size_t>(id)].shape;
}

float roundedTo(cuda::DataType type, float value)
{
    return type == cuda::DataType::Float32 ? value : toFloat(cuda::toBfloat16(value));
}

void put(cuda::DataType type, std::byte* memory, const std::vector<float>& values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (type == cuda::DataType::Float32) {
            std::memcpy(memory + i * sizeof(float), &values[i], sizeof(float));
        } else {
            const cuda::Bfloat16 half = cuda::toBfloat16(values[i]);
            std::memcpy(memory + i * sizeof(half), &half, sizeof(half));
        }
    }
}

bool hasRelu(const LayerSpec& layer)
{
    if (const auto* conv = std::get_if<Conv2d>(&layer)) {
        return conv->activation == Activation::Relu;
    }
    return std::get<Dense>(layer).activation == Activation::Relu;
}

} // namespace

OpTrial::OpTrial(OpTrialSettings settings) : m_settings(std::move(settings))
{
    planOp();
    Random random(7);
    fillSrc(random);
    fillParameters(random);
    fillDiffDst(random);
    m_op->bind(
        {{m_src->bytes()},
         {m_diffSrc->bytes()},
         m_dst->bytes(),
         m_diffDst->bytes(),
         m_workspace->bytes(),
         m_scratchpad->bytes()});
    m_step.weights = {m_arena->data(), m_operands->bytes()};
    m_step.gradients = m_gradients->data();
    m_step.stream = &m_stream;
}

bool OpTrial::isConvolution() const
{
    return std::holds_alternative<Conv2d>(m_settings.layer);
}

bool OpTrial::hasBias() const
{
    return !isConvolution() || std::get<Conv2d>(m_settings.layer).hasBias;
}

bool OpTrial::dstIsFloat32() const
{
    return cuda::layoutOf(m_plan.dst).type == cuda::DataType::Float32;
}

void OpTrial::planOp()
{
    const cuda::DataType type = m_settings.srcIsFloat32
                                    ? cuda::DataType::Float32
                                    : cuda::activationType(m_settings.precision);
    m_srcChannels = m_settings.srcIsInput
                        ? cuda::paddedChannels(m_settings.src.channels, m_settings.precision)
                        : m_settings.src.channels;
    m_plan.srcs = {cuda::tensorPlan(
        m_settings.examples, m_settings.src, cuda::CudaLayout{type, m_srcChannels})};
    m_plan.examples = m_settings.examples;
    m_plan.isTraining = m_settings.isTraining;
    m_plan.needsDiffSrcs = {m_settings.isTraining && !m_settings.srcIsInput};
    m_plan.trainsParameters = m_settings.trainsParameters;
    m_plan.precision = m_settings.precision;
    m_plan.algorithm = m_settings.algorithm;
    m_plan.dstShape = dstShapeOf(m_settings.layer, m_settings.src);
    m_units = static_cast<std::size_t>(m_plan.dstShape.channels);
    std::int64_t perUnit = m_settings.src.height * m_settings.src.width * m_srcChannels;
    if (isConvolution()) {
        const auto& conv = std::get<Conv2d>(m_settings.layer);
        perUnit = conv.kernel.height * conv.kernel.width * m_srcChannels;
        m_op = cuda::makeOp(conv, m_context);
    } else {
        m_op = cuda::makeOp(std::get<Dense>(m_settings.layer), m_context);
    }
    m_weights = m_units * static_cast<std::size_t>(perUnit);
    m_plan.parameterOffsets = {kWeightsOffset};
    if (hasBias()) {
        m_plan.parameterOffsets.push_back(
            kWeightsOffset + (static_cast<std::int64_t>(m_weights) + 63) / 64 * 64);
    }
    m_op->plan(m_plan);
    m_src = std::make_unique<Bytes>(m_plan.src().bytes);
    m_diffSrc = std::make_unique<Bytes>(m_plan.src().bytes);
    m_dst = std::make_unique<Bytes>(m_plan.dst.bytes);
    m_diffDst = std::make_unique<Bytes>(m_plan.dst.bytes);
    m_workspace = std::make_unique<Bytes>(m_plan.workspaceBytes);
    m_scratchpad = std::make_unique<Bytes>(m_plan.scratchpadBytes);
}

void OpTrial::fillSrc(Random& random)
{
    const cuda::DataType type = cuda::layoutOf(m_plan.src()).type;
    const cuda::DataType operand = cuda::activationType(m_settings.precision);
    m_srcValues = random.floats(m_plan.src().bytes / cuda::bytesOf(type), -1.0, 1.0);
    for (std::size_t i = 0; i < m_srcValues.size(); ++i) {
        const auto channel = static_cast<std::int64_t>(i) % m_srcChannels;
        m_srcValues[i] = channel < m_settings.src.channels ? m_srcValues[i] : 0.0F;
    }
    put(type, m_src->bytes(), m_srcValues);
    for (float& value : m_srcValues) {
        value = roundedTo(operand, value);
    }
}

void OpTrial::fillParameters(Random& random)
{
    const auto count = static_cast<std::size_t>(m_plan.biasOffset()) + std::max(m_weights, m_units);
    const std::vector<float> values = random.floats(count, -0.4, 0.4);
    m_arena = std::make_unique<DeviceArray<float>>(values);
    m_operands = std::make_unique<DeviceArray<cuda::Bfloat16>>(count);
    m_gradients = std::make_unique<DeviceArray<float>>(count);
    for (std::size_t i = 0; i < count; ++i) {
        (*m_operands)[i] = cuda::toBfloat16(values[i]);
    }
}

void OpTrial::fillDiffDst(Random& random)
{
    const cuda::DataType type = cuda::layoutOf(m_plan.dst).type;
    m_diffDstValues = random.floats(m_plan.dst.bytes / cuda::bytesOf(type), -1.0, 1.0);
    for (float& value : m_diffDstValues) {
        value = roundedTo(type, value);
    }
    put(type, m_diffDst->bytes(), m_diffDstValues);
}

void OpTrial::spoilWeight()
{
    (*m_arena)[kWeightsOffset] = std::numeric_limits<float>::quiet_NaN();
    (*m_operands)[kWeightsOffset] = cuda::toBfloat16(std::numeric_limits<float>::quiet_NaN());
}

void OpTrial::forward()
{
    m_op->forward(m_step);
    m_stream.synchronize();
}

void OpTrial::backward()
{
    m_op->backward(m_step);
    m_stream.synchronize();
}

void OpTrial::runCaptured()
{
    m_stream.beginCapture();
    m_op->forward(m_step);
    m_op->backward(m_step);
    const auto graph = m_stream.endCapture();
    graph->launch(m_stream);
    m_stream.synchronize();
}

std::vector<float> OpTrial::valuesOf(const TensorPlan& plan, const Bytes& memory)
{
    const cuda::DataType type = cuda::layoutOf(plan).type;
    std::vector<float> values(plan.bytes / cuda::bytesOf(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (type == cuda::DataType::Float32) {
            std::memcpy(&values[i], memory.bytes() + i * sizeof(float), sizeof(float));
        } else {
            cuda::Bfloat16 half{};
            std::memcpy(&half, memory.bytes() + i * sizeof(half), sizeof(half));
            values[i] = toFloat(half);
        }
    }
    return values;
}

std::vector<float> OpTrial::diffWeights() const
{
    const float* start = m_gradients->data() + kWeightsOffset;
    return {start, start + m_weights};
}

std::vector<float> OpTrial::diffBias() const
{
    const float* start = m_gradients->data() + m_plan.biasOffset();
    return {start, start + (hasBias() ? m_units : 0)};
}

double OpTrial::parameter(std::int64_t offset, std::size_t i) const
{
    const auto place = static_cast<std::size_t>(offset) + i;
    return static_cast<double>(
        m_settings.precision == Precision::Bfloat16 ? toFloat((*m_operands)[place])
                                                    : (*m_arena)[place]);
}

/// Only a fully connected layer whose dst is bfloat16 adds a rounded bias.
double OpTrial::bias(std::size_t unit) const
{
    if (!hasBias()) {
        return 0.0;
    }
    if (!isConvolution() && isRounded()) {
        return parameter(m_plan.biasOffset(), unit);
    }
    return static_cast<double>((*m_arena)[static_cast<std::size_t>(m_plan.biasOffset()) + unit]);
}

template<class Visit>
void OpTrial::forEachConvolutionProduct(Visit visit) const
{
    const auto& conv = std::get<Conv2d>(m_settings.layer);
    const Shape& src = m_settings.src;
    const Shape& dst = m_plan.dstShape;
    const auto top =
        paddingCells(conv.padding, src.height, conv.kernel.height, conv.stride.height).before;
    const auto left =
        paddingCells(conv.padding, src.width, conv.kernel.width, conv.stride.width).before;
    for (std::int64_t to = 0; to < m_settings.examples * dst.elements(); ++to) {
        const std::int64_t unit = to % dst.channels;
        const std::int64_t cell = to / dst.channels;
        const std::int64_t example = cell / (dst.height * dst.width);
        for (std::int64_t i = 0; i < conv.kernel.height * conv.kernel.width; ++i) {
            const std::int64_t y =
                cell / dst.width % dst.height * conv.stride.height - top + i / conv.kernel.width;
            const std::int64_t x =
                cell % dst.width * conv.stride.width - left + i % conv.kernel.width;
            if (y < 0 || y >= src.height || x < 0 || x >= src.width) {
                continue;
            }
            const std::int64_t from = ((example * src.height + y) * src.width + x) * m_srcChannels;
            const std::int64_t weight =
                (unit * conv.kernel.height * conv.kernel.width + i) * m_srcChannels;
            for (std::int64_t channel = 0; channel < m_srcChannels; ++channel) {
                visit(
                    static_cast<std::size_t>(from + channel), static_cast<std::size_t>(to),
                    static_cast<std::size_t>(weight + channel));
            }
        }
    }
}

template<class Visit>
void OpTrial::forEachProduct(Visit visit) const
{
    if (isConvolution()) {
        return forEachConvolutionProduct(visit);
    }
    const std::size_t depth = m_weights / m_units;
    for (std::size_t to = 0; to < m_diffDstValues.size(); ++to) {
        for (std::size_t i = 0; i < depth; ++i) {
            visit(to / m_units * depth + i, to, to % m_units * depth + i);
        }
    }
}

std::vector<double> OpTrial::expectedDst() const
{
    std::vector<double> dst(m_diffDstValues.size());
    for (std::size_t i = 0; i < dst.size(); ++i) {
        dst[i] = bias(i % m_units);
    }
    forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
        dst[to] += static_cast<double>(m_srcValues[from]) * parameter(kWeightsOffset, weight);
    });
    const bool isRelu = hasRelu(m_settings.layer);
    for (double& value : dst) {
        value = isRelu && value <= 0.0 ? 0.0 : value;
    }
    return dst;
}

ExpectedGradients OpTrial::expectedGradients() const
{
    const std::vector<float> values = dst();
    const bool isRelu = hasRelu(m_settings.layer);
    ExpectedGradients expected;
    expected.weights.resize(m_weights);
    expected.bias.resize(hasBias() ? m_units : 0);
    expected.src.resize(m_srcValues.size());
    std::vector<double> diffs(m_diffDstValues.size());
    for (std::size_t i = 0; i < diffs.size(); ++i) {
        diffs[i] = isRelu && values[i] <= 0.0F ? 0.0 : static_cast<double>(m_diffDstValues[i]);
        if (hasBias()) {
            expected.bias[i % m_units] += diffs[i];
        }
    }
    forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
        expected.weights[weight] += diffs[to] * static_cast<double>(m_srcValues[from]);
        expected.src[from] += diffs[to] * parameter(kWeightsOffset, weight);
    });
    return expected;
}

} // namespace lockstep::test
