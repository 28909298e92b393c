// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/kernel_test.h"
#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/join_counters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::test {

/// What a kernel needs that ends the way back of the op before.
class EndArrays
{
public:
    EndArrays(std::size_t channels, std::size_t scratchBytes)
        : m_diffBias(channels), m_scratch(scratchBytes / sizeof(float)),
          m_counters(std::vector<std::uint32_t>(
              cuda::joinCounterBytes(static_cast<std::int64_t>(channels)) / sizeof(std::uint32_t)))
    {
    }

    [[nodiscard]] cuda::GradientEnd end(bool hasRelu, bool isJoinedByLastBlock) const
    {
        return {
            hasRelu, m_diffBias.data(), m_scratch.data(),
            isJoinedByLastBlock ? m_counters.data() : nullptr};
    }
    /// Empty where the counters are not as they were.
    [[nodiscard]] std::vector<float> diffBias() const
    {
        const auto used = [](std::uint32_t count) { return count != 0; };
        return std::ranges::any_of(m_counters.span(), used) ? std::vector<float>()
                                                            : m_diffBias.values();
    }

private:
    DeviceArray<float> m_diffBias;
    DeviceArray<float> m_scratch;
    DeviceArray<std::uint32_t> m_counters;
};

/// How far sums of `values` by channel are from those in float64, relative to the sums of the
/// sizes; small values may be differences of larger ones.
template<class Value>
double biasError(const std::vector<float>& sums, const std::vector<Value>& values)
{
    double worst = sums.empty() ? 1.0 : 0.0;
    for (std::size_t channel = 0; channel < sums.size(); ++channel) {
        double sum = 0.0;
        double sizes = 1e-30;
        for (std::size_t i = channel; i < values.size(); i += sums.size()) {
            sum += static_cast<double>(values[i]);
            sizes += std::max(std::abs(static_cast<double>(values[i])), 0.3);
        }
        const double error = std::abs(static_cast<double>(sums[channel]) - sum) / sizes;
        worst = error <= worst ? worst : error; // a NaN is worst
    }
    return worst;
}

/// 0 where the ReLU that gave `dst` lets nothing through.
template<class Value>
std::vector<Value> masked(std::vector<Value> values, const std::vector<float>& dst)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = dst[i] <= 0.0F ? Value{0} : values[i];
    }
    return values;
}

} // namespace lockstep::test
