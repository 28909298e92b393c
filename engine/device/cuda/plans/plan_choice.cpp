// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/plan_choice.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>

namespace lockstep::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void log(const std::string& line)
{
    if (const char* file = std::getenv("LOCKSTEP_PLAN_LOG"); file != nullptr) {
        std::ofstream(file, std::ios::app) << line << '\n'; // closed, and so written, at once
    }
}

/// Most that right results may be apart: norm of the difference by norm of the reference. Results
/// in bfloat16 are rounded to 8 bits, tensor cores round the operands; sums in another order, and
/// Winograd's small tiles, stay well below.
double tolerance(Precision precision)
{
    return precision == Precision::Float32 ? 1e-3 : 2e-2;
}

double relativeDistance(const std::vector<float>& values, const std::vector<float>& reference)
{
    double difference = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto right = static_cast<double>(reference[i]);
        difference += std::pow(static_cast<double>(values[i]) - right, 2.0);
        norm += right * right;
    }
    return std::sqrt(difference) / std::max(std::sqrt(norm), std::numeric_limits<double>::min());
}

/// One choice among the candidates of a task.
class PlanTrials
{
public:
    PlanTrials(CudaContext& context, const PlanTask& task, Planning& planning)
        : m_context(context), m_task(task), m_planning(planning)
    {
    }

    PlanChoice choose()
    {
        if (m_task.spoilOperand) {
            dropNanHiders();
        }
        dropWrong();
        if (std::ranges::count(m_times, kInfinity) < std::ssize(m_times) - 1) {
            warmUp();
        }
        pruneSlow();
        measure();
        m_context.lastTrial = Clock::now();
        return pick();
    }

private:
    [[nodiscard]] bool isIn(std::size_t number) const { return m_times[number] < kInfinity; }

    void drop(std::size_t number, const std::string& reason)
    {
        m_times[number] = kInfinity;
        m_reasons += fmt::format("; {}: {}", m_task.candidates[number].name, reason);
        log(fmt::format("dropped {}: {}", m_task.candidates[number].name, reason));
    }

    /// Calls body(number, work) for all that are still in; what throws is out.
    template<class Body>
    void forEach(Body body)
    {
        for (std::size_t i = 0; i < m_times.size(); ++i) {
            // The reference first: it is what the others are compared with.
            const std::size_t number = i == 0                  ? m_task.reference
                                       : i <= m_task.reference ? i - 1
                                                               : i;
            if (!isIn(number)) {
                continue;
            }
            if (m_planning.mayGoOn && !m_planning.mayGoOn()) {
                fail(
                    ErrorCode::Cancelled, "stopped while an algorithm was chosen for {}",
                    m_task.what);
            }
            try {
                body(number, m_task.candidates[number].work);
            } catch (const Error& error) {
                refuseBrokenDevice(number, error);
                drop(number, error.what());
            }
        }
    }

    /// An illegal access fails everything that comes after it.
    void refuseBrokenDevice(std::size_t number, const Error& error) const
    {
        if (cudaDeviceSynchronize() != cudaSuccess) {
            fail(
                ErrorCode::Device, "{} has left the GPU unusable when it was tried for {}: {}",
                m_task.candidates[number].name, m_task.what, error.what());
        }
    }

    /// Documents don't say which engines do, so it is tried.
    void dropNanHiders()
    {
        m_task.spoilOperand(true);
        forEach([&](std::size_t number, const PlanTimer::Work& work) {
            log(fmt::format("{}: {}, with a NaN", m_task.what, m_task.candidates[number].name));
            m_task.result->spoil(0);
            m_timer.once(work);
            if (!m_task.result->isFirstNan(m_task.resultType)) {
                drop(number, "turns a NaN into a number");
            }
        });
        m_task.spoilOperand(false);
    }

    [[nodiscard]] std::vector<float> resultsOf(const PlanTimer::Work& work) const
    {
        if (m_task.adds) {
            m_task.result->fill(m_task.resultType);
        } else {
            m_task.result->spoil(0xFF); // NaN, where nothing is written
        }
        if (m_task.sums != nullptr) {
            m_task.sums->spoil(0xFF);
        }
        m_timer.once(work);
        std::vector<float> values = m_task.result->sample(m_task.resultType);
        if (m_task.sums != nullptr) {
            const std::vector<float> sums = m_task.sums->sample(DataType::Float32);
            values.insert(values.end(), sums.begin(), sums.end());
        }
        return values;
    }

