// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/cast_kernel.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

constexpr int kValues = 4;

/// A thread casts kValues neighbours, the last one those that are left.
template<class Src, class Dst>
__global__ void castKernel(const Src* src, Dst* dst, std::int64_t count)
{
    waitForKernelBefore();
    const std::int64_t first = globalThread() * kValues;
    if (first + kValues <= count) {
        float values[kValues];
        loadFloats(src + first, values);
        storeFloats(dst + first, values);
        return;
    }
    for (std::int64_t i = first; i < count; ++i) {
        dst[i] = fromFloat<Dst>(toFloat(src[i]));
    }
}

template<class Src, class Dst>
void cast(cudaStream_t stream, const Src* src, Dst* dst, std::int64_t count)
{
    const LaunchShape shape = shapeFor(divideUp<std::int64_t>(count, kValues));
    launch(castKernel<Src, Dst>, shape, stream, src, dst, count);
}

} // namespace

void widen(cudaStream_t stream, const Bfloat16* src, float* dst, std::int64_t count)
{
    cast(stream, src, dst, count);
}

void narrow(cudaStream_t stream, const float* src, Bfloat16* dst, std::int64_t count)
{
    cast(stream, src, dst, count);
}

} // namespace lockstep::cuda
