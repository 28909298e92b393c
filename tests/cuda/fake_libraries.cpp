// SPDX-License-Identifier: Apache-2.0
#include "cuda/fake_libraries.h"

#include "cuda/emulated_runtime.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/plans/convolution_plan.h"
#include "device/cuda/plans/matmul_plan.h"
#include "device/cuda/plans/plan_choice.h"
#include "device/cuda/runtime/cuda_check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace lockstep {
namespace {

using cuda::MatmulEpilogue;

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
    std::atomic<test::Epilogues> epilogues = test::Epilogues::All;
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

/// How the fake libraries sum: exactly, or in float32, forwards or backwards, with other bits each.
enum class Summation { Exact, Forwards, Backwards };
constexpr std::array kSummations{Summation::Exact, Summation::Forwards, Summation::Backwards};

double added(Summation summation, double sum, double product)
{
    sum += product;
    return summation == Summation::Exact ? sum : static_cast<double>(static_cast<float>(sum));
}

/// "fake convolution", "fake convolution 1", "… 2".
std::string nameOf(const std::string& kind, Summation summation)
{
    return kind
           + (summation == Summation::Exact ? ""
                                            : ' ' + std::to_string(static_cast<int>(summation)));
}

/// Whether there is a choice among algorithms, as in a real library. It takes time.
bool haveChoice()
{
    return std::getenv("LOCKSTEP_EMULATED_CHOICE") != nullptr;
}

class FakeConvolution : public cuda::Convolution
{
public:
    explicit FakeConvolution(cuda::ConvolutionSpec spec, Summation summation = Summation::Exact)
        : m_spec(std::move(spec)), m_summation(summation)
    {
    }

    void run(cudaStream_t stream, const cuda::ConvolutionBuffers& buffers) const override
    {
        enqueue(stream, [spec = m_spec, summation = m_summation, buffers] {
            spoil(buffers.workspace);
            FakeConvolution(spec, summation).compute(buffers);
            spoil(buffers.workspace);
        });
    }
    [[nodiscard]] std::size_t workspaceBytes() const override { return kWorkspaceBytes; }
    [[nodiscard]] std::string describe() const override
    {
        return m_spec.algorithm.empty() ? nameOf("fake convolution", m_summation)
                                        : m_spec.algorithm;
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

    /// Calls visit(first value of the cell of src, of dst, number of the tap) for every pair of
    /// cells that meet.
    template<class Visit>
    void forEachTap(Visit visit) const
    {
        const Shape& src = m_spec.src;
        const Shape& dst = m_spec.dst;
        const std::int64_t cells = m_spec.examples * dst.height * dst.width;
        for (std::int64_t i = 0; i < cells; ++i) {
            const std::int64_t cell = m_summation == Summation::Backwards ? cells - 1 - i : i;
            const std::int64_t x = cell % dst.width * m_spec.stride.width - m_spec.padding.width;
            const std::int64_t y =
                cell / dst.width % dst.height * m_spec.stride.height - m_spec.padding.height;
            const std::int64_t example = cell / (dst.width * dst.height);
            for (std::int64_t j = 0; j < taps(); ++j) {
                const std::int64_t tap = m_summation == Summation::Backwards ? taps() - 1 - j : j;
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
            const std::int64_t ins = m_spec.src.channels / m_spec.groups;
            const std::int64_t outs = m_spec.dst.channels / m_spec.groups;
            for (std::int64_t out = 0; out < m_spec.dst.channels; ++out) {
                const std::int64_t weight = (out * taps() + tap) * ins;
                const std::int64_t first = from + out / outs * ins;
                for (std::int64_t in = 0; in < ins; ++in) {
                    visit(
                        static_cast<std::size_t>(first + in), static_cast<std::size_t>(to + out),
                        static_cast<std::size_t>(weight + in));
                }
            }
        });
    }

    void forward(const cuda::ConvolutionBuffers& buffers) const
    {
        const auto src = readValues(m_spec.type, buffers.src, srcCount());
        const auto weights = readValues(m_spec.type, buffers.weights, cuda::weightCount(m_spec));
        std::vector<double> dst(static_cast<std::size_t>(dstCount()));
        forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
            dst[to] = added(m_summation, dst[to], src[from] * weights[weight]);
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
        const auto weights = readValues(m_spec.type, buffers.weights, cuda::weightCount(m_spec));
        const auto diffDst = readValues(m_spec.type, buffers.dst, dstCount());
        std::vector<double> diffSrc(static_cast<std::size_t>(srcCount()));
        forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
            diffSrc[from] = added(m_summation, diffSrc[from], diffDst[to] * weights[weight]);
        });
        if (m_spec.adds) { // to accumulators of float32
            const auto there = readValues(m_spec.type, buffers.src, srcCount());
            for (std::size_t i = 0; i < there.size(); ++i) {
                diffSrc[i] = there[i] + static_cast<double>(static_cast<float>(diffSrc[i]));
            }
        }
        writeValues(m_spec.type, buffers.src, diffSrc);
    }

