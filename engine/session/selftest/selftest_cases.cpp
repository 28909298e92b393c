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
    if (std::holds_alternative<Concat>(one.spec)) {
        Conv2d beside = before;
        beside.channels = 5;
        inputs.push_back(net.add("beside", beside, {0}));
    }
    top = net.add("layer", one.spec, inputs);
    net.output("layer", top);
    top = net.add("logits", Dense{kSelftestClasses, Activation::None, parametersFor(64)}, {top});
    net.objective({"loss", 1.0, SoftmaxCrossEntropy{top, one.labelSmoothing}, {}});
    return net.build();
}

} // namespace lockstep
