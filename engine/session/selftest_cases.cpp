// SPDX-License-Identifier: Apache-2.0
#include "session/selftest_cases.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr std::int64_t kClasses = 10;

/// Weights that keep values near 1 where each is a sum of `terms`, and a bias that shows.
ParameterSettings parametersFor(std::int64_t terms)
{
    return {
        TruncatedNormal{1.0 / std::sqrt(static_cast<double>(terms))}, Constant{0.1}, 0.0,
        "network"};
}

} // namespace

OpCaseMaker::OpCaseMaker(std::uint64_t seed) : m_random(seed, RandomPurpose::Synthetic, 0, 1) {}

std::int64_t OpCaseMaker::between(std::int64_t low, std::int64_t high)
{
    return low + m_random.below(static_cast<std::uint32_t>(high - low + 1));
}

std::int64_t OpCaseMaker::channels()
{
    static constexpr std::array<std::int64_t, 6> kChoices{3, 8, 17, 32, 48, 64};
    return kChoices.at(m_random.below(kChoices.size()));
}

Shape OpCaseMaker::shape()
{
    const std::int64_t height = between(5, 14);
    const std::int64_t width = between(5, 14);
    return {height, width, channels()};
}

OpCase OpCaseMaker::convolution()
{
    const Shape src = shape();
    const std::int64_t size = 1 + 2 * between(0, 2);
    const std::int64_t stride = between(1, 2);
    const std::int64_t filters = channels();
    const bool isSame = between(0, 1) == 0 || size > src.height || size > src.width;
    const Conv2d conv{
        filters,
        {size, size},
        {stride, stride},
        isSame ? Padding::Same : Padding::Valid,
        between(0, 1) == 0 ? Activation::None : Activation::Relu,
        parametersFor(size * size * src.channels)};
    return {
        fmt::format(
            "conv2d {0}x{0}/{1} {2} {3}->{4} on {5}x{6}", size, stride, isSame ? "same" : "valid",
            src.channels, filters, src.height, src.width),
        src, conv};
}

OpCase OpCaseMaker::maxPool()
{
    const Shape src = shape();
    const std::int64_t window = between(2, 3);
    const bool isSame = between(0, 1) == 0;
    return {
        fmt::format(
            "max_pool {0}x{0}/2 {1} on {2}", window, isSame ? "same" : "valid", toString(src)),
        src, MaxPool{{window, window}, {2, 2}, isSame ? Padding::Same : Padding::Valid}};
}

OpCase OpCaseMaker::averagePool()
{
    const Shape src = shape();
    const std::int64_t window = between(2, 5);
    const std::int64_t stride = between(1, 3);
    const bool isSame = between(0, 1) == 0;
    return {
        fmt::format(
            "average_pool {0}x{0}/{1} {2} on {3}", window, stride, isSame ? "same" : "valid",
            toString(src)),
        src,
        AveragePool{{window, window}, {stride, stride}, isSame ? Padding::Same : Padding::Valid}};
}

OpCase OpCaseMaker::lrn()
{
    const Shape src = shape();
    const std::int64_t radius = between(1, 5);
    return {
        fmt::format("lrn radius {} on {}", radius, toString(src)), src,
        Lrn{radius, 1.0, static_cast<double>(between(1, 10)) / 100.0, 0.75}};
}

OpCase OpCaseMaker::dense()
{
    const Shape src = shape();
    const std::int64_t units = between(1, 400);
    return {
        fmt::format("dense {}->{}", toString(src), units), src,
        Dense{units, Activation::Relu, parametersFor(src.elements())}};
}

OpCase OpCaseMaker::dropout()
{
    const Shape src = shape();
    const double keep = static_cast<double>(between(2, 9)) / 10.0;
    return {fmt::format("dropout {} on {}", keep, toString(src)), src, Dropout{keep}};
}

OpCase OpCaseMaker::smoothedLabels()
{
    OpCase one = dense();
    one.labelSmoothing = static_cast<double>(between(1, 5)) / 10.0;
    one.name += fmt::format(", labels smoothed by {}", one.labelSmoothing);
    return one;
}

OpCase OpCaseMaker::normalization(int mode)
{
    constexpr std::array<std::pair<NormalizationMode, const char*>, 4> kModes{
        {{NormalizationMode::PerImage, "per_image"},
         {NormalizationMode::Batch, "batch"},
         {NormalizationMode::Synchronised, "synchronised"},
         {NormalizationMode::Moving, "moving"}}};
    const auto& [kind, name] = kModes.at(static_cast<std::size_t>(mode) % kModes.size());
    const Shape src = shape();
    Normalization norm;
    norm.mode = kind;
    norm.hasScale = between(0, 2) > 0;
    norm.activation = between(0, 1) == 0 ? Activation::None : Activation::Relu;
    return {
        fmt::format(
            "normalization {}{} on {}", name, norm.hasScale ? "" : " no gamma", toString(src)),
        src, norm};
}

OpCase OpCaseMaker::globalPool(Reduction reduction)
{
    const Shape src = shape();
    const char* name = reduction == Reduction::Average ? "average" : "max";
    return {fmt::format("global_pool {} on {}", name, toString(src)), src, GlobalPool{reduction}};
}

OpCase OpCaseMaker::elementwise(Activation activation)
{
    const Shape src = shape();
    const char* name = activation == Activation::Relu ? "relu" : "sigmoid";
    return {fmt::format("elementwise {} on {}", name, toString(src)), src, Elementwise{activation}};
}

OpCase OpCaseMaker::concat()
{
    const Shape src = shape();
    return {fmt::format("concat with {}", toString(src)), src, Concat{}};
}

OpCase OpCaseMaker::wideConvolution()
{
    // Few values, as the reference takes its time, but enough for a device to choose another way
    // than for small filters.
    const Shape src{9, 10, 16};
    constexpr std::int64_t kSize = 15;
    constexpr std::int64_t kFilters = 32;
    Conv2d conv{kFilters,      {kSize, kSize},   {1, 1},
                Padding::Same, Activation::None, parametersFor(kSize * kSize * src.channels / 2)};
    conv.hasBias = false;
    return {
        fmt::format(
            "conv2d 15x15/1 same no bias {}->{} on {}x{}", src.channels, kFilters, src.height,
            src.width),
        src, conv};
}

NetworkSpec networkAround(const OpCase& one)
{
    NetworkBuilder net("selftest", one.src, kClasses);
    const Conv2d before{one.src.channels, {1, 1},           {1, 1},
                        Padding::Same,    Activation::None, parametersFor(one.src.channels)};
    LayerId top = net.add("before", before, {0});
    std::vector<LayerId> inputs{top};
    if (std::holds_alternative<Concat>(one.spec)) {
        Conv2d beside = before;
        beside.channels = 5;
        inputs.push_back(net.add("beside", beside, {0}));
    }
    top = net.add("layer", one.spec, inputs);
    net.output("layer", top);
    top = net.add("logits", Dense{kClasses, Activation::None, parametersFor(64)}, {top});
    net.objective({"loss", 1.0, SoftmaxCrossEntropy{top, one.labelSmoothing}, {}});
    return net.build();
}

NetworkSpec dropoutTestNetwork()
{
    NetworkBuilder net("dropout", {24, 24, 3}, kClasses);
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
    top = net.add("logits", Dense{kClasses, Activation::None, parametersFor(24)}, {top});
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

} // namespace lockstep
