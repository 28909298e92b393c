// SPDX-License-Identifier: Apache-2.0
#include "cuda/fake_libraries.h"

#include "cuda/emulated_runtime.h"
#include "device/cuda/bfloat16.h"
#include "device/cuda/convolution_plan.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/matmul_plan.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace lockstep {
namespace {

/// Every plan wants a workspace and spoils it before and after, so that who keeps something there
/// is found out.
constexpr std::size_t kWorkspaceBytes = 512;

struct Fakes
{
    std::mutex mutex; ///< the devices of a training are planned at the same time
    std::vector<std::string> planned;
    std::optional<ErrorCode> failure;
    int plansUntilFailure = 0;
    std::atomic<double> weightGradientFactor = 1.0;
};

Fakes& fakes()
{
    static Fakes instance;
    return instance;
}

void notePlan(const std::string& spec, const std::string& algorithm)
{
    Fakes& all = fakes();
    const std::scoped_lock lock(all.mutex);
    all.planned.push_back(algorithm.empty() ? spec : spec + " <- " + algorithm);
    if (all.failure && all.plansUntilFailure-- == 0) {
        fail(*std::exchange(all.failure, std::nullopt), "a fake library refused {}", spec);
    }
}

std::vector<double> readValues(cuda::DataType type, const void* data, std::int64_t count)
{
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = type == cuda::DataType::Float32
                        ? static_cast<double>(static_cast<const float*>(data)[i])
                        : static_cast<double>(toFloat(static_cast<const cuda::Bfloat16*>(data)[i]));
    }
    return values;
}

void writeValues(cuda::DataType type, void* data, const std::vector<double>& values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<float>(values[i]);
        if (type == cuda::DataType::Float32) {
            static_cast<float*>(data)[i] = value;
        } else {
            static_cast<cuda::Bfloat16*>(data)[i] = cuda::toBfloat16(value);
        }
    }
}

void spoil(void* workspace)
{
    std::memset(workspace, 0xFF, kWorkspaceBytes);
}

double relu(double value)
{
    return value <= 0.0 ? 0.0 : value; // a NaN stays
}

void enqueue(cudaStream_t stream, std::function<void()> work)
{
    cuda::checkCuda(emulation::enqueueHostTask(stream, std::move(work)), "a fake library");
}

class FakeConvolution : public cuda::Convolution
{
public:
    explicit FakeConvolution(cuda::ConvolutionSpec spec) : m_spec(std::move(spec)) {}

    void run(cudaStream_t stream, const cuda::ConvolutionBuffers& buffers) const override
    {
        enqueue(stream, [spec = m_spec, buffers] {
            spoil(buffers.workspace);
            FakeConvolution(spec).compute(buffers);
            spoil(buffers.workspace);
        });
    }
    [[nodiscard]] std::size_t workspaceBytes() const override { return kWorkspaceBytes; }
    [[nodiscard]] std::string describe() const override
    {
        return m_spec.algorithm.empty() ? "fake convolution" : m_spec.algorithm;
    }

private:
    void compute(const cuda::ConvolutionBuffers& buffers) const
    {
        switch (m_spec.direction) {
        case cuda::ConvolutionDirection::Forward:
            return forward(buffers);
        case cuda::ConvolutionDirection::DataGradient:
            return dataGradient(buffers);
        case cuda::ConvolutionDirection::WeightGradient:
            return weightGradient(buffers);
        }
    }

    [[nodiscard]] std::int64_t srcCount() const { return m_spec.examples * m_spec.src.elements(); }
    [[nodiscard]] std::int64_t dstCount() const { return m_spec.examples * m_spec.dst.elements(); }
    [[nodiscard]] std::int64_t taps() const { return m_spec.kernel.height * m_spec.kernel.width; }
    [[nodiscard]] std::int64_t weightCount() const
    {
        return m_spec.dst.channels * taps() * m_spec.src.channels;
    }

    /// Calls visit(first value of the cell of src, of dst, number of the tap) for every pair of
    /// cells that meet.
    template<class Visit>
    void forEachTap(Visit visit) const
    {
        const Shape& src = m_spec.src;
        const Shape& dst = m_spec.dst;
        for (std::int64_t cell = 0; cell < m_spec.examples * dst.height * dst.width; ++cell) {
            const std::int64_t x = cell % dst.width * m_spec.stride.width - m_spec.padding.width;
            const std::int64_t y =
                cell / dst.width % dst.height * m_spec.stride.height - m_spec.padding.height;
            const std::int64_t example = cell / (dst.width * dst.height);
            for (std::int64_t tap = 0; tap < taps(); ++tap) {
                const std::int64_t row = y + tap / m_spec.kernel.width;
                const std::int64_t column = x + tap % m_spec.kernel.width;
                if (row >= 0 && row < src.height && column >= 0 && column < src.width) {
                    const std::int64_t from = (example * src.height + row) * src.width + column;
                    visit(from * src.channels, cell * dst.channels, tap);
                }
            }
        }
    }

    /// Calls visit(place in src, in dst, in weights) for every product.
    template<class Visit>
    void forEachProduct(Visit visit) const
    {
        forEachTap([&](std::int64_t from, std::int64_t to, std::int64_t tap) {
            for (std::int64_t out = 0; out < m_spec.dst.channels; ++out) {
                const std::int64_t weight = (out * taps() + tap) * m_spec.src.channels;
                for (std::int64_t in = 0; in < m_spec.src.channels; ++in) {
                    visit(
                        static_cast<std::size_t>(from + in), static_cast<std::size_t>(to + out),
                        static_cast<std::size_t>(weight + in));
                }
            }
        });
    }

