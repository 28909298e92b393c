// SPDX-License-Identifier: Apache-2.0
#include "session/selftest/selftest_cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep {
namespace {

constexpr std::array<std::pair<NormalizationMode, const char*>, 4> kModes{
    {{NormalizationMode::PerImage, "per_image"},
     {NormalizationMode::Batch, "batch"},
     {NormalizationMode::Synchronised, "synchronised"},
     {NormalizationMode::Moving, "moving"}}};

} // namespace

ParameterSettings parametersFor(std::int64_t terms)
{
    return {
        TruncatedNormal{1.0 / std::sqrt(static_cast<double>(terms))}, Constant{0.1}, 0.0,
        "network"};
}

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

OpCase OpCaseMaker::groupedConvolution(bool isDepthwise)
{
    Shape src = shape();
    Conv2d conv;
    conv.groups = isDepthwise ? src.channels : between(1, 4);
    const std::int64_t width = isDepthwise ? 1 : 8 * between(1, 3);
    src.channels = isDepthwise ? src.channels : conv.groups * 8 * between(1, 2);
    conv.channels = conv.groups * width;
    const std::int64_t size = 3 + 2 * between(0, 1);
    const std::int64_t stride = between(1, 2);
    conv.kernel = {size, size};
    conv.stride = {stride, stride};
    conv.padding = Padding::Half;
    conv.hasBias = between(0, 1) == 0;
    conv.parameters = parametersFor(size * size * src.channels / conv.groups);
    return {
        fmt::format(
            "conv2d {0}x{0}/{1} half {2} groups {3}->{4} on {5}x{6}", size, stride, conv.groups,
            src.channels, conv.channels, src.height, src.width),
        src, conv};
}

