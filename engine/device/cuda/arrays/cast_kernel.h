// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

#include <cstdint>

namespace lockstep::cuda {

struct Bfloat16;

/// dst[i] = src[i]. Both 16-byte aligned.
void widen(cudaStream_t stream, const Bfloat16* src, float* dst, std::int64_t count);
/// dst[i] = src[i], rounded to nearest, ties to even. Both 16-byte aligned.
void narrow(cudaStream_t stream, const float* src, Bfloat16* dst, std::int64_t count);

} // namespace lockstep::cuda
