// SPDX-License-Identifier: Apache-2.0
#include "session/selftest_cases.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

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

NetworkSpec networkAround(const OpCase& one)
{
    NetworkBuilder net("selftest", one.src, kClasses);
    const Conv2d before{one.src.channels, {1, 1},           {1, 1},
                        Padding::Same,    Activation::None, parametersFor(one.src.channels)};
    LayerId top = net.add("before", before, {0});
    top = net.add("layer", one.spec, {top});
    net.output("layer", top);
    top = net.add("logits", Dense{kClasses, Activation::None, parametersFor(64)}, {top});
    net.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {}});
    return net.build();
}

} // namespace lockstep