    void weightGradient(const cuda::ConvolutionBuffers& buffers) const
    {
        const auto src = readValues(m_spec.type, buffers.src, srcCount());
        const auto diffDst = readValues(m_spec.type, buffers.dst, dstCount());
        std::vector<double> diffWeights(static_cast<std::size_t>(cuda::weightCount(m_spec)));
        forEachProduct([&](std::size_t from, std::size_t to, std::size_t weight) {
            diffWeights[weight] = added(m_summation, diffWeights[weight], diffDst[to] * src[from]);
        });
        for (double& value : diffWeights) {
            value *= fakes().weightGradientFactor;
        }
        writeValues(cuda::DataType::Float32, buffers.weights, diffWeights);
    }

    cuda::ConvolutionSpec m_spec;
    Summation m_summation;
};

class FakeMatmul : public cuda::Matmul
{
public:
    explicit FakeMatmul(const cuda::MatmulSpec& spec, Summation summation = Summation::Exact)
        : FakeMatmul(
            spec, summation,
            fakes().epilogues != test::Epilogues::All
                && (spec.epilogue == MatmulEpilogue::ReluGradient
                    || spec.epilogue == MatmulEpilogue::BiasGradient))
    {
    }

    void run(cudaStream_t stream, const cuda::MatmulBuffers& buffers) const override
    {
        enqueue(stream, [spec = m_spec, summation = m_summation, kernel = m_hasKernel, buffers] {
            spoil(buffers.workspace);
            FakeMatmul(spec, summation, kernel).compute(buffers);
            spoil(buffers.workspace);
        });
        if (m_hasKernel) {
            applyEpilogue(stream, m_spec, buffers);
        }
    }
    [[nodiscard]] std::size_t workspaceBytes() const override
    {
        return std::max(kWorkspaceBytes, epilogueScratchBytes(m_spec));
    }
    [[nodiscard]] std::string describe() const override
    {
        return m_spec.algorithm.empty() ? nameOf("fake matmul", m_summation) : m_spec.algorithm;
    }

private:
    FakeMatmul(cuda::MatmulSpec spec, Summation summation, bool hasKernel)
        : m_spec(std::move(spec)), m_summation(summation), m_hasKernel(hasKernel)
    {
    }

    void compute(const cuda::MatmulBuffers& buffers) const
    {
        const auto a = readValues(m_spec.type, buffers.a, m_spec.rows * m_spec.depth);
        const auto b = readValues(m_spec.type, buffers.b, m_spec.depth * m_spec.columns);
        std::vector<double> dst(static_cast<std::size_t>(m_spec.rows * m_spec.columns));
        for (std::int64_t row = 0; row < m_spec.rows; ++row) {
            for (std::int64_t column = 0; column < m_spec.columns; ++column) {
                double sum = 0.0;
                for (std::int64_t j = 0; j < m_spec.depth; ++j) {
                    const std::int64_t i =
                        m_summation == Summation::Backwards ? m_spec.depth - 1 - j : j;
                    const std::int64_t left =
                        m_spec.transposeA ? i * m_spec.rows + row : row * m_spec.depth + i;
                    const std::int64_t right =
                        m_spec.transposeB ? column * m_spec.depth + i : i * m_spec.columns + column;
                    sum = added(
                        m_summation, sum,
                        a[static_cast<std::size_t>(left)] * b[static_cast<std::size_t>(right)]);
                }
                dst[static_cast<std::size_t>(row * m_spec.columns + column)] =
                    withEpilogue(sum, buffers, row, column);
            }
        }
        writeValues(m_spec.dstType, buffers.dst, dst);
        if (m_spec.epilogue == MatmulEpilogue::BiasGradient && !m_hasKernel) {
            sumUp(a, buffers.diffBias);
        }
    }

