// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <variant>

namespace lockstep {

/// Every value the same.
struct Constant
{
    double value = 0.0;
};

/// Normal with mean 0, drawn anew beyond two standard deviations (TensorFlow's truncated normal);
/// the standard deviation that results is 0.87963 * stddev.
struct TruncatedNormal
{
    double stddev = 1.0;
};

/// Normal with mean 0, not truncated.
struct Normal
{
    double stddev = 1.0;
};

/// Uniform within +- sqrt(6 / (fanIn + fanOut)) (Glorot and Bengio, 2010). Fans count the values
/// that one output reads and that one input reaches; NetworkBuilder fills them in.
struct XavierUniform
{
    std::int64_t fanIn = 0;
    std::int64_t fanOut = 0;
};

/// Normal with deviation sqrt(2 / fanOut) (He et al., "Delving Deep into Rectifiers", 2015, by the
/// backward pass, as PyTorch's ResNets). The fan counts the values that one input reaches.
struct HeNormal
{
    std::int64_t fanOut = 0; ///< NetworkBuilder fills it in
};

using Initializer = std::variant<Constant, TruncatedNormal, Normal, XavierUniform, HeNormal>;

/// Fills `values`. The numbers depend on the seed and on the number of the parameter in its network
/// only, in the order of the parameter's elements.
void initialize(
    const Initializer& initializer, std::uint64_t seed, std::uint32_t parameter,
    std::span<float> values);

} // namespace lockstep
