// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.h"
#include "device/cpu/kernels/ceiling_kernels.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <omp.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lockstep::cpu {
namespace {

using Arguments = std::unordered_map<int, dnnl::memory>;
using Bytes = std::shared_ptr<DeviceMemory>;

/// Memory as the device gives it. Not zero, as pages of zeros may be shared; read as bfloat16,
/// every value is about 0.75.
Bytes filled(std::size_t bytes)
{
    constexpr int kFill = 0x3F;
    auto memory = std::make_shared<DeviceMemory>(CpuDevice().allocate(bytes));
    std::memset(memory->data(), kFill, memory->bytes());
    return memory;
}

} // namespace

std::function<double()> bfloat16MatrixProduct()
{
    constexpr std::int64_t kSize = 1024;
    constexpr double kFlop = 2.0 * kSize * kSize * kSize;
    using Type = dnnl::memory::data_type;
    using Tag = dnnl::memory::format_tag;
    omp_set_num_threads(1);
    const auto matrix = [](Tag order) { return Desc({kSize, kSize}, Type::bf16, order); };
    const DenseForward desc = denseForward(
        {matrix(Tag::nc), matrix(Tag::any), vectorDesc(kSize), matrix(Tag::nc)}, false);
    std::vector<Bytes> arrays; // what the memory objects point to
    dnnl::stream stream(dnnlEngine());
    Arguments arguments;
    const auto add = [&](int name, const Desc& tensor) {
        if (tensor.get_size() > 0) {
            arrays.push_back(filled(tensor.get_size()));
            arguments.emplace(name, memoryAt(tensor, arrays.back()->data()));
        }
    };
    add(DNNL_ARG_SRC, desc.src_desc());
    add(DNNL_ARG_WEIGHTS, desc.weights_desc());
    add(DNNL_ARG_BIAS, desc.bias_desc());
    add(DNNL_ARG_DST, desc.dst_desc());
    add(DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc());
    const dnnl::inner_product_forward product(desc);
    return [product, stream, arguments, arrays]() mutable {
        product.execute(stream, arguments);
        stream.wait();
        return kFlop;
    };
}

std::function<double()> copyBetween(std::size_t bytes)
{
    constexpr std::size_t kParts = 8;
    constexpr std::size_t kLine = 64;
    const Bytes from = filled(bytes);
    const Bytes to = filled(bytes);
    const std::size_t part = bytes / kParts / kLine * kLine;
    return [=, next = std::size_t{0}]() mutable {
        const std::size_t offset = next * part;
        next = (next + 1) % kParts;
        streamCopy(
            reinterpret_cast<const float*>(from->data() + offset),
            static_cast<std::int64_t>(part / sizeof(float)),
            reinterpret_cast<float*>(to->data() + offset));
        return 2.0 * static_cast<double>(part);
    };
}

} // namespace lockstep::cpu
