// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "device/op.h"
#include "device/step_features.h"
#include "device/update_rule.h"
#include "network/network_spec.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// What a device is, for tables and for the record of a run.
struct DeviceInfo
{
    std::string name;        ///< "cpu", "cuda:0"
    std::string description; ///< "AMD EPYC 9R14, AVX-512"
    std::string library;     ///< "oneDNN 2.6.3"
    int processors = 0;
    std::int64_t memoryBytes = 0;
    std::vector<Precision> precisions;
    std::map<Precision, std::string> lacks; ///< precisions that it hasn't, and why
};

/// Memory of a device, 256-byte aligned and zero at first; given back at the end of its life.
class DeviceMemory
{
public:
    using Free = std::function<void(std::byte*)>;
    DeviceMemory() = default;
    DeviceMemory(std::byte* data, std::size_t bytes, Free free)
        : m_data(data, std::move(free)), m_bytes(bytes)
    {
    }

    [[nodiscard]] std::byte* data() const { return m_data.get(); }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    std::unique_ptr<std::byte, Free> m_data{nullptr, [](std::byte*) {}};
    std::size_t m_bytes = 0;
};

/// The gradient of one lane, and how much it counts in the average.
struct WeightedGradient
{
    const float* values = nullptr; ///< start of the lane's arena
    float weight = 1.0F;
};

/// A tower's gradient against the mean of all, over a range of the arena.
struct GradientProducts
{
    double squares = 0.0; ///< squared norm
    double dotMean = 0.0; ///< dot product with the mean
};

/// In which order a device keeps the values of a parameter in the arena.
struct StoredOrder
{
    /// Stored value i is value source[i] of the parameter as PyTorch lays it out, or always zero
    /// where source[i] is -1. Empty: just as PyTorch.
    std::vector<std::int32_t> source;
};

/// What the ops of a replica have in common that may be made for two layers at once.
struct FusionSettings
{
    Shape src; ///< of what the first of them reads, for one example
    Precision precision = Precision::Float32;
    StepFeatures features = StepFeatures::all();
    bool keepsInner = false; ///< as OpPlan's
};

class HostDevice;
class Accelerator;

/// A kind of hardware: memory, and the ops of a replica. Methods may be called from several threads
/// at once, on disjoint memory. Either a HostDevice or an Accelerator.
class Device : public Interface
{
public:
    [[nodiscard]] virtual const DeviceInfo& info() const = 0;

    /// As the one kind or the other, for what only that can do; null: it is of the other kind.
    [[nodiscard]] virtual const HostDevice* host() const { return nullptr; }
    [[nodiscard]] virtual const Accelerator* accelerator() const { return nullptr; }
    /// In the host's memory, on its processors: threads, loaders and towers share these.
    [[nodiscard]] bool worksOnHost() const { return host() != nullptr; }
    /// A queue of work; null: what is called is done when the call returns.
    [[nodiscard]] virtual std::unique_ptr<Stream> makeStream() const = 0;

    /// Error(OutOfMemory) says how much was asked.
    [[nodiscard]] virtual DeviceMemory allocate(std::size_t bytes) const = 0;
    /// Between memory of the host and of the device; done when it returns, and after everything
    /// that was given to the device before.
    virtual void copyIn(std::byte* device, const void* host, std::size_t bytes) const = 0;
    virtual void copyOut(void* host, const std::byte* device, std::size_t bytes) const = 0;

    /// Prepares the calling thread to plan and run ops that use `threads` threads.
    virtual void enterThread(int threads) const = 0;

    [[nodiscard]] virtual std::unique_ptr<Op> makeOp(const LayerSpec& spec) const = 0;
    [[nodiscard]] virtual std::unique_ptr<Op> makeObjective(const Objective& objective) const = 0;
    /// One op for a layer and the layer or objective that alone reads it, for training: its sources
    /// are those of the first, its dst is that of the second, its parameters are those of both.
    /// Null: there is none, or not with these features.
    [[nodiscard]] virtual std::unique_ptr<Op> makeFusedOp(
        const Layer& /*first*/, const Layer& /*second*/, const FusionSettings& /*settings*/) const
    {
        return nullptr;
    }
    [[nodiscard]] virtual std::unique_ptr<Op> makeFusedOp(
        const Layer& /*first*/, const Objective& /*second*/,
        const FusionSettings& /*settings*/) const
    {
        return nullptr;
    }

    /// How a parameter of a layer that reads `source` is kept: its weights, or one with a value for
    /// each channel (`isVector`).
    [[nodiscard]] virtual StoredOrder storedOrder(
        const Layer& layer, const Layer& source, bool isVector, Precision precision) const = 0;
    /// Bytes of one weight in the copy that ops multiply with; 0 where they take the float32
    /// itself.
    [[nodiscard]] virtual std::size_t operandBytes(Precision precision) const = 0;
    /// Makes the rounded copies of values that operandBytes() tells of; done when it returns.
    virtual void round(
        Precision precision, std::span<const float> values, std::byte* operands) const = 0;
    /// Adds one gradient of a tensor to another: sum[i] += addend[i]. On `stream`, which is null
    /// where makeStream() gives none.
    virtual void addTo(
        Stream* stream, const TensorPlan& plan, std::byte* sum, const std::byte* addend) const = 0;

    /// Host values (examples x height x width x channels) to a tensor, and back.
    virtual void write(
        const TensorPlan& plan, std::span<const float> values, std::byte* tensor) const = 0;
    virtual void read(
        const TensorPlan& plan, const std::byte* tensor, std::span<float> values) const = 0;
};

/// A device that works in the host's memory, on the calling threads: what was called is done when
/// the call returns.
class HostDevice : public Device
{
public:
    [[nodiscard]] const HostDevice* host() const final { return this; }
    [[nodiscard]] std::unique_ptr<Stream> makeStream() const final;
    void copyIn(std::byte* device, const void* host, std::size_t bytes) const override;
    void copyOut(void* host, const std::byte* device, std::size_t bytes) const override;
    [[nodiscard]] StoredOrder storedOrder(
        const Layer& /*layer*/, const Layer& /*source*/, bool /*isVector*/,
        Precision /*precision*/) const override
    {
        return {};
    }

    /// dst[i] = sum over the lanes, in their order, of weight * values[i], for i in
    /// [offset, offset + count). Returns whether all of dst is finite.
    virtual bool average(
        std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count,
        float* dst) const = 0;

    /// Applies the rule to `count` values.
    virtual void update(
        const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays) const = 0;

    /// Sum of squares, in double; depends on the values only.
    [[nodiscard]] virtual double sumOfSquares(std::span<const float> values) const = 0;

    /// Of the sum of one tower's lanes, each the start of a lane's arena, over
    /// [offset, offset + count); `mean` begins at the range. In double; depends on the values only.
    [[nodiscard]] virtual GradientProducts gradientProducts(
        std::span<const float* const> lanes, std::int64_t offset, std::int64_t count,
        const float* mean) const = 0;

    /// Squared norm of the difference to as many other values, in double.
    [[nodiscard]] virtual double squaredDistance(
        std::span<const float> values, const float* others) const = 0;
};

} // namespace lockstep
