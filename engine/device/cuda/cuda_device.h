// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/cuda/runtime/cuda_context.h"
#include "device/cuda/runtime/library_handles.h"

#include <memory>
#include <span>
#include <vector>

namespace lockstep::cuda {

/// One GPU of NVIDIA.
class CudaDevice final : public Accelerator
{
public:
    /// GPU `index` in the order of CUDA. Error(Device) if it can't be used.
    explicit CudaDevice(int index);

    [[nodiscard]] const DeviceInfo& info() const override { return m_info; }
    [[nodiscard]] DeviceMemory allocate(std::size_t bytes) const override;
    [[nodiscard]] DeviceMemory allocateShared(std::size_t bytes) const override;
    void copyIn(std::byte* device, const void* host, std::size_t bytes) const override;
    void copyOut(void* host, const std::byte* device, std::size_t bytes) const override;
    void enterThread(int threads) const override;

    [[nodiscard]] std::unique_ptr<Op> makeOp(const LayerSpec& spec) const override;
    [[nodiscard]] std::unique_ptr<Op> makeObjective(const Objective& objective) const override;
    [[nodiscard]] std::unique_ptr<Op> makeFusedOp(
        const Layer& first, const Objective& second, const FusionSettings& settings) const override;
    [[nodiscard]] std::unique_ptr<Op> makeFusedOp(
        const Layer& first, const Layer& second, const FusionSettings& settings) const override;
    [[nodiscard]] StoredOrder storedOrder(
        const Layer& layer, const Layer& source, bool isVector, Precision precision) const override;
    [[nodiscard]] std::size_t operandBytes(Precision precision) const override;
    void write(
        const TensorPlan& plan, std::span<const float> values, std::byte* tensor) const override;
    void read(
        const TensorPlan& plan, const std::byte* tensor, std::span<float> values) const override;

    [[nodiscard]] std::unique_ptr<Stream> makeStream() const override;
    [[nodiscard]] std::unique_ptr<Event> makeEvent() const override;
    void enqueueCopyIn(
        Stream& stream, std::byte* device, const void* host, std::size_t bytes) const override;
    void round(
        Precision precision, std::span<const float> values, std::byte* operands) const override;
    void addTo(Stream* stream, const TensorPlan& plan, std::byte* sum, const std::byte* addend)
        const override;
    void enqueueTowerSum(Stream& stream, const TowerSumTask& task) const override;
    void enqueueAdd(Stream& stream, std::span<float> sum, const float* addend) const override;
    void enqueueAverage(Stream& stream, const AverageTask& task) const override;
    void enqueueCheck(
        Stream& stream, StepState* state, std::span<const float> values,
        std::int64_t offset) const override;
    void enqueueLossCheck(Stream& stream, const LossCheckTask& task) const override;
    void enqueueMeasure(Stream& stream, const MeasureTask& task) const override;
    void enqueueUpdate(Stream& stream, const UpdateTask& task) const override;
    void enqueueFinish(Stream& stream, const FinishTask& task) const override;
    void enqueueTail(Stream& stream, const TailTask& task) const override;
    void enqueueStamp(Stream& stream, std::int64_t* place) const override;
    [[nodiscard]] std::string makeSumKey() const override;
    [[nodiscard]] std::vector<std::unique_ptr<Communicator>> connect(
        std::span<const Accelerator* const> devices, const SumMembers& members) const override;
    [[nodiscard]] DeviceReading reading() const override;
    [[nodiscard]] KernelTrace trace(const std::function<void()>& work) const override;

    [[nodiscard]] int index() const { return m_index; }

private:
    int m_index;
    DeviceInfo m_info;
    LibraryHandles m_handles;
    /// What ops plan; a device is otherwise never changed by those who use it.
    std::unique_ptr<CudaContext> m_context;
};

} // namespace lockstep::cuda
