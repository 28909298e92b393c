// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/plan_timer.h"

#include "base/error.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/runtime/cuda_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace lockstep::cuda {
namespace {

/// Values that repeat: enough of them that no cache line is met twice by one block.
constexpr std::int64_t kPattern = 1 << 20;

/// Numerical Recipes' quick generator; only the looks matter.
class Noise
{
public:
    float next()
    {
        m_state = m_state * 1664525U + 1013904223U;
        return static_cast<float>(m_state >> 8U) / static_cast<float>(1U << 23U) - 1.0F;
    }

private:
    std::uint32_t m_state = 1;
};

template<class T>
std::vector<T> pattern(std::size_t bytes)
{
    Noise noise;
    std::vector<T> values(std::min<std::size_t>(bytes / sizeof(T), kPattern));
    for (T& value : values) {
        value = fromFloat<T>(noise.next());
    }
    return values;
}

template<class T>
void fillWith(const std::vector<T>& values, std::byte* data, std::size_t bytes)
{
    const std::size_t step = std::max<std::size_t>(values.size() * sizeof(T), 1);
    for (std::size_t done = 0; done < bytes; done += step) {
        checkCuda(
            cudaMemcpy(
                data + done, values.data(), std::min(step, bytes - done), cudaMemcpyHostToDevice),
            "filling memory for timing");
    }
}

/// A graph and what it takes to launch it.
class GraphOwner
{
public:
    explicit GraphOwner(cudaGraphExec_t graph) : m_graph(graph) {}
    ~GraphOwner() { cudaGraphExecDestroy(m_graph); }
    GraphOwner(const GraphOwner&) = delete;
    GraphOwner& operator=(const GraphOwner&) = delete;
    [[nodiscard]] cudaGraphExec_t get() const { return m_graph; }

private:
    cudaGraphExec_t m_graph;
};

} // namespace

TrialMemory::TrialMemory(std::size_t bytes, const std::string& what) : m_bytes(bytes)
{
    if (bytes == 0) {
        return;
    }
    void* data = nullptr;
    const cudaError_t result = cudaMalloc(&data, bytes);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        std::size_t freeBytes = 0;
        std::size_t totalBytes = 0;
        cudaMemGetInfo(&freeBytes, &totalBytes);
        fail(
            ErrorCode::OutOfMemory,
            "no memory to choose an algorithm for {}: asked for {} MiB, {} MiB of {} MiB are free; "
            "use a smaller batch or fewer towers on this GPU",
            what, bytes >> 20U, freeBytes >> 20U, totalBytes >> 20U);
    }
    checkCuda(result, "allocating memory to choose an algorithm for " + what);
    m_data = static_cast<std::byte*>(data);
}

TrialMemory::~TrialMemory()
{
    if (m_data != nullptr) {
        cudaFree(m_data);
    }
}