OpCase OpCaseMaker::transposedConvolution()
{
    const Shape src{between(3, 7), between(3, 7), channels()};
    const std::int64_t size = between(2, 4);
    static constexpr std::array kPaddings{
        std::pair{Padding::Same, "same"}, std::pair{Padding::Valid, "valid"},
        std::pair{Padding::Half, "half"}};
    const auto& [padding, name] = kPaddings.at(m_random.below(kPaddings.size()));
    const ConvTranspose2d conv{channels(),
                               {size, size},
                               {2, 2},
                               padding,
                               parametersFor(size * size * src.channels / 4),
                               between(0, 1) == 0};
    return {
        fmt::format(
            "conv_transpose2d {0}x{0}/2 {1} {2}->{3} on {4}x{5}", size, name, src.channels,
            conv.channels, src.height, src.width),
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
    const bool countsPadding = window % 2 == 0;
    return {
        fmt::format(
            "average_pool {0}x{0}/{1} {2}{3} on {4}", window, stride, isSame ? "same" : "valid",
            countsPadding ? " with padding" : "", toString(src)),
        src,
        AveragePool{
            {window, window},
            {stride, stride},
            isSame ? Padding::Same : Padding::Valid,
            countsPadding}};
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

OpCase OpCaseMaker::weightedClasses()
{
    OpCase one = smoothedLabels();
    for (std::int64_t i = 0; i < kSelftestClasses; ++i) {
        one.classWeights.push_back(static_cast<float>(between(0, 8)) / 4.0F);
    }
    one.classWeights.back() = 1.0F; // one of them at least
    one.name += ", classes with weights";
    return one;
}

OpCase OpCaseMaker::normalization(int mode)
{
    const auto& [kind, name] = kModes.at(static_cast<std::size_t>(mode) % kModes.size());
    const Shape src = shape();
    Normalization norm;
    norm.mode = kind;
    norm.hasScale = between(0, 2) > 0;
    norm.activation = between(0, 1) == 0 ? Activation::None : Activation::Relu;
    norm.isUnbiased = mode % 2 == 0;
    return {
        fmt::format(
            "normalization {}{}{} on {}", name, norm.hasScale ? "" : " no gamma",
            norm.isUnbiased ? " unbiased" : "", toString(src)),
        src, norm};
}

OpCase OpCaseMaker::layerNorm()
{
    const Shape src = shape();
    return {fmt::format("layer_norm on {}", toString(src)), src, LayerNorm{}};
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
    return {
        fmt::format("elementwise {} on {}", toString(activation), toString(src)), src,
        Elementwise{activation}};
}

OpCase OpCaseMaker::concat()
{
    const Shape src = shape();
    return {fmt::format("concat with {}", toString(src)), src, Concat{}};
}

OpCase OpCaseMaker::add()
{
    const Shape src = shape();
    const auto activation = between(0, 1) == 0 ? Activation::None : Activation::Relu;
    return {
        fmt::format("add, then {}, on {}", toString(activation), toString(src)), src,
        Add{activation}};
}

OpCase OpCaseMaker::scale()
{
    const Shape src = shape();
    return {fmt::format("scale on {}", toString(src)), src, Scale{}};
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

std::vector<OpCase> smallCases(std::uint64_t seed)
{
    OpCaseMaker make(seed);
    std::vector<OpCase> cases;
    std::generate_n(std::back_inserter(cases), 6, [&] { return make.convolution(); });
    for (int i = 0; i < 3; ++i) {
        cases.push_back(make.maxPool());
        cases.push_back(make.lrn());
        cases.push_back(make.dense());
        cases.push_back(make.averagePool());
        cases.push_back(make.dropout());
    }
    cases.push_back(make.smoothedLabels());
    for (int mode = 0; mode < 4; ++mode) {
        cases.push_back(make.normalization(mode));
    }
    cases.push_back(OpCaseMaker::wideConvolution());
    cases.push_back(make.concat());
    for (const auto activation : {Activation::Relu, Activation::Sigmoid}) {
        cases.push_back(make.elementwise(activation));
    }
    for (const auto reduction : {Reduction::Average, Reduction::Max}) {
        cases.push_back(make.globalPool(reduction));
    }
    cases.push_back(make.weightedClasses());
    for (const bool isDepthwise : {false, false, true, true}) {
        cases.push_back(make.groupedConvolution(isDepthwise));
    }
    std::generate_n(std::back_inserter(cases), 4, [&] { return make.transposedConvolution(); });
    for (int i = 0; i < 2; ++i) {
        cases.push_back(make.layerNorm());
        cases.push_back(make.add());
        cases.push_back(make.scale());
    }
    for (const auto activation :
         {Activation::Silu, Activation::Gelu, Activation::HardSwish, Activation::HardSigmoid}) {
        cases.push_back(make.elementwise(activation));
    }
    for (OpCase one : {make.dense(), make.smoothedLabels(), make.weightedClasses()}) {
        one.areRowsMixed = true;
        one.name += ", labels mixed";
        cases.push_back(std::move(one));
    }
    return cases;
}

std::vector<OpCase> largeCases()
{
    // A block of a GPU has up to 64 rows of threads, and 1,024 positions are one block's.
    const Shape plane{34, 34, 16};
    constexpr std::int64_t kPlanes = 2;
    constexpr std::int64_t kFilters = 24;
    constexpr std::int64_t kManyRows = 1300;
    std::vector<OpCase> cases;
    const Conv2d conv{kFilters,      {3, 3},           {1, 1},
                      Padding::Same, Activation::Relu, parametersFor(9 * plane.channels)};
    cases.push_back({"conv2d 3x3", plane, conv, 0.0, kPlanes});
    for (const auto& [mode, name] : kModes) {
        Normalization norm;
        norm.mode = mode;
        cases.push_back({fmt::format("normalization {}", name), plane, norm, 0.0, kPlanes});
    }
    for (const auto& [reduction, name] :
         {std::pair{Reduction::Average, "average"}, std::pair{Reduction::Max, "max"}}) {
        cases.push_back(
            {fmt::format("global_pool {}", name), plane, GlobalPool{reduction}, 0.0, kPlanes});
    }
    cases.push_back({"layer_norm", plane, LayerNorm{}, 0.0, kPlanes});
    cases.push_back({"add", plane, Add{Activation::Relu}, 0.0, kPlanes});
    cases.push_back({"scale", plane, Scale{}, 0.0, kPlanes});
    cases.push_back(
        {"dense",
         {1, 1, 16},
         Dense{kFilters, Activation::Relu, parametersFor(16)},
         0.0,
         kManyRows});
    for (OpCase& one : cases) {
        one.name += fmt::format(" on {} x {}, large", one.rows, toString(one.src));
    }
    return cases;
}

NetworkSpec networkAround(const OpCase& one)
{
    NetworkBuilder net("selftest", one.src, kSelftestClasses);
    const Conv2d before{one.src.channels, {1, 1},           {1, 1},
                        Padding::Same,    Activation::None, parametersFor(one.src.channels)};
    LayerId top = net.add("before", before, {0});
    std::vector<LayerId> inputs{top};
    if (std::holds_alternative<Concat>(one.spec) || std::holds_alternative<Add>(one.spec)) {
        Conv2d beside = before;
        beside.channels = std::min<std::int64_t>(one.src.channels, 5);
        inputs.push_back(net.add("beside", beside, {0}));
    } else if (std::holds_alternative<Scale>(one.spec)) {
        inputs.push_back(net.add("beside", GlobalPool{}, {top}));
    }
    top = net.add("layer", one.spec, inputs);
    net.output("layer", top);
    top = net.add("logits", Dense{kSelftestClasses, Activation::None, parametersFor(64)}, {top});
    net.objective(
        {"loss", 1.0, SoftmaxCrossEntropy{top, one.labelSmoothing, one.classWeights}, {}});
    return net.build();
}

} // namespace lockstep