    /// As cuBLASLt: the bias has the type of dst.
    [[nodiscard]] double withEpilogue(
        double sum, const cuda::MatmulBuffers& buffers, std::int64_t row, std::int64_t column) const
    {
        const std::int64_t bit = row * maskStride(m_spec) + column;
        const auto flag = std::byte{1} << static_cast<int>(bit % 8);
        switch (m_spec.epilogue) {
        case MatmulEpilogue::None:
        case MatmulEpilogue::BiasGradient:
            return sum;
        case MatmulEpilogue::Bias:
            return sum + bias(buffers, column);
        case MatmulEpilogue::BiasRelu:
            return relu(sum + bias(buffers, column));
        case MatmulEpilogue::BiasReluMask: {
            sum += bias(buffers, column);
            std::byte& place = buffers.mask[bit / 8];
            place = sum <= 0.0 ? place & ~flag : place | flag;
            return relu(sum);
        }
        case MatmulEpilogue::ReluGradient:
            return m_hasKernel || (buffers.mask[bit / 8] & flag) == flag ? sum : 0.0;
        }
        return sum;
    }

    [[nodiscard]] double bias(const cuda::MatmulBuffers& buffers, std::int64_t column) const
    {
        return m_spec.dstType == cuda::DataType::Float32
                   ? static_cast<double>(buffers.bias[column])
                   : static_cast<double>(
                       toFloat(static_cast<const cuda::Bfloat16*>(buffers.roundedBias)[column]));
    }

    void sumUp(const std::vector<double>& a, float* diffBias) const
    {
        std::vector<double> sums(static_cast<std::size_t>(m_spec.rows));
        for (std::size_t i = 0; i < a.size(); ++i) {
            sums[i % sums.size()] = added(m_summation, sums[i % sums.size()], a[i]);
        }
        writeValues(cuda::DataType::Float32, diffBias, sums);
    }

    cuda::MatmulSpec m_spec;
    Summation m_summation;
    bool m_hasKernel; ///< of ours does the epilogue
};

/// As the real planConvolution and planMatmul, among the three ways to sum. `tryAll` chooses one.
template<class Plan, class Fake, class Spec, class TryAll>
std::shared_ptr<const Plan> planFake(
    cuda::CudaContext& context, std::map<std::string, std::shared_ptr<const Plan>>& known,
    const Spec& spec, Planning& planning, TryAll tryAll)
{
    std::vector<std::shared_ptr<const Fake>> fakes;
    Spec open = spec;
    open.algorithm.clear();
    for (const Summation summation : kSummations) {
        fakes.push_back(std::make_shared<Fake>(open, summation));
    }
    const auto find = [&](const std::string& text) -> std::shared_ptr<const Plan> {
        const auto found =
            std::ranges::find_if(fakes, [&](const auto& fake) { return fake->describe() == text; });
        return found == fakes.end() ? nullptr : *found;
    };
    const auto choose = [&](bool isFirst) -> cuda::MeasuredPlan<Plan> {
        if (isFirst) {
            return {fakes.front()};
        }
        const cuda::PlanChoice choice = tryAll(fakes, context, planning);
        return {fakes[choice.number], choice.milliseconds};
    };
    return planOnce(context, known, spec, planning, find, choose);
}

} // namespace

