// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <vector>

namespace lockstep::test {

/// Two stages as SegDecNet has them, for images of {10, 9, 3}: a small segmentation whose map, and
/// what it was made of, go into a decision. Group "trunk" and group "head".
struct BranchedNetwork
{
    NormalizationMode mode = NormalizationMode::PerImage;
    bool hasScale = true;
    bool hasMasks = false; ///< objectives "segmentation" and "decision" in place of one on labels

    [[nodiscard]] NetworkSpec build() const
    {
        NetworkBuilder net("branched", {10, 9, 3}, 10);
        LayerId top = convolution(net, "conv1", {3, 3}, 8, {0});
        const LayerId features = normalization(net, "norm1", Activation::Relu, top);
        const LayerId map = normalization(
            net, "norm2", Activation::None, convolution(net, "conv2", {1, 1}, 1, {features}));
        const LayerId relu = net.add("relu", Elementwise{Activation::Relu}, {map});
        const LayerId sigmoid = net.add("sigmoid", Elementwise{Activation::Sigmoid}, {map});
        const LayerId joined = net.add("joined", Concat{}, {features, relu, sigmoid});
        top = net.add("pool", MaxPool{{2, 2}, {2, 2}, Padding::Same}, {joined});
        top = normalization(
            net, "norm3", Activation::Relu, convolution(net, "conv3", {3, 3}, 6, {top}, "head"),
            "head");
        const LayerId pooled = net.add(
            "pooled", Concat{},
            {net.add("average", GlobalPool{Reduction::Average}, {top}),
             net.add("max", GlobalPool{Reduction::Max}, {top}),
             net.add("average_map", GlobalPool{Reduction::Average}, {relu}),
             net.add("max_map", GlobalPool{Reduction::Max}, {map})});
        const ParameterSettings parameters{TruncatedNormal{0.3}, Constant{0.1}, 0.004, "head"};
        const LayerId logits =
            net.add("logits", Dense{hasMasks ? 1 : 10, Activation::None, parameters}, {pooled});
        net.output("map", map);
        net.output("logits", logits);
        addObjectives(net, map, logits);
        return net.build();
    }

private:
    static LayerId convolution(
        NetworkBuilder& net, const char* name, const Extent& kernel, std::int64_t channels,
        const std::vector<LayerId>& inputs, const char* group = "trunk")
    {
        Conv2d conv{channels, kernel, {1, 1}, Padding::Same, Activation::None, {}};
        conv.parameters = {TruncatedNormal{0.3}, Constant{0.0}, 0.0, group};
        conv.hasBias = false;
        return net.add(name, conv, inputs);
    }
    LayerId normalization(
        NetworkBuilder& net, const char* name, Activation activation, LayerId input,
        const char* group = "trunk") const
    {
        Normalization norm;
        norm.mode = mode;
        norm.hasScale = hasScale;
        norm.decay = 0.9;
        norm.activation = activation;
        norm.parameters = {Constant{1.0}, Constant{0.1}, 0.0, group};
        return net.add(name, norm, {input});
    }
    void addObjectives(NetworkBuilder& net, LayerId map, LayerId logits) const
    {
        if (!hasMasks) {
            net.objective({"cross_entropy", 1.0, SoftmaxCrossEntropy{logits}, {}});
            return;
        }
        net.mask(10, 9);
        net.objective(
            {"segmentation",
             1.0,
             SigmoidCrossEntropy{map, SigmoidCrossEntropy::Target::Mask},
             {"trunk"}});
        net.objective(
            {"decision",
             0.5,
             SigmoidCrossEntropy{logits, SigmoidCrossEntropy::Target::MaskSum},
             {"trunk"}});
    }
};

} // namespace lockstep::test