TrialMemory::TrialMemory(TrialMemory&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(other.m_bytes)
{
}

TrialMemory& TrialMemory::operator=(TrialMemory&& other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

void TrialMemory::fill(DataType type)
{
    if (type == DataType::Float32) {
        fillWith(pattern<float>(m_bytes), m_data, m_bytes);
    } else {
        fillWith(pattern<Bfloat16>(m_bytes), m_data, m_bytes);
    }
    checkCuda(cudaDeviceSynchronize(), "filling memory for timing"); // copies may return early
}

void TrialMemory::spoilFirst(DataType type)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Bfloat16 rounded = toBfloat16(nan);
    const void* value = type == DataType::Float32 ? static_cast<const void*>(&nan) : &rounded;
    checkCuda(cudaMemcpy(m_data, value, bytesOf(type), cudaMemcpyHostToDevice), "writing a NaN");
    checkCuda(cudaDeviceSynchronize(), "writing a NaN");
}

bool TrialMemory::isFirstNan(DataType type) const
{
    float value = 0.0F;
    Bfloat16 rounded{};
    void* place = type == DataType::Float32 ? static_cast<void*>(&value) : &rounded;
    checkCuda(cudaMemcpy(place, m_data, bytesOf(type), cudaMemcpyDeviceToHost), "reading a NaN");
    return std::isnan(type == DataType::Float32 ? value : toFloat(rounded));
}

void TrialMemory::spoil(int value)
{
    checkCuda(cudaMemset(m_data, value, m_bytes), "clearing memory for a trial");
    checkCuda(cudaDeviceSynchronize(), "clearing memory for a trial");
}

std::vector<float> TrialMemory::sample(DataType type) const
{
    constexpr std::size_t kSlices = 16;
    constexpr std::size_t kSlice = std::size_t{1} << 15U; // bytes
    // Places of whole values; of little memory all.
    const std::size_t slices = m_bytes > kSlices * kSlice ? kSlices : 1;
    const std::size_t size = slices == 1 ? m_bytes : kSlice;
    std::vector<std::byte> bytes(slices * size);
    for (std::size_t i = 0; i < slices; ++i) {
        const std::size_t last = m_bytes - size;
        const std::size_t offset = slices == 1 ? 0 : last / (slices - 1) * i / 4 * 4;
        checkCuda(
            cudaMemcpy(bytes.data() + i * size, m_data + offset, size, cudaMemcpyDeviceToHost),
            "reading a result");
    }
    std::vector<float> values(bytes.size() / bytesOf(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (type == DataType::Float32) {
            std::memcpy(&values[i], bytes.data() + i * sizeof(float), sizeof(float));
        } else {
            Bfloat16 value{};
            std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
            values[i] = toFloat(value);
        }
    }
    return values;
}

TrialMemory trialValues(std::int64_t count, DataType type, const std::string& what)
{
    TrialMemory memory(static_cast<std::size_t>(count) * bytesOf(type), what);
    memory.fill(type);
    return memory;
}

PlanTimer::PlanTimer()
{
    checkCuda(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
    checkCuda(cudaEventCreateWithFlags(&m_begin, cudaEventDefault), "making an event");
    checkCuda(cudaEventCreateWithFlags(&m_end, cudaEventDefault), "making an event");
}

PlanTimer::~PlanTimer()
{
    cudaEventDestroy(m_end);
    cudaEventDestroy(m_begin);
    cudaStreamDestroy(m_stream);
}

void PlanTimer::once(const Work& work) const
{
    work(m_stream);
    checkCuda(cudaStreamSynchronize(m_stream), "trying an algorithm");
}

double PlanTimer::milliseconds(const Work& work) const
{
    checkCuda(cudaEventRecord(m_begin, m_stream), "timing an algorithm");
    work(m_stream);
    checkCuda(cudaEventRecord(m_end, m_stream), "timing an algorithm");
    checkCuda(cudaEventSynchronize(m_end), "timing an algorithm");
    float milliseconds = 0.0F;
    checkCuda(cudaEventElapsedTime(&milliseconds, m_begin, m_end), "timing an algorithm");
    return static_cast<double>(milliseconds);
}

cudaGraphExec_t PlanTimer::capture(const Work& work, int times) const
{
    checkCuda(
        cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal),
        "beginning to capture an algorithm");
    cudaGraph_t graph = nullptr;
    try {
        for (int i = 0; i < times; ++i) {
            work(m_stream);
        }
    } catch (...) {
        cudaStreamEndCapture(m_stream, &graph);
        if (graph != nullptr) {
            cudaGraphDestroy(graph);
        }
        cudaGetLastError(); // the capture may be lost; that is no news
        throw;
    }
    checkCuda(cudaStreamEndCapture(m_stream, &graph), "capturing an algorithm");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t result = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    checkCuda(result, "making a graph of an algorithm");
    return executable;
}

PlanTimer::Work PlanTimer::captured(const Work& work, int times) const
{
    const auto graph = std::make_shared<GraphOwner>(capture(work, times));
    return [graph](cudaStream_t stream) {
        checkCuda(cudaGraphLaunch(graph->get(), stream), "replaying an algorithm");
    };
}

} // namespace lockstep::cuda