    void forward(const cuda::ConvolutionBuffers& buffers) const
    {
        const auto src = readValues(m_spec.type, buffers.src, srcCount());
        const auto weights = readValues(m_spec.type, buffers.weights, weightCount());
        std::vector<double> dst(static_cast<std::size_t>(dstCount()));
        forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
            dst[to] += src[from] * weights[weight];
        });
        for (std::size_t i = 0; i < dst.size(); ++i) {
            const std::size_t channel = i % static_cast<std::size_t>(m_spec.dst.channels);
            dst[i] += m_spec.hasBias ? static_cast<double>(buffers.bias[channel]) : 0.0;
            dst[i] = m_spec.hasRelu ? relu(dst[i]) : dst[i];
        }
        writeValues(m_spec.type, buffers.dst, dst);
    }

    void dataGradient(const cuda::ConvolutionBuffers& buffers) const
    {
        const auto weights = readValues(m_spec.type, buffers.weights, weightCount());
        const auto diffDst = readValues(m_spec.type, buffers.dst, dstCount());
        std::vector<double> diffSrc(static_cast<std::size_t>(srcCount()));
        forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
            diffSrc[from] += diffDst[to] * weights[weight];
        });
        writeValues(m_spec.type, buffers.src, diffSrc);
    }

    void weightGradient(const cuda::ConvolutionBuffers& buffers) const
    {
        const auto src = readValues(m_spec.type, buffers.src, srcCount());
        const auto diffDst = readValues(m_spec.type, buffers.dst, dstCount());
        std::vector<double> diffWeights(static_cast<std::size_t>(weightCount()));
        forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
            diffWeights[weight] += diffDst[to] * src[from];
        });
        for (double& value : diffWeights) {
            value *= fakes().weightGradientFactor;
        }
        writeValues(cuda::DataType::Float32, buffers.weights, diffWeights);
    }

    cuda::ConvolutionSpec m_spec;
};

class FakeMatmul : public cuda::Matmul
{
public:
    explicit FakeMatmul(cuda::MatmulSpec spec) : m_spec(std::move(spec)) {}

    void run(cudaStream_t stream, const cuda::MatmulBuffers& buffers) const override
    {
        enqueue(stream, [spec = m_spec, buffers] {
            spoil(buffers.workspace);
            FakeMatmul(spec).compute(buffers);
            spoil(buffers.workspace);
        });
    }
    [[nodiscard]] std::size_t workspaceBytes() const override { return kWorkspaceBytes; }
    [[nodiscard]] std::string describe() const override
    {
        return m_spec.algorithm.empty() ? "fake matmul" : m_spec.algorithm;
    }

private:
    void compute(const cuda::MatmulBuffers& buffers) const
    {
        const auto a = readValues(m_spec.type, buffers.a, m_spec.rows * m_spec.depth);
        const auto b = readValues(m_spec.type, buffers.b, m_spec.depth * m_spec.columns);
        std::vector<double> dst(static_cast<std::size_t>(m_spec.rows * m_spec.columns));
        for (std::int64_t row = 0; row < m_spec.rows; ++row) {
            for (std::int64_t column = 0; column < m_spec.columns; ++column) {
                double sum = 0.0;
                for (std::int64_t i = 0; i < m_spec.depth; ++i) {
                    const std::int64_t left =
                        m_spec.transposeA ? i * m_spec.rows + row : row * m_spec.depth + i;
                    const std::int64_t right =
                        m_spec.transposeB ? column * m_spec.depth + i : i * m_spec.columns + column;
                    sum += a[static_cast<std::size_t>(left)] * b[static_cast<std::size_t>(right)];
                }
                dst[static_cast<std::size_t>(row * m_spec.columns + column)] =
                    applyEpilogue(sum, buffers, column);
            }
        }
        writeValues(m_spec.dstType, buffers.dst, dst);
    }

    /// As cuBLASLt: the bias has the type of dst.
    [[nodiscard]] double applyEpilogue(
        double sum, const cuda::MatmulBuffers& buffers, std::int64_t column) const
    {
        if (m_spec.epilogue == cuda::MatmulEpilogue::None) {
            return sum;
        }
        sum += m_spec.dstType == cuda::DataType::Float32
                   ? static_cast<double>(buffers.bias[column])
                   : static_cast<double>(
                       toFloat(static_cast<const cuda::Bfloat16*>(buffers.roundedBias)[column]));
        return m_spec.epilogue == cuda::MatmulEpilogue::BiasRelu ? relu(sum) : sum;
    }

    cuda::MatmulSpec m_spec;
};

} // namespace

namespace test {

void resetFakeLibraries()
{
    const std::scoped_lock lock(fakes().mutex);
    fakes().planned.clear();
    fakes().failure.reset();
    fakes().weightGradientFactor = 1.0;
}

void spoilWeightGradients()
{
    fakes().weightGradientFactor = 1.5;
}

void failNextPlan(ErrorCode code, int after)
{
    const std::scoped_lock lock(fakes().mutex);
    fakes().failure = code;
    fakes().plansUntilFailure = after;
}

std::vector<std::string> plannedSpecs()
{
    const std::scoped_lock lock(fakes().mutex);
    return fakes().planned;
}

} // namespace test

namespace cuda {

std::shared_ptr<const Convolution> planConvolution(
    CudaContext& /*context*/, const ConvolutionSpec& spec)
{
    notePlan(toString(spec), spec.algorithm);
    return std::make_shared<FakeConvolution>(spec);
}

std::shared_ptr<const Matmul> planMatmul(CudaContext& /*context*/, const MatmulSpec& spec)
{
    notePlan(toString(spec), spec.algorithm);
    return std::make_shared<FakeMatmul>(spec);
}

} // namespace cuda
} // namespace lockstep