    /// The first run loads the code, too.
    void dropWrong()
    {
        std::optional<std::vector<float>> right;
        forEach([&](std::size_t number, const PlanTimer::Work& work) {
            log(fmt::format("{}: {}", m_task.what, m_task.candidates[number].name));
            std::vector<float> values = resultsOf(work);
            const double distance = relativeDistance(values, right.value_or(values));
            if (!(distance <= tolerance(m_task.precision))) {
                drop(number, "computes something else");
                m_planning.choices.notes.push_back(fmt::format(
                    "{} was left out for {}: its result is {:.2g} away from that of others",
                    m_task.candidates[number].name, m_task.what, distance));
            } else if (!right) {
                right = std::move(values);
            }
        });
    }

    /// An idle GPU's clocks take a while to rise; what is timed meanwhile looks slow.
    void warmUp()
    {
        constexpr auto kPause = std::chrono::seconds(2);
        constexpr auto kWork = std::chrono::milliseconds(150);
        const Clock::time_point begin = Clock::now();
        if (m_context.lastTrial && begin - *m_context.lastTrial < kPause) {
            return;
        }
        while (Clock::now() - begin < kWork) {
            forEach([&](std::size_t, const PlanTimer::Work& work) { m_timer.once(work); });
        }
    }

    void pruneSlow()
    {
        constexpr double kSlow = 1.5;
        // What is as short as its call is timed more than once: the host may have been held up.
        constexpr double kShort = 0.2;
        constexpr int kShortRuns = 3;
        forEach([&](std::size_t number, const PlanTimer::Work& work) {
            log(fmt::format("{}: {}, timed", m_task.what, m_task.candidates[number].name));
            m_times[number] = m_timer.milliseconds(work);
            for (int run = 1; run < kShortRuns && m_times[number] < kShort; ++run) {
                m_times[number] = std::min(m_times[number], m_timer.milliseconds(work));
            }
        });
        const double best = std::ranges::min(m_times);
        for (double& time : m_times) {
            if (time > kSlow * best) {
                time = kInfinity;
            }
        }
    }

    /// In rounds, so that a clock that changes touches all alike.
    void measure()
    {
        constexpr int kRounds = 3;
        constexpr double kGraphTime = 2.0; // a single call is too short for the events
        constexpr double kMostCalls = 10.0;
        if (std::ranges::count(m_times, kInfinity) >= std::ssize(m_times) - 1) {
            return; // nothing to compare
        }
        std::vector<PlanTimer::Work> graphs(m_times.size());
        std::vector<double> calls(m_times.size());
        const std::vector<double> eager = m_times;
        forEach([&](std::size_t number, const PlanTimer::Work& work) {
            log(fmt::format("{}: {}, replayed", m_task.what, m_task.candidates[number].name));
            calls[number] = std::floor(
                std::clamp(kGraphTime / std::max(m_times[number], 1e-6), 1.0, kMostCalls));
            graphs[number] = m_timer.captured(work, static_cast<int>(calls[number]));
            m_timer.once(graphs[number]);
            m_times[number] = std::numeric_limits<double>::max();
        });
        if (std::ranges::min(m_times) == kInfinity) {
            m_times = eager; // nothing can be captured here, and steps will not be, either
            return;
        }
        for (int round = 0; round < kRounds; ++round) {
            forEach([&](std::size_t number, const PlanTimer::Work&) {
                const double time = m_timer.milliseconds(graphs[number]) / calls[number];
                m_times[number] = std::min(m_times[number], time);
            });
        }
    }

    /// Noise is to decide as little as possible.
    [[nodiscard]] PlanChoice pick() const
    {
        constexpr double kTie = 1.02;
        const double best = std::ranges::min(m_times);
        if (best == kInfinity) {
            fail(ErrorCode::Device, "no algorithm works for {}{}", m_task.what, m_reasons);
        }
        const auto chosen =
            std::ranges::find_if(m_times, [&](double time) { return time <= kTie * best; });
        const auto number = static_cast<std::size_t>(chosen - m_times.begin());
        log(fmt::format(
            "{}: chose {}, {:.4f} ms", m_task.what, m_task.candidates[number].name, *chosen));
        return {number, *chosen};
    }

    CudaContext& m_context;
    const PlanTask& m_task;
    Planning& m_planning;
    PlanTimer m_timer;
    /// Milliseconds as far as they are known; infinite: out.
    std::vector<double> m_times = std::vector<double>(m_task.candidates.size());
    std::string m_reasons;
};

} // namespace

PlanChoice choosePlan(CudaContext& context, const PlanTask& task, Planning& planning)
{
    return PlanTrials(context, task, planning).choose();
}

} // namespace lockstep::cuda
