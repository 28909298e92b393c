// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/models/classifiers.h"

#include <string>
#include <utility>

namespace lockstep {

/// A convolution without bias, padded by half a kernel.
struct ConvolutionShape
{
    std::int64_t channels = 0;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t groups = 1;
};

/// Of a convolution and its normalisation.
struct ConvolutionNames
{
    std::string convolution;
    std::string normalization;
};

/// Adds what classifierNetwork()'s networks consist of.
class ClassifierBlocks
{
public:
    ClassifierBlocks(const std::string& name, const ClassifierSettings& settings)
        : m_settings(settings),
          m_net(name, {settings.inputHeight, settings.inputWidth, 3}, settings.classes)
    {
    }

    [[nodiscard]] NetworkBuilder& net() { return m_net; }
    [[nodiscard]] const ClassifierSettings& settings() const { return m_settings; }
    [[nodiscard]] std::int64_t channels(LayerId layer) const
    {
        return m_net.shapeOf(layer).channels;
    }

    /// Convolution and normalisation, which applies ReLU if wanted.
    LayerId normalized(
        const ConvolutionNames& names, const ConvolutionShape& shape, LayerId top,
        Activation activation = Activation::None)
    {
        Conv2d conv;
        conv.channels = shape.channels;
        conv.kernel = {shape.kernel, shape.kernel};
        conv.stride = {shape.stride, shape.stride};
        conv.padding = Padding::Half;
        conv.hasBias = false;
        conv.groups = shape.groups;
        conv.parameters.weights = HeNormal{};
        conv.parameters.weightDecay = m_settings.weightDecay;
        top = m_net.add(names.convolution, conv, {top});
        Normalization norm;
        norm.mode = m_settings.normalization;
        norm.epsilon = m_settings.epsilon;
        norm.decay = m_settings.momentDecay;
        norm.isUnbiased = true;
        norm.activation = activation;
        return m_net.add(names.normalization, norm, {top});
    }

    /// Named as PyTorch's Sequential of convolution, normalisation and activation.
    LayerId activated(
        const std::string& name, const ConvolutionShape& shape, LayerId top, Activation activation)
    {
        const bool isInner = activation == Activation::None || activation == Activation::Relu;
        top = normalized(
            {name + ".0", name + ".1"}, shape, top, isInner ? activation : Activation::None);
        return isInner ? top : m_net.add(name + ".2", Elementwise{activation}, {top});
    }

    [[nodiscard]] Dense dense(
        std::int64_t units, const Initializer& weights,
        Activation activation = Activation::None) const
    {
        Dense dense;
        dense.units = units;
        dense.activation = activation;
        dense.parameters.weights = weights;
        dense.parameters.weightDecay = m_settings.weightDecay;
        return dense;
    }

    /// The last layer and the objective.
    void finish(const std::string& name, LayerId top)
    {
        const LayerId logits = m_net.add(name, dense(m_settings.classes, Normal{0.001}), {top});
        m_net.output("logits", logits);
        m_net.objective(
            {"cross_entropy", 1.0, SoftmaxCrossEntropy{logits, m_settings.labelSmoothing}, {}});
    }

private:
    ClassifierSettings m_settings;
    NetworkBuilder m_net;
};

} // namespace lockstep
