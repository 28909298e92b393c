// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/kernels/lrn_kernel.h"
#include "support/elements.h"
#include "support/random_network.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// The response normalisation in the kernel's layouts, by its formula in float64.
namespace lockstep::test {

/// A normalisation; channels beyond `channels` fill up the last block.
struct LrnCase
{
    cpu::LrnWork work;
    std::int64_t channels;
};

/// LrnTensors of one case; channels beyond the last one hold zeros, as the kernel asks.
class LrnTensors
{
public:
    LrnTensors(const LrnCase& one, Random& random) : m_case(one), src(size()), diffDst(size())
    {
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t channel) {
            const auto i = index(image, position, channel);
            const cpu::Element element = m_case.work.layout.element;
            src[i] = rounded(element, static_cast<float>(random.uniform(-2.0, 2.0)));
            diffDst[i] = rounded(element, static_cast<float>(random.uniform(-1.0, 1.0)));
        });
    }

    [[nodiscard]] std::size_t size() const
    {
        const cpu::ChannelLayout& layout = m_case.work.layout;
        return static_cast<std::size_t>(
            layout.images * layout.positions * layout.blocks * layout.block);
    }

    [[nodiscard]] std::size_t index(
        std::int64_t image, std::int64_t position, std::int64_t channel) const
    {
        const cpu::ChannelLayout& layout = m_case.work.layout;
        const std::int64_t block = image * layout.blocks + channel / layout.block;
        return static_cast<std::size_t>(
            (block * layout.positions + position) * layout.block + channel % layout.block);
    }

    template<class Body>
    void forEach(Body body) const
    {
        for (std::int64_t image = 0; image < m_case.work.layout.images; ++image) {
            for (std::int64_t position = 0; position < m_case.work.layout.positions; ++position) {
                for (std::int64_t channel = 0; channel < m_case.channels; ++channel) {
                    body(image, position, channel);
                }
            }
        }
    }

    /// Calls body(j) for the channels of the window around `channel`.
    template<class Body>
    void forEachNeighbour(std::int64_t channel, Body body) const
    {
        for (std::int64_t j = 0; j < m_case.channels; ++j) {
            if (std::abs(j - channel) <= m_case.work.lrn.depthRadius) {
                body(j);
            }
        }
    }

    /// What is normalised.
    [[nodiscard]] double x(std::int64_t image, std::int64_t position, std::int64_t channel) const
    {
        const auto value = double{src[index(image, position, channel)]};
        return m_case.work.isRelu && value <= 0.0 ? 0.0 : value;
    }

    [[nodiscard]] double scale(
        std::int64_t image, std::int64_t position, std::int64_t channel) const
    {
        double sum = 0.0;
        forEachNeighbour(
            channel, [&](std::int64_t j) { sum += x(image, position, j) * x(image, position, j); });
        return m_case.work.lrn.bias + m_case.work.lrn.alpha * sum;
    }

    [[nodiscard]] std::vector<double> expectedDst() const
    {
        std::vector<double> dst(size());
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t channel) {
            const auto i = index(image, position, channel);
            dst[i] = x(image, position, channel)
                     * std::pow(scale(image, position, channel), -m_case.work.lrn.beta);
        });
        return dst;
    }

    /// By the chain rule from d(dst_c)/d(src_j), term by term: another way than the kernel's.
    [[nodiscard]] std::vector<double> expectedDiffSrc() const
    {
        std::vector<double> diffSrc(size());
        const Lrn& lrn = m_case.work.lrn;
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t c) {
            const auto i = index(image, position, c);
            const double s = scale(image, position, c);
            diffSrc[i] += double{diffDst[i]} * std::pow(s, -lrn.beta);
            forEachNeighbour(c, [&](std::int64_t j) {
                diffSrc[index(image, position, j)] -= double{diffDst[i]} * x(image, position, c)
                                                      * lrn.beta * std::pow(s, -lrn.beta - 1.0)
                                                      * lrn.alpha * 2.0 * x(image, position, j);
            });
        });
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t channel) {
            const auto i = index(image, position, channel);
            diffSrc[i] = m_case.work.isRelu && src[i] <= 0.0F ? 0.0 : diffSrc[i];
        });
        return diffSrc;
    }

private:
    LrnCase m_case;

public:
    std::vector<float> src;
    std::vector<float> diffDst;
};

} // namespace lockstep::test
