// SPDX-License-Identifier: Apache-2.0
#include "metrics/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

namespace lockstep {
namespace {

constexpr double kSmallest = 1e-12;
constexpr double kLargest = 1e20;
constexpr double kGrowth = 1.1;

// The upper half of a float: sign, exponent and 7 bits of the fraction. All floats of one key lie
// within 0.8 % of each other, so at most one limit lies among them.
constexpr unsigned kKeyShift = 16;
constexpr std::uint32_t kLowBits = (1U << kKeyShift) - 1;
constexpr std::size_t kKeys = std::size_t{1} << (32 - kKeyShift);
constexpr std::uint32_t kSignKey = 1U << 15U;

std::vector<double> makeLimits()
{
    std::vector<double> positive{kSmallest};
    while (positive.back() * kGrowth < kLargest) {
        positive.push_back(positive.back() * kGrowth);
    }
    positive.push_back(std::numeric_limits<double>::max());
    std::vector<double> limits;
    std::ranges::transform(positive, std::back_inserter(limits), std::negate());
    std::ranges::reverse(limits);
    limits.push_back(0.0);
    limits.insert(limits.end(), positive.begin(), positive.end());
    return limits;
}

/// For each key, the bucket of the least float that has it.
class Buckets
{
public:
    Buckets() : m_limits(makeLimits()), m_first(kKeys)
    {
        for (std::uint32_t key = 0; key < kKeys; ++key) {
            const std::uint32_t low = (key & kSignKey) != 0 ? kLowBits : 0;
            const double least = std::bit_cast<float>((key << kKeyShift) | low);
            // Keys of infinities and not-a-numbers are never looked up.
            const auto above = std::ranges::upper_bound(m_limits, std::isfinite(least) ? least : 0);
            m_first[key] = static_cast<std::uint16_t>(above - m_limits.begin());
        }
    }

    [[nodiscard]] std::size_t of(float value) const
    {
        const auto bucket = std::size_t{m_first[std::bit_cast<std::uint32_t>(value) >> kKeyShift]};
        return bucket + (static_cast<double>(value) >= m_limits[bucket] ? 1 : 0);
    }
    [[nodiscard]] const std::vector<double>& limits() const { return m_limits; }

private:
    std::vector<double> m_limits;
    std::vector<std::uint16_t> m_first;
};

/// Copies the buckets that hold something, each after one bucket for all the empty ones before it.
void copyFilled(
    const std::vector<double>& limits, const std::vector<std::uint64_t>& counts, Histogram& target)
{
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const bool isLastEmpty = counts[i] == 0 && (i + 1 == limits.size() || counts[i + 1] != 0);
        if (counts[i] != 0 || isLastEmpty) {
            target.limits.push_back(limits[i]);
            target.counts.push_back(static_cast<double>(counts[i]));
        }
    }
}

} // namespace

Histogram histogramOf(std::span<const float> values)
{
    static const Buckets buckets;
    Histogram histogram;
    float minimum = std::numeric_limits<float>::infinity();
    float maximum = -minimum;
    std::vector<std::uint64_t> counts(buckets.limits().size());
    for (const float value : values) {
        if (!std::isfinite(value)) {
            continue;
        }
        ++counts[buckets.of(value)];
        minimum = std::min(minimum, value);
        maximum = std::max(maximum, value);
        histogram.sum += value;
        histogram.sumOfSquares += static_cast<double>(value) * value;
        histogram.count += 1.0;
    }
    if (histogram.count > 0.0) {
        histogram.minimum = minimum;
        histogram.maximum = maximum;
    }
    copyFilled(buckets.limits(), counts, histogram);
    return histogram;
}

} // namespace lockstep
