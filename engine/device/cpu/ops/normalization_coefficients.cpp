// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/ops/normalization_coefficients.h"

#include <algorithm>
#include <cmath>

namespace lockstep::cpu {
namespace {

// Numbers of the parameters, as if there were always a gamma.
constexpr int kGamma = 0;
constexpr int kBeta = 1;
constexpr int kMovingMean = 2;
constexpr int kMovingVariance = 3;

} // namespace

NormalizationCoefficients::NormalizationCoefficients(
    const Normalization& spec, OpPlan& plan, std::int64_t channels)
    : m_spec(spec), m_rows(plan.examples), m_realChannels(plan.src().shape.channels),
      m_channels(channels), m_offsets(plan.parameterOffsets)
{
    const bool isPerImage = spec.mode == NormalizationMode::PerImage;
    m_takesMoments = isPerImage || (spec.mode != NormalizationMode::Moving && plan.isTrainingPass);
    m_isSynchronised =
        spec.mode == NormalizationMode::Synchronised && plan.isTrainingPass && plan.syncTowers > 1;
    m_groups = isPerImage ? plan.examples : 1;
    const std::int64_t towers = m_isSynchronised ? plan.syncTowers : 1;
    const std::int64_t cells = plan.src().shape.height * plan.src().shape.width;
    const std::int64_t groupCells = cells * plan.examples / m_groups * towers;
    m_groupCells = static_cast<double>(groupCells);
    const auto values = static_cast<std::size_t>(m_groups * channels);
    for (std::size_t* array : {&m_mean, &m_variance}) {
        *array = addPart(plan.workspaceBytes, values * sizeof(double));
    }
    m_sums = addPart(plan.workspaceBytes, 2 * values * sizeof(double));
    for (std::size_t* array : {&m_scale, &m_shift, &m_slope, &m_ofSrc, &m_constant}) {
        *array = addPart(plan.workspaceBytes, values * sizeof(float));
    }
}

/// Calls body(group, channel, its place in an array).
template<class Body>
void NormalizationCoefficients::forEach(Body body) const
{
    for (std::int64_t group = 0; group < m_groups; ++group) {
        for (std::int64_t c = 0; c < m_realChannels; ++c) {
            body(group, c, group * m_channels + c);
        }
    }
}

void NormalizationCoefficients::clear(std::initializer_list<std::size_t> arrays) const
{
    for (const std::size_t array : arrays) {
        std::fill_n(floats(array), m_groups * m_channels, 0.0F);
    }
}

void NormalizationCoefficients::makeLines(const StepContext& context)
{
    clear({m_scale, m_shift});
    forEach([&](std::int64_t group, std::int64_t c, std::int64_t at) {
        double mean = parameter(context, kMovingMean, c);
        double variance = parameter(context, kMovingVariance, c);
        if (m_takesMoments) {
            mean = sums(group)[c] / m_groupCells;
            variance = sums(group)[m_channels + c] / m_groupCells - mean * mean;
            variance = variance < 0.0 ? 0.0 : variance; // by rounding; a NaN stays one
        }
        doubles(m_mean)[at] = mean;
        doubles(m_variance)[at] = variance;
        const double scale = gamma(context, c) / deviation(at);
        floats(m_scale)[at] = static_cast<float>(scale);
        floats(m_shift)[at] = static_cast<float>(parameter(context, kBeta, c) - scale * mean);
    });
}

void NormalizationCoefficients::makeParameterGradients(const StepContext& context)
{
    const std::int64_t groupRows = m_rows / m_groups;
    const double rows = context.lossScale * static_cast<double>(groupRows);
    for (std::int64_t c = 0; c < m_realChannels; ++c) {
        double ofGamma = 0.0;
        double ofBeta = 0.0;
        double mean = 0.0;
        double variance = 0.0;
        for (std::int64_t group = 0; group < m_groups; ++group) {
            const std::int64_t at = group * m_channels + c;
            ofBeta += sums(group)[c];
            ofGamma += sumOfHats(group, c);
            mean += doubles(m_mean)[at];
            variance += doubles(m_variance)[at];
        }
        if (m_spec.hasScale) {
            gradient(context, kGamma, c) = static_cast<float>(ofGamma);
        }
        gradient(context, kBeta, c) = static_cast<float>(ofBeta);
        if (m_takesMoments) {
            gradient(context, kMovingMean, c) = static_cast<float>(-rows * mean);
            gradient(context, kMovingVariance, c) =
                static_cast<float>(-rows * varianceScale(m_spec, m_groupCells) * variance);
        }
    }
}

void NormalizationCoefficients::makeSlopes(const StepContext& context)
{
    clear({m_slope, m_ofSrc, m_constant});
    forEach([&](std::int64_t group, std::int64_t c, std::int64_t at) {
        const double slope = gamma(context, c) / deviation(at);
        floats(m_slope)[at] = static_cast<float>(slope);
        if (m_takesMoments) {
            const double ofHat = -slope * sumOfHats(group, c) / m_groupCells;
            const double ofSrc = ofHat / deviation(at);
            const double constant =
                -slope * sums(group)[c] / m_groupCells - ofSrc * doubles(m_mean)[at];
            floats(m_ofSrc)[at] = static_cast<float>(ofSrc);
            floats(m_constant)[at] = static_cast<float>(constant);
        }
    });
}

NormalizationLine NormalizationCoefficients::line(std::int64_t group, std::int64_t channel) const
{
    const std::int64_t at = group * m_channels + channel;
    return {floats(m_scale) + at, floats(m_shift) + at, m_spec.activation == Activation::Relu};
}

NormalizationSlopes NormalizationCoefficients::slopes(
    std::int64_t group, std::int64_t channel) const
{
    const std::int64_t at = group * m_channels + channel;
    return {
        line(group, channel), floats(m_slope) + at, floats(m_ofSrc) + at, floats(m_constant) + at};
}

/// S2 of what sums() holds.
double NormalizationCoefficients::sumOfHats(std::int64_t group, std::int64_t c) const
{
    const std::int64_t at = group * m_channels + c;
    const double* sum = sums(group);
    return (sum[m_channels + c] - doubles(m_mean)[at] * sum[c]) / deviation(at);
}

double NormalizationCoefficients::deviation(std::int64_t at) const
{
    return std::sqrt(doubles(m_variance)[at] + m_spec.epsilon);
}

double NormalizationCoefficients::gamma(const StepContext& context, std::int64_t c) const
{
    return m_spec.hasScale ? parameter(context, kGamma, c) : 1.0;
}

std::int64_t NormalizationCoefficients::offsetOf(int number) const
{
    return m_offsets[static_cast<std::size_t>(m_spec.hasScale ? number : number - 1)];
}

double NormalizationCoefficients::parameter(
    const StepContext& context, int number, std::int64_t c) const
{
    return context.weights.values[offsetOf(number) + c];
}

float& NormalizationCoefficients::gradient(
    const StepContext& context, int number, std::int64_t c) const
{
    return context.gradients[offsetOf(number) + c];
}

} // namespace lockstep::cpu
