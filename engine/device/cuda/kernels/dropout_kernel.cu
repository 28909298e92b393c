// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/dropout_kernel.h"

#include "device/cuda/arrays/device_philox.h"
#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

/// Of a block of the generator: what a thread takes of a row at once.
constexpr int kDrawn = 4;

/// The thread's next numbers decide over `kValues` values, one after the other.
template<int kValues, class T>
__device__ void dropValues(const DropoutTask& task, DevicePhilox& random, const T* src, T* dst)
{
    float values[kValues];
    loadFloats(src, values);
    for (int k = 0; k < kValues; ++k) {
        values[k] = random.uniform() < task.keptBelow ? task.factor * values[k] : 0.0F;
    }
    storeFloats(dst, values);
}

/// Rows that are made of whole blocks are loaded and stored by vectors.
template<class T, bool kIsWhole>
__global__ void __launch_bounds__(kBlockThreads)
    dropoutKernel(DropoutTask task, const T* src, T* dst)
{
    waitForKernelBefore();
    const std::int64_t step = task.state != nullptr ? task.state->step : 0;
    const std::int64_t perRow = divideUp<std::int64_t>(task.rowValues, kDrawn);
    for (std::int64_t i = globalThread(); i < task.rows * perRow; i += globalThreads()) {
        const std::int64_t row = i / perRow;
        const std::int64_t block = i - row * perRow;
        const std::int64_t first = row * task.rowValues + block * kDrawn;
        DevicePhilox random(
            task.seed, RandomPurpose::Dropout, static_cast<std::uint32_t>(step),
            static_cast<std::uint32_t>(task.firstRow + row), static_cast<std::uint32_t>(block));
        if constexpr (kIsWhole) {
            dropValues<kDrawn>(task, random, src + first, dst + first);
        } else {
            const std::int64_t left = task.rowValues - block * kDrawn;
            for (int k = 0; k < kDrawn && k < left; ++k) {
                dropValues<1>(task, random, src + first + k, dst + first + k);
            }
        }
    }
}

} // namespace

void dropOut(cudaStream_t stream, const DropoutTask& task, const std::byte* src, std::byte* dst)
{
    withType(task.type, [&](auto zero) {
        using T = decltype(zero);
        const bool isWhole = task.rowValues % kDrawn == 0;
        const std::int64_t blocks = task.rows * divideUp<std::int64_t>(task.rowValues, kDrawn);
        launch(
            isWhole ? dropoutKernel<T, true> : dropoutKernel<T, false>, shapeFor(blocks, kFullGrid),
            stream, task, reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

} // namespace lockstep::cuda
