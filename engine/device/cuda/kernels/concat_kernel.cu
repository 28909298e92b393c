// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/concat_kernel.h"

#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

/// A thread copies one unit after another.
template<class Unit>
__global__ void __launch_bounds__(kBlockThreads)
    copyPiecesKernel(PieceCopy copy, const std::byte* src, std::byte* dst)
{
    waitForKernelBefore();
    const auto units = static_cast<std::int64_t>(copy.bytes / sizeof(Unit));
    const std::int64_t count = copy.positions * units;
    for (std::int64_t i = globalThread(); i < count; i += globalThreads()) {
        const std::int64_t position = i / units;
        const std::int64_t unit = i - position * units;
        const auto from = position * static_cast<std::int64_t>(copy.srcStride);
        const auto to = position * static_cast<std::int64_t>(copy.dstStride);
        reinterpret_cast<Unit*>(dst + to)[unit] = reinterpret_cast<const Unit*>(src + from)[unit];
    }
}

} // namespace

void copyPieces(cudaStream_t stream, const PieceCopy& copy, const std::byte* src, std::byte* dst)
{
    const std::size_t sizes = copy.bytes | copy.srcStride | copy.dstStride
                              | reinterpret_cast<std::uintptr_t>(src)
                              | reinterpret_cast<std::uintptr_t>(dst);
    withUnit(sizes, [&](auto unit) {
        using Unit = decltype(unit);
        const std::int64_t count =
            copy.positions * static_cast<std::int64_t>(copy.bytes / sizeof(Unit));
        launch(copyPiecesKernel<Unit>, shapeFor(count, kFullGrid), stream, copy, src, dst);
    });
}

} // namespace lockstep::cuda
