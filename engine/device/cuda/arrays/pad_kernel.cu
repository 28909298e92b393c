// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/pad_kernel.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

/// A thread copies one unit of a cell after another.
template<class Unit>
__global__ void copyWindowKernel(WindowCopy window, const Unit* src, Unit* dst, std::int64_t count)
{
    waitForKernelBefore();
    const auto units = static_cast<std::int64_t>(window.cellBytes / sizeof(Unit));
    for (std::int64_t i = globalThread(); i < count; i += globalThreads()) {
        const std::int64_t cell = i / units;
        const std::int64_t x = cell % window.dst.width + window.left;
        const std::int64_t y = cell / window.dst.width % window.dst.height + window.top;
        const std::int64_t example = cell / (window.dst.width * window.dst.height);
        Unit value{};
        if (x >= 0 && x < window.src.width && y >= 0 && y < window.src.height) {
            const std::int64_t source = (example * window.src.height + y) * window.src.width + x;
            value = src[source * units + i % units];
        }
        dst[i] = value;
    }
}

} // namespace

void copyWindow(cudaStream_t stream, const WindowCopy& window, const void* src, void* dst)
{
    withUnit(window.cellBytes, [&](auto unit) {
        using Unit = decltype(unit);
        const std::int64_t count = window.examples * window.dst.height * window.dst.width
                                   * static_cast<std::int64_t>(window.cellBytes / sizeof(Unit));
        launch(
            copyWindowKernel<Unit>, shapeFor(count, kDoubleGrid), stream, window,
            static_cast<const Unit*>(src), static_cast<Unit*>(dst), count);
    });
}

} // namespace lockstep::cuda
