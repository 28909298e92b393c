// SPDX-License-Identifier: Apache-2.0
#pragma once

// For kernels and for host code; the two give the same bits.
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#define LOCKSTEP_BOTH_SIDES __host__ __device__
#else
#define LOCKSTEP_BOTH_SIDES
#endif

#include <cstdint>
#include <cstring>

namespace lockstep::cuda {

/// The upper half of a float32: 8 bits of exponent, 7 of fraction. Storage only: calculate in
/// float.
struct Bfloat16
{
    std::uint16_t bits;
};

[[nodiscard]] LOCKSTEP_BOTH_SIDES inline float toFloat(float value)
{
    return value;
}

[[nodiscard]] LOCKSTEP_BOTH_SIDES inline float toFloat(Bfloat16 value)
{
    const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16U;
#if defined(__CUDA_ARCH__)
    return __uint_as_float(bits);
#else
    float result = 0.0F;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
#endif
}

/// To the nearest, ties to even; what is too large becomes infinite, a NaN the NaN 0x7FFF, as the
/// device's own conversion has it.
[[nodiscard]] LOCKSTEP_BOTH_SIDES inline Bfloat16 toBfloat16(float value)
{
#if defined(__CUDA_ARCH__)
    return {__bfloat16_as_ushort(__float2bfloat16_rn(value))};
#else
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        return {0x7FFFU};
    }
    const std::uint32_t isOdd = (bits >> 16U) & 1U;
    return {static_cast<std::uint16_t>((bits + 0x7FFFU + isOdd) >> 16U)};
#endif
}

/// Rounds to a type that is known to a template only.
template<class T>
[[nodiscard]] LOCKSTEP_BOTH_SIDES T fromFloat(float value);
template<>
[[nodiscard]] LOCKSTEP_BOTH_SIDES inline float fromFloat<float>(float value)
{
    return value;
}
template<>
[[nodiscard]] LOCKSTEP_BOTH_SIDES inline Bfloat16 fromFloat<Bfloat16>(float value)
{
    return toBfloat16(value);
}

/// Calls body(a T) for a DataType that is known at run time only.
template<class Type, class Body>
void withType(Type type, Body body)
{
    type == Type::Bfloat16 ? body(Bfloat16{}) : body(0.0F);
}

} // namespace lockstep::cuda
