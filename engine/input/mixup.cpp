// SPDX-License-Identifier: Apache-2.0
#include "input/mixup.h"

#include "base/philox.h"

#include <cmath>
#include <cstddef>

namespace lockstep {
namespace {

/// In (0, 1], so that the logarithm is finite.
double logOfUniform(PhiloxStream& stream)
{
    return std::log(1.0 - static_cast<double>(stream.uniform()));
}

/// The logarithm of a number of the gamma distribution (Marsaglia and Tsang, "A simple method for
/// generating gamma variables", 2000; section 6 for small shapes, whose numbers themselves would
/// be 0).
double drawLogOfGamma(double shape, PhiloxStream& stream)
{
    const double d = shape + 1.0 - 1.0 / 3.0;
    while (true) {
        const double x = stream.normal();
        const double root = 1.0 + x / std::sqrt(9.0 * d);
        const double v = root * root * root;
        const double u = logOfUniform(stream);
        if (v > 0.0 && u < x * x / 2.0 + d - d * v + d * std::log(v)) {
            return std::log(d * v) + logOfUniform(stream) / shape;
        }
    }
}

} // namespace

float drawMixup(double alpha, std::uint64_t seed, std::int64_t position)
{
    const auto place = static_cast<std::uint64_t>(position);
    PhiloxStream stream(
        seed, RandomPurpose::Mixup, static_cast<std::uint32_t>(place >> 32U),
        static_cast<std::uint32_t>(place));
    const double first = drawLogOfGamma(alpha, stream);
    const double second = drawLogOfGamma(alpha, stream);
    return static_cast<float>(1.0 / (1.0 + std::exp(-std::abs(first - second))));
}

void mixImages(float share, std::span<float> first, std::span<float> second)
{
    const float rest = 1.0F - share;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const float a = first[i];
        const float b = second[i];
        first[i] = share * a + rest * b;
        second[i] = share * b + rest * a;
    }
}

} // namespace lockstep
