// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.h"

#include "base/error.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/arrays/step_kernels.h"
#include "device/cuda/arrays/tail_kernel.h"
#include "device/cuda/arrays/tensor_kernels.h"
#include "device/cuda/arrays/update_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/ops/stored_order.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/find_devices.h"
#include "device/cuda/runtime/kernel_trace.h"
#include "device/cuda/runtime/nccl_communicator.h"
#include "device/cuda/runtime/nvml.h"

#include <algorithm>

namespace lockstep::cuda {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

std::unique_ptr<CudaContext> contextFor(
    int index, const DeviceInfo& info, const LibraryHandles& handles)
{
    auto context = std::make_unique<CudaContext>();
    context->device = index;
    context->store = std::make_unique<AlgorithmStore>(
        AlgorithmStore::defaultFile(),
        fmt::format("{}, {} processors; {}", info.description, info.processors, info.library));
    context->cudnn = handles.cudnn();
    context->cublas = handles.cublas();
    return context;
}

/// Waits for all streams: they don't wait for plain copies, nor these for them.
void waitForAll()
{
    checkCuda(cudaDeviceSynchronize(), "waiting for the GPU");
}

} // namespace

CudaDevice::CudaDevice(int index)
    : m_index(index), m_info(describeDevice(index)), m_handles(index),
      m_context(contextFor(index, m_info, m_handles))
{
}

DeviceMemory CudaDevice::allocate(std::size_t bytes) const
{
    select(m_index);
    // A buffer that is never touched still needs an address.
    const std::size_t asked = std::max<std::size_t>(bytes, 1);
    void* data = nullptr;
    const cudaError_t result = cudaMalloc(&data, asked);
    if (result == cudaErrorMemoryAllocation) {
        std::size_t free = 0;
        std::size_t total = 0;
        cudaGetLastError();
        cudaMemGetInfo(&free, &total);
        fail(
            ErrorCode::OutOfMemory,
            "{}: {} MiB of memory were asked for, {} MiB of {} MiB are free; use a smaller batch, "
            "fewer towers or another device",
            m_info.name, asked / kMebibyte, free / kMebibyte, total / kMebibyte);
    }
    checkCuda(result, "allocating memory");
    DeviceMemory memory(static_cast<std::byte*>(data), bytes, [index = m_index](std::byte* given) {
        cudaSetDevice(index);
        cudaFree(given);
    });
    checkCuda(cudaMemset(data, 0, asked), "clearing memory");
    waitForAll();
    return memory;
}

DeviceMemory CudaDevice::allocateShared(std::size_t bytes) const
{
    select(m_index);
    void* data = nullptr;
    checkCuda(
        cudaHostAlloc(
            &data, std::max<std::size_t>(bytes, 1), cudaHostAllocMapped | cudaHostAllocPortable),
        "allocating memory of the host for the GPU");
    std::fill_n(static_cast<std::byte*>(data), bytes, std::byte{0});
    return {static_cast<std::byte*>(data), bytes, [](std::byte* given) { cudaFreeHost(given); }};
}

