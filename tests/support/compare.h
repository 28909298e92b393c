// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace lockstep::test {

/// How far a float32 result may be from the float64 reference: the Euclidean norm of the difference
/// over the norm of what is expected. A float32 rounds to 6e-8; a sum of K random terms loses about
/// sqrt(K) roundings, and every layer on the way adds its own. What is measured stands beside each.
namespace tolerance {

/// One forward op: up to 7 x 7 x 64 terms a sum (measured: below 1.1e-6).
inline constexpr double kForward = 5e-6;
/// One op backward behind a 1 x 1 convolution: sums over rows and cells too (measured:
/// below 1.4e-6).
inline constexpr double kBackward = 1e-5;
/// Up to six ops in a row (measured: below 1.1e-6, and 1.1e-5 where a convolution is by minimal
/// filtering).
inline constexpr double kChain = 3e-5;
/// The response normalisation alone: a reciprocal square root by Newton steps, or Highway's log
/// and exp, each good to a few roundings (measured: below 4e-7).
inline constexpr double kLrn = 2e-6;
/// One fused multiply-add or two roundings per element.
inline constexpr double kElementwise = 5e-7;
/// The same gradient summed in another order over towers and lanes (architecture.md, oracle 1).
inline constexpr double kTowers = 1e-5;

/// Of one value to bfloat16, which keeps 8 bits of its mantissa: a bound, not a measurement.
inline constexpr double kBfloat16Rounding = 0x1p-8;
/// In bfloat16 every operand, activation and gradient on the way is rounded, by 1.6e-3 on average:
/// one op between two others, forward and backward (measured: below 9.3e-3).
inline constexpr double kOpBfloat16 = 2e-2;
/// Up to six ops in a row (measured: below 1.2e-2).
inline constexpr double kChainBfloat16 = 3e-2;
/// Gradients of cifar10, whose ReLUs and maxima decide otherwise for values that lie within
/// rounding of each other: each takes a gradient to another place (measured: 0.17).
inline constexpr double kDecidedBfloat16 = 0.3;

} // namespace tolerance

template<class T>
double norm(std::span<const T> values)
{
    double sum = 0.0;
    for (const T value : values) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return std::sqrt(sum);
}

/// Norm of got - expected over the norm of expected, or over `scale` where that is larger: for
/// tensors that are all but zero beside others. Infinite where sizes differ or a value is NaN.
template<class Got, class Expected>
double relativeError(
    std::span<const Got> got, std::span<const Expected> expected, double scale = 0.0)
{
    if (got.size() != expected.size()) {
        return std::numeric_limits<double>::infinity();
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double difference = static_cast<double>(got[i]) - static_cast<double>(expected[i]);
        sum += difference * difference;
    }
    const double size = std::max(norm(expected), scale);
    const double error = size > 0.0 ? std::sqrt(sum) / size : std::sqrt(sum);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

} // namespace lockstep::test
