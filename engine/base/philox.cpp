// SPDX-License-Identifier: Apache-2.0
#include "base/philox.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace lockstep {

PhiloxStream::PhiloxStream(
    std::uint64_t seed, RandomPurpose purpose, std::uint32_t epoch, std::uint32_t example)
    : m_seed(seed), m_counter{0, example, epoch, static_cast<std::uint32_t>(purpose)}
{
}

std::uint32_t PhiloxStream::next()
{
    if (m_used == 4) {
        const r123::Philox4x32::ctr_type counter{
            {m_counter[0], m_counter[1], m_counter[2], m_counter[3]}};
        const r123::Philox4x32::key_type key{
            {static_cast<std::uint32_t>(m_seed), static_cast<std::uint32_t>(m_seed >> 32U)}};
        const auto block = r123::Philox4x32{}(counter, key);
        m_block = {block[0], block[1], block[2], block[3]};
        ++m_counter[0];
        m_used = 0;
    }
    return m_block[m_used++];
}

float PhiloxStream::uniform()
{
    return static_cast<float>(next() >> 8U) * 0x1p-24F;
}

float PhiloxStream::uniform(float low, float high)
{
    // The sum may round up to `high`, which does not belong to the range.
    const float value = low + (high - low) * uniform();
    return value < high ? value : std::nextafter(high, low);
}

std::uint32_t PhiloxStream::below(std::uint32_t bound)
{
    std::uint64_t product = std::uint64_t{next()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
        const std::uint32_t threshold = (0U - bound) % bound;
        while (static_cast<std::uint32_t>(product) < threshold) {
            product = std::uint64_t{next()} * bound;
        }
    }
    return static_cast<std::uint32_t>(product >> 32U);
}

double PhiloxStream::normal()
{
    // (0, 1], so that the logarithm is finite.
    const double u = (static_cast<double>(next()) + 1.0) * 0x1p-32;
    const double v = static_cast<double>(next()) * 0x1p-32;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

} // namespace lockstep
