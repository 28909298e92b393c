// SPDX-License-Identifier: Apache-2.0
#include "network/initializer.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

void fill(const Constant& constant, PhiloxStream& /*random*/, std::span<float> values)
{
    std::ranges::fill(values, static_cast<float>(constant.value));
}

void fill(const TruncatedNormal& normal, PhiloxStream& random, std::span<float> values)
{
    for (float& value : values) {
        double z = random.normal();
        while (std::abs(z) > 2.0) {
            z = random.normal();
        }
        value = static_cast<float>(normal.stddev * z);
    }
}

void fill(const Normal& normal, PhiloxStream& random, std::span<float> values)
{
    std::ranges::generate(
        values, [&] { return static_cast<float>(normal.stddev * random.normal()); });
}

void fill(const XavierUniform& xavier, PhiloxStream& random, std::span<float> values)
{
    require(xavier.fanIn + xavier.fanOut > 0, "a Xavier initializer needs the fans of its layer");
    const auto fans = static_cast<double>(xavier.fanIn + xavier.fanOut);
    const auto limit = static_cast<float>(std::sqrt(6.0 / fans));
    std::ranges::generate(values, [&] { return random.uniform(-limit, limit); });
}

void fill(const HeNormal& he, PhiloxStream& random, std::span<float> values)
{
    require(he.fanOut > 0, "a He initializer needs the fan of its layer");
    fill(Normal{std::sqrt(2.0 / static_cast<double>(he.fanOut))}, random, values);
}

} // namespace

void initialize(
    const Initializer& initializer, std::uint64_t seed, std::uint32_t parameter,
    std::span<float> values)
{
    PhiloxStream random(seed, RandomPurpose::InitialValues, 0, parameter);
    std::visit([&](const auto& kind) { fill(kind, random, values); }, initializer);
}

} // namespace lockstep
