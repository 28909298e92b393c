// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "device/cpu/convolution/convolution_choice.h"
#include "device/cpu/kernels/gradient_kernels.h"
#include "device/cpu/kernels/update_kernel.h"
#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <type_traits>

namespace lockstep::cpu {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kLargePage = std::size_t{2} << 20U;

std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "CPU";
}

std::int64_t physicalMemory()
{
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
}

/// Host order, examples x height x width x channels, as oneDNN says it; a vector has one cell.
Desc hostDesc(const TensorPlan& plan)
{
    if (layoutOf(plan).dims().size() == 2) {
        return matrixDesc(plan.examples, plan.shape.elements());
    }
    return imageDesc(plan.examples, plan.shape, Element::Float32, dnnl::memory::format_tag::nhwc);
}

} // namespace

CpuDevice::CpuDevice(const std::filesystem::path& algorithms)
    : m_info{"cpu", processorName(), "oneDNN " + dnnlVersion(), ThreadTeam::processors(), physicalMemory(), {Precision::Float32, Precision::Bfloat16}, {{Precision::Tf32, "it is a format of NVIDIA's matrix units"}}},
      m_convolutions(std::make_unique<ConvolutionChoice>(*this, algorithms))
{
}

CpuDevice::~CpuDevice() = default;

DeviceMemory CpuDevice::allocate(std::size_t bytes) const
{
    // The passes over whole arenas and activations touch thousands of small pages a step. Where the
    // system gives large ones, cifar10's gains 1.5 to 2.5 %.
    const std::size_t alignment = bytes >= kLargePage ? kLargePage : kAlignment;
    const std::size_t rounded =
        std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
    auto* data = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
    if (data == nullptr) {
        fail(
            ErrorCode::OutOfMemory, "cpu: {} MiB of memory were asked for, but are not available",
            rounded >> 20U);
    }
    if (alignment == kLargePage) {
        madvise(data, rounded, MADV_HUGEPAGE); // a wish: small pages do as well
    }
    // Touched here: replicas are made by the threads that will use them, so that they lie near
    // those threads' processors. (The parameters, which all threads read, lie near the first.)
    std::memset(data, 0, rounded);
    return {data, rounded, [](std::byte* memory) { std::free(memory); }};
}

void CpuDevice::enterThread(int threads) const
{
    omp_set_num_threads(threads);
}

std::unique_ptr<Op> CpuDevice::makeOp(const LayerSpec& spec) const
{
    return std::visit(
        [this](const auto& layer) {
            if constexpr (std::is_same_v<decltype(layer), const Conv2d&>) {
                return cpu::makeOp(layer, *m_convolutions);
            } else {
                return cpu::makeOp(layer);
            }
        },
        spec);
}

std::unique_ptr<Op> CpuDevice::makeObjective(const Objective& objective) const
{
    return std::visit([](const auto& loss) { return cpu::makeOp(loss); }, objective.loss);
}

void CpuDevice::write(
    const TensorPlan& plan, std::span<const float> values, std::byte* tensor) const
{
    Reorder(hostDesc(plan), layoutOf(plan)).run(values.data(), tensor);
}

void CpuDevice::read(const TensorPlan& plan, const std::byte* tensor, std::span<float> values) const
{
    Reorder(layoutOf(plan), hostDesc(plan)).run(tensor, values.data());
}

bool CpuDevice::average(
    std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count,
    float* dst) const
{
    return averageRange(lanes, offset, count, dst);
}

std::size_t CpuDevice::operandBytes(Precision precision) const
{
    return operandElement(precision) == Element::Bfloat16
               ? static_cast<std::size_t>(bytesOf(Element::Bfloat16))
               : 0;
}

void CpuDevice::update(const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays) const
{
    updateRange(rule, count, arrays);
}

void CpuDevice::round(
    Precision /*precision*/, std::span<const float> values, std::byte* operands) const
{
    roundRange(values, operands);
}

void CpuDevice::addTo(
    Stream* /*stream*/, const TensorPlan& plan, std::byte* sum, const std::byte* addend) const
{
    const Element element = elementOf(layoutOf(plan));
    const std::int64_t count = static_cast<std::int64_t>(plan.bytes) / bytesOf(element);
    addRange(element, {sum, addend, sum}, count, false);
}

double CpuDevice::sumOfSquares(std::span<const float> values) const
{
    return sumOfSquaresOf(values);
}

GradientProducts CpuDevice::gradientProducts(
    std::span<const float* const> lanes, std::int64_t offset, std::int64_t count,
    const float* mean) const
{
    return productsOfRange(lanes, offset, count, mean);
}

double CpuDevice::squaredDistance(std::span<const float> values, const float* others) const
{
    return squaredDistanceOf(values, others);
}

} // namespace lockstep::cpu
