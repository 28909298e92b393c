// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/tensor_kernels.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    addTensorKernel(std::int64_t count, T* sum, const T* part)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    const auto add = [&](auto width, std::int64_t i) {
        float a[width.value];
        float b[width.value];
        loadFloats(sum + i, a);
        loadFloats(part + i, b);
        for (int k = 0; k < width.value; ++k) {
            a[k] += b[k];
        }
        storeFloats(sum + i, a);
    };
    const std::int64_t vectors = count / kValues;
    const std::int64_t thread = globalThread();
    if (thread < vectors) {
        add(std::integral_constant<int, kValues>{}, kValues * thread);
    } else if (thread - vectors < count - kValues * vectors) {
        add(std::integral_constant<int, 1>{}, (kValues - 1) * vectors + thread);
    }
}

/// A thread adds up one sum and gives it to all towers.
__global__ void __launch_bounds__(kBlockThreads) addUpTowersKernel(TowerSumTask task)
{
    waitForKernelBefore();
    const std::int64_t i = globalThread();
    if (i < task.count) {
        double sum = 0.0;
        for (int tower = 0; tower < task.terms; ++tower) {
            sum += task.sums[tower][i];
        }
        for (int tower = 0; tower < task.towers; ++tower) {
            task.sums[tower][i] = sum;
        }
    }
}

} // namespace

void addUpTowers(cudaStream_t stream, const TowerSumTask& task)
{
    launch(addUpTowersKernel, shapeFor(task.count), stream, task);
}

void addTensor(cudaStream_t stream, const TensorPlan& plan, std::byte* sum, const std::byte* part)
{
    if (plan.bytes == 0) {
        return;
    }
    withType(layoutOf(plan).type, [&](auto zero) {
        using T = decltype(zero);
        constexpr std::int64_t kValues = kVectorValues<T>;
        const auto count = static_cast<std::int64_t>(plan.bytes / sizeof(T));
        launch(
            addTensorKernel<T>, shapeFor(count / kValues + count % kValues), stream, count,
            reinterpret_cast<T*>(sum), reinterpret_cast<const T*>(part));
    });
}

} // namespace lockstep::cuda