void CudaDevice::copyIn(std::byte* device, const void* host, std::size_t bytes) const
{
    select(m_index);
    waitForAll();
    checkCuda(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
    // The copy of pageable memory may still be on its way when cudaMemcpy returns.
    waitForAll();
}

void CudaDevice::copyOut(void* host, const std::byte* device, std::size_t bytes) const
{
    select(m_index);
    waitForAll();
    checkCuda(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
}

void CudaDevice::enterThread(int /*threads*/) const
{
    select(m_index);
}

std::unique_ptr<Op> CudaDevice::makeOp(const LayerSpec& spec) const
{
    return std::visit([&](const auto& layer) { return cuda::makeOp(layer, *m_context); }, spec);
}

std::unique_ptr<Op> CudaDevice::makeObjective(const Objective& objective) const
{
    return std::visit(
        [&](const auto& loss) { return cuda::makeOp(loss, *m_context); }, objective.loss);
}

std::unique_ptr<Op> CudaDevice::makeFusedOp(
    const Layer& first, const Objective& second, const FusionSettings& settings) const
{
    return makeSoftmaxHead(first, second, settings);
}

std::unique_ptr<Op> CudaDevice::makeFusedOp(
    const Layer& first, const Layer& second, const FusionSettings& settings) const
{
    return makePoolAndNorm(first, second, settings);
}

StoredOrder CudaDevice::storedOrder(
    const Layer& layer, const Layer& source, bool isVector, Precision precision) const
{
    return isVector ? StoredOrder{} : cuda::storedOrder(layer, source, precision);
}

std::size_t CudaDevice::operandBytes(Precision precision) const
{
    return precision == Precision::Bfloat16 ? sizeof(Bfloat16) : 0;
}

void CudaDevice::write(
    const TensorPlan& plan, std::span<const float> values, std::byte* tensor) const
{
    const std::vector<std::byte> stored = toStored(plan, values);
    copyIn(tensor, stored.data(), stored.size());
}

void CudaDevice::read(
    const TensorPlan& plan, const std::byte* tensor, std::span<float> values) const
{
    std::vector<std::byte> stored(plan.bytes);
    copyOut(stored.data(), tensor, stored.size());
    fromStored(plan, stored, values);
}

std::unique_ptr<Stream> CudaDevice::makeStream() const
{
    return std::make_unique<CudaStream>(m_index);
}

std::unique_ptr<Event> CudaDevice::makeEvent() const
{
    return std::make_unique<CudaEvent>(m_index);
}

void CudaDevice::enqueueCopyIn(
    Stream& stream, std::byte* device, const void* host, std::size_t bytes) const
{
    checkCuda(
        cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, handleOf(stream)),
        "copying to the GPU");
}

void CudaDevice::round(
    Precision /*precision*/, std::span<const float> values, std::byte* operands) const
{
    const auto stream = makeStream();
    narrow(
        handleOf(*stream), values.data(), reinterpret_cast<Bfloat16*>(operands),
        static_cast<std::int64_t>(values.size()));
    stream->synchronize();
}

void CudaDevice::addTo(
    Stream* stream, const TensorPlan& plan, std::byte* sum, const std::byte* addend) const
{
    addTensor(handleOf(*stream), plan, sum, addend);
}

void CudaDevice::enqueueTowerSum(Stream& stream, const TowerSumTask& task) const
{
    addUpTowers(handleOf(stream), task);
}

void CudaDevice::enqueueAdd(Stream& stream, std::span<float> sum, const float* addend) const
{
    const Shape shape{1, 1, std::ssize(sum)};
    addTensor(
        handleOf(stream), tensorPlan(1, shape, DataType::Float32),
        reinterpret_cast<std::byte*>(sum.data()), reinterpret_cast<const std::byte*>(addend));
}

void CudaDevice::enqueueAverage(Stream& stream, const AverageTask& task) const
{
    average(handleOf(stream), task);
}

void CudaDevice::enqueueCheck(
    Stream& stream, StepState* state, std::span<const float> values, std::int64_t offset) const
{
    check(handleOf(stream), state, values, offset);
}

void CudaDevice::enqueueLossCheck(Stream& stream, const LossCheckTask& task) const
{
    checkLosses(handleOf(stream), task);
}

void CudaDevice::enqueueMeasure(Stream& stream, const MeasureTask& task) const
{
    measure(handleOf(stream), task);
}

void CudaDevice::enqueueUpdate(Stream& stream, const UpdateTask& task) const
{
    update(handleOf(stream), task);
}

void CudaDevice::enqueueFinish(Stream& stream, const FinishTask& task) const
{
    finish(handleOf(stream), task);
}

void CudaDevice::enqueueTail(Stream& stream, const TailTask& task) const
{
    endStep(handleOf(stream), task);
}

void CudaDevice::enqueueStamp(Stream& stream, std::int64_t* place) const
{
    stamp(handleOf(stream), place);
}

std::string CudaDevice::makeSumKey() const
{
    return makeCommunicatorKey();
}

std::vector<std::unique_ptr<Communicator>> CudaDevice::connect(
    std::span<const Accelerator* const> devices, const SumMembers& members) const
{
    std::vector<int> indices;
    for (const Accelerator* device : devices) {
        indices.push_back(dynamic_cast<const CudaDevice&>(*device).index());
    }
    return connectDevices(indices, members);
}

DeviceReading CudaDevice::reading() const
{
    return readNvml(m_index);
}

KernelTrace CudaDevice::trace(const std::function<void()>& work) const
{
    return traceKernels(m_index, work);
}

} // namespace lockstep::cuda
