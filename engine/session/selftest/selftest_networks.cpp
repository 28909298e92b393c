// SPDX-License-Identifier: Apache-2.0
#include "session/selftest/selftest_cases.h"

namespace lockstep {

NetworkSpec dropoutTestNetwork()
{
    NetworkBuilder net("dropout", {24, 24, 3}, kSelftestClasses);
    const auto conv = [](std::int64_t channels, std::int64_t stride, std::int64_t terms) {
        return Conv2d{channels,      {3, 3},           {stride, stride},
                      Padding::Same, Activation::Relu, parametersFor(terms)};
    };
    LayerId top = net.add("first", conv(16, 2, 27), {0});
    top = net.add("mean", AveragePool{{3, 3}, {1, 1}}, {top});
    top = net.add("dropped", Dropout{0.8}, {top});
    top = net.add("second", conv(24, 2, 144), {top});
    top = net.add("pool", AveragePool{{6, 6}, {1, 1}, Padding::Valid}, {top});
    top = net.add("features", Dropout{0.5}, {top});
    top = net.add("logits", Dense{kSelftestClasses, Activation::None, parametersFor(24)}, {top});
    net.output("logits", top);
    net.objective({"loss", 1.0, SoftmaxCrossEntropy{top, 0.1}, {}});
    return net.build();
}

NetworkSpec maskTestNetwork()
{
    NetworkBuilder net("masks", {16, 24, 2}, 2);
    const auto normalised = [&](const std::string& name, const Extent& kernel, LayerId from,
                                Activation activation) {
        const std::int64_t channels = activation == Activation::None ? 1 : 24;
        Conv2d conv{channels,         kernel,
                    {1, 1},           Padding::Same,
                    Activation::None, parametersFor(kernel.height * kernel.width * 24)};
        conv.hasBias = false;
        Normalization norm;
        norm.mode = NormalizationMode::PerImage;
        norm.activation = activation;
        const LayerId sums = net.add(name, conv, {from});
        return net.add(name + "_norm", norm, {sums});
    };
    const MaxPool pool{{2, 2}, {2, 2}};
    const LayerId first = normalised("first", {5, 5}, 0, Activation::Relu);
    const LayerId pooled = net.add("pool", pool, {first});
    const LayerId features = normalised("features", {3, 3}, pooled, Activation::Relu);
    const LayerId map = normalised("map", {1, 1}, features, Activation::None);
    const LayerId mask = net.add("mask", Elementwise{Activation::Sigmoid}, {map});
    LayerId top = net.add("joined", Concat{}, {features, mask});
    top = normalised("second", {3, 3}, top, Activation::Relu);
    const LayerId mean = net.add("mean", GlobalPool{Reduction::Average}, {top});
    const LayerId largest = net.add("largest", GlobalPool{Reduction::Max}, {mask});
    top = net.add("pooled", Concat{}, {mean, largest});
    top = net.add("logits", Dense{1, Activation::None, parametersFor(25)}, {top});
    net.output("map", map);
    net.output("logits", top);
    net.mask(8, 12);
    using Target = SigmoidCrossEntropy::Target;
    net.objective({"cells", 1.0, SigmoidCrossEntropy{map, Target::Mask}, {}});
    net.objective({"images", 1.0, SigmoidCrossEntropy{top, Target::MaskSum}, {}});
    return net.build();
}

NetworkSpec largeMaskTestNetwork()
{
    const Shape src{33, 32, 2};
    NetworkBuilder net("large masks", src, 2);
    const Conv2d conv{
        1, {1, 1}, {1, 1}, Padding::Same, Activation::None, parametersFor(src.channels)};
    const LayerId map = net.add("map", conv, {0});
    LayerId top = net.add("mean", GlobalPool{Reduction::Average}, {map});
    top = net.add("logits", Dense{1, Activation::None, parametersFor(1)}, {top});
    net.output("logits", top);
    net.mask(src.height, src.width);
    using Target = SigmoidCrossEntropy::Target;
    net.objective({"cells", 1.0, SigmoidCrossEntropy{map, Target::Mask}, {}});
    net.objective({"images", 1.0, SigmoidCrossEntropy{top, Target::MaskSum}, {}});
    return net.build();
}

} // namespace lockstep
