// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/random_network.h"

#include <string>

namespace lockstep::test {

/// A small network of the build of SegDecNet: a trunk of convolutions and normalisations that ends
/// in a map of logits, one for each cell of a mask; behind it, joined with the map, a branch that
/// ends in one logit for the image. Groups and objectives "segmentation" and "decision".
inline NetworkSpec maskNetwork(NormalizationMode mode, bool hasScale = true)
{
    NetworkBuilder builder("mask", {16, 24, 1}, 2);
    std::string group = "segmentation";
    const auto normalised = [&](const std::string& name, Conv2d conv, Activation activation,
                                LayerId from) {
        conv.hasBias = false;
        conv.parameters.group = group;
        Normalization norm;
        norm.mode = mode;
        norm.hasScale = hasScale;
        norm.activation = activation;
        norm.parameters.group = group;
        const LayerId sums = builder.add(name, conv, {from});
        return builder.add(name + "_norm", norm, {sums});
    };
    const MaxPool pool{{2, 2}, {2, 2}};
    LayerId top = normalised("one", convolution(8, {5, 5}), Activation::Relu, 0);
    top = builder.add("pool_one", pool, {top});
    top = normalised("two", convolution(16, {3, 3}), Activation::Relu, top);
    top = builder.add("pool_two", pool, {top});
    const LayerId features = normalised("wide", convolution(32, {15, 15}), Activation::Relu, top);
    const LayerId map = normalised("map", convolution(1, {1, 1}), Activation::None, features);
    group = "decision";
    const LayerId mask = builder.add("mask", Elementwise{Activation::Relu}, {map});
    top = builder.add("joined", Concat{}, {features, mask});
    top = normalised("three", convolution(8, {3, 3}), Activation::Relu, top);
    const auto pooled = [&](const std::string& name, Reduction reduction, LayerId from) {
        return builder.add(name, GlobalPool{reduction}, {from});
    };
    top = builder.add(
        "pooled", Concat{},
        {pooled("mean", Reduction::Average, top), pooled("largest", Reduction::Max, top),
         pooled("mask_mean", Reduction::Average, mask),
         pooled("mask_largest", Reduction::Max, mask)});
    Dense decision = fullyConnected(1);
    decision.parameters.group = group;
    top = builder.add("decision", decision, {top});
    builder.output("map", map);
    builder.output("decision", top);
    builder.mask(4, 6);
    using Target = SigmoidCrossEntropy::Target;
    builder.objective(
        {"segmentation", 1.0, SigmoidCrossEntropy{map, Target::Mask}, {"segmentation"}});
    builder.objective({"decision", 1.0, SigmoidCrossEntropy{top, Target::MaskSum}, {"decision"}});
    return builder.build();
}

} // namespace lockstep::test
