// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/algorithm_store.h"
#include "device/device.h"

#include <filesystem>
#include <memory>

namespace lockstep::cpu {

class ConvolutionChoice;

/// The processors of this machine, through oneDNN and vector kernels of our own. float32, and
/// bfloat16: activations and their gradients are bfloat16 then (but what fully connected layers
/// leave), sums, losses, and the gradients of parameters float32. So are operands where the
/// processor multiplies bfloat16; elsewhere products are made in float32, of weights that are not
/// rounded.
class CpuDevice : public HostDevice
{
public:
    /// Where measured choices are kept, see AlgorithmStore.
    explicit CpuDevice(const std::filesystem::path& algorithms = AlgorithmStore::defaultFile());
    ~CpuDevice() override;

    [[nodiscard]] const DeviceInfo& info() const override { return m_info; }
    [[nodiscard]] DeviceMemory allocate(std::size_t bytes) const override;
    void enterThread(int threads) const override;
    [[nodiscard]] std::unique_ptr<Op> makeOp(const LayerSpec& spec) const override;
    [[nodiscard]] std::unique_ptr<Op> makeObjective(const Objective& objective) const override;
    void write(
        const TensorPlan& plan, std::span<const float> values, std::byte* tensor) const override;
    void read(
        const TensorPlan& plan, const std::byte* tensor, std::span<float> values) const override;
    bool average(
        std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count,
        float* dst) const override;
    [[nodiscard]] std::size_t operandBytes(Precision precision) const override;
    void update(
        const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays) const override;
    void round(
        Precision precision, std::span<const float> values, std::byte* operands) const override;
    void addTo(Stream* stream, const TensorPlan& plan, std::byte* sum, const std::byte* addend)
        const override;
    [[nodiscard]] double sumOfSquares(std::span<const float> values) const override;
    [[nodiscard]] GradientProducts gradientProducts(
        std::span<const float* const> lanes, std::int64_t offset, std::int64_t count,
        const float* mean) const override;
    [[nodiscard]] double squaredDistance(
        std::span<const float> values, const float* others) const override;

private:
    DeviceInfo m_info;
    std::unique_ptr<ConvolutionChoice> m_convolutions;
};

} // namespace lockstep::cpu
