// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/ops/stored_order.h"

#include "base/error.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/runtime/cuda_layout.h"

#include <cstring>

namespace lockstep::cuda {
namespace {

/// PyTorch: [out, in, positions]; here: [out, positions, stored].
StoredOrder channelsLast(
    std::int64_t outs, std::int64_t channels, std::int64_t positions, std::int64_t stored)
{
    StoredOrder order;
    order.source.reserve(static_cast<std::size_t>(outs * positions * stored));
    for (std::int64_t out = 0; out < outs; ++out) {
        for (std::int64_t position = 0; position < positions; ++position) {
            for (std::int64_t channel = 0; channel < stored; ++channel) {
                order.source.push_back(
                    channel < channels ? static_cast<std::int32_t>(
                        (out * channels + channel) * positions + position)
                                       : -1);
            }
        }
    }
    return order;
}

template<class T>
void store(std::byte* place, T value)
{
    std::memcpy(place, &value, sizeof(value));
}

template<class T>
T load(const std::byte* place)
{
    T value{};
    std::memcpy(&value, place, sizeof(value));
    return value;
}

/// Calls visit(place of a value in memory in bytes, its number on the host).
template<class Visit>
void forEachValue(const TensorPlan& plan, Visit visit)
{
    const CudaLayout& layout = layoutOf(plan);
    const std::size_t bytes = bytesOf(layout.type);
    const std::int64_t positions = plan.examples * plan.shape.height * plan.shape.width;
    std::size_t number = 0;
    for (std::int64_t position = 0; position < positions; ++position) {
        for (std::int64_t channel = 0; channel < plan.shape.channels; ++channel) {
            visit(static_cast<std::size_t>(position * layout.channels + channel) * bytes, number);
            ++number;
        }
    }
}

} // namespace

std::int64_t storedChannels(const Layer& layer, Precision precision)
{
    return std::holds_alternative<Input>(layer.spec)
               ? paddedChannels(layer.shape.channels, precision)
               : layer.shape.channels;
}

StoredOrder storedOrder(const Layer& layer, const Layer& source, Precision precision)
{
    const std::int64_t stored = storedChannels(source, precision);
    if (const auto* conv = std::get_if<Conv2d>(&layer.spec)) {
        return channelsLast(
            conv->channels, source.shape.channels / conv->groups,
            conv->kernel.height * conv->kernel.width, stored / conv->groups);
    }
    if (const auto* transposed = std::get_if<ConvTranspose2d>(&layer.spec)) {
        return channelsLast(
            source.shape.channels, transposed->channels,
            transposed->kernel.height * transposed->kernel.width, transposed->channels);
    }
    const auto* dense = std::get_if<Dense>(&layer.spec);
    require(dense != nullptr, "this kind of layer has no weights");
    return channelsLast(
        dense->units, source.shape.channels, source.shape.height * source.shape.width, stored);
}

std::vector<std::byte> toStored(const TensorPlan& plan, std::span<const float> values)
{
    std::vector<std::byte> stored(plan.bytes);
    const bool isShort = layoutOf(plan).type == DataType::Bfloat16;
    forEachValue(plan, [&](std::size_t place, std::size_t number) {
        if (isShort) {
            store(stored.data() + place, fromFloat<Bfloat16>(values[number]));
        } else {
            store(stored.data() + place, values[number]);
        }
    });
    return stored;
}

void fromStored(const TensorPlan& plan, std::span<const std::byte> stored, std::span<float> values)
{
    const bool isShort = layoutOf(plan).type == DataType::Bfloat16;
    forEachValue(plan, [&](std::size_t place, std::size_t number) {
        values[number] = isShort ? toFloat(load<Bfloat16>(stored.data() + place))
                                 : load<float>(stored.data() + place);
    });
}

} // namespace lockstep::cuda
