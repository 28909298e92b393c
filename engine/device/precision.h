// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

/// Number format of the arithmetic. Master weights, losses, sums and moving averages are float32 in
/// all.
enum class Precision {
    Float32,  ///< true float32
    Tf32,     ///< float32 in memory, 10 bits of mantissa in matrix products (NVIDIA, since Ampere)
    Bfloat16, ///< bfloat16 operands, float32 accumulation
};

/// "float32", "tf32", "bfloat16".
std::string toString(Precision precision);
/// Error(BadInput) lists the known names.
Precision precisionByName(const std::string& name);

} // namespace lockstep
