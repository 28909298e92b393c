// SPDX-License-Identifier: Apache-2.0
#include "network/initializer.h"

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

} // namespace

void initialize(
    const Initializer& initializer, std::uint64_t seed, std::uint32_t parameter,
    std::span<float> values)
{
    PhiloxStream random(seed, RandomPurpose::InitialValues, 0, parameter);
    std::visit([&](const auto& kind) { fill(kind, random, values); }, initializer);
}

} // namespace lockstep