namespace test {

void resetFakeLibraries()
{
    const std::scoped_lock lock(fakes().mutex);
    fakes().planned.clear();
    fakes().failure.reset();
    fakes().weightGradientFactor = 1.0;
    fakes().epilogues = Epilogues::All;
}

void knowEpilogues(Epilogues known)
{
    fakes().epilogues = known;
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
    CudaContext& context, const ConvolutionSpec& spec, Planning& planning)
{
    notePlan(toString(spec), spec.algorithm);
    if (!haveChoice()) {
        return std::make_shared<FakeConvolution>(spec);
    }
    return planFake<Convolution, FakeConvolution>(
        context, context.convolutions, spec, planning,
        [&](const auto& fakes, CudaContext& own, Planning& asked) {
            const std::string what = toString(spec);
            const bool isGradient = spec.direction == ConvolutionDirection::WeightGradient;
            const DataType weightType = isGradient ? DataType::Float32 : spec.type;
            TrialMemory src = trialValues(spec.examples * spec.src.elements(), spec.type, what);
            TrialMemory weights = trialValues(weightCount(spec), weightType, what);
            TrialMemory bias = trialValues(spec.dst.channels, DataType::Float32, what);
            TrialMemory dst = trialValues(spec.examples * spec.dst.elements(), spec.type, what);
            TrialMemory workspace(kWorkspaceBytes, what);
            PlanTask task{what};
            task.result = isGradient                                             ? &weights
                          : spec.direction == ConvolutionDirection::DataGradient ? &src
                                                                                 : &dst;
            task.resultType = isGradient ? weightType : spec.type;
            task.precision = spec.precision;
            task.adds = spec.adds;
            for (const auto& fake : fakes) {
                task.candidates.push_back({fake->describe(), [&](cudaStream_t stream) {
                                               fake->run(
                                                   stream,
                                                   {src.data(), weights.data(),
                                                    reinterpret_cast<const float*>(bias.data()),
                                                    dst.data(), workspace.data()});
                                           }});
            }
            return choosePlan(own, task, asked);
        });
}

std::shared_ptr<const Matmul> planMatmul(
    CudaContext& context, const MatmulSpec& spec, Planning& planning)
{
    notePlan(toString(spec), spec.algorithm);
    if (spec.epilogue == MatmulEpilogue::BiasReluMask
        && fakes().epilogues == test::Epilogues::OfForward) {
        fail(ErrorCode::Device, "no algorithm for {}", toString(spec));
    }
    if (!haveChoice()) {
        return std::make_shared<FakeMatmul>(spec);
    }
    return planFake<Matmul, FakeMatmul>(
        context, context.matmuls, spec, planning,
        [&](const auto& fakes, CudaContext& own, Planning& asked) {
            const std::string what = toString(spec);
            TrialMemory a = trialValues(spec.rows * spec.depth, spec.type, what);
            TrialMemory b = trialValues(spec.depth * spec.columns, spec.type, what);
            TrialMemory bias = trialValues(spec.columns, DataType::Float32, what);
            TrialMemory roundedBias = trialValues(spec.columns, DataType::Bfloat16, what);
            TrialMemory dst = trialValues(spec.rows * spec.columns, spec.dstType, what);
            TrialMemory workspace(kWorkspaceBytes, what);
            TrialMemory mask(maskBytes(spec), what);
            TrialMemory diffBias(static_cast<std::size_t>(spec.rows) * sizeof(float), what);
            mask.spoil(0xFF);
            PlanTask task{what};
            task.result = &dst;
            task.resultType = spec.dstType;
            task.precision = spec.precision;
            for (const auto& fake : fakes) {
                task.candidates.push_back(
                    {fake->describe(), [&](cudaStream_t stream) {
                         fake->run(
                             stream,
                             {a.data(), b.data(), reinterpret_cast<const float*>(bias.data()),
                              roundedBias.data(), dst.data(), workspace.data(), mask.data(),
                              nullptr, reinterpret_cast<float*>(diffBias.data())});
                     }});
            }
            return choosePlan(own, task, asked);
        });
}

} // namespace cuda
} // namespace lockstep
