// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/convolution_choice.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/cpu/runtime/channel_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

namespace lockstep::cpu {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::int64_t weightsOf(const Conv2d& conv, const OpPlan& plan)
{
    return conv.kernel.height * conv.kernel.width * plan.src().shape.channels / conv.groups
           * conv.channels;
}

std::string textOf(const Conv2d& conv, const OpPlan& plan)
{
    const auto layout = channelLayout(plan.src());
    return fmt::format(
        "conv {} x {} to {}, filter {} x {}, {}{}, in {}, {} threads{}", plan.examples,
        toString(plan.src().shape), toString(plan.dstShape), conv.kernel.height, conv.kernel.width,
        toString(conv.activation), conv.hasBias ? ", bias" : "",
        layout ? fmt::format("blocks of {}", layout->block) : "planes", plan.threads,
        plan.needsDiffSrc() ? ", dgrad" : "");
}

/// An op with memory of its own, full of numbers.
class Trial
{
public:
    Trial(const HostDevice& device, const Conv2d& conv, const OpPlan& given, const std::string& way)
        : m_device(device), m_op(device.makeOp(conv))
    {
        OpPlan plan = given;
        plan.algorithm = way;
        const std::int64_t weights = weightsOf(conv, plan);
        plan.parameterOffsets = {0, weights};
        plan.parameterOffsets.resize(conv.hasBias ? 2 : 1);
        m_op->plan(plan);
        OpMemory memory;
        memory.srcs = {numbers(plan.src())};
        memory.diffSrcs = {plan.needsDiffSrc() ? bytes(plan.src().bytes) : nullptr};
        memory.dst = bytes(plan.dst.bytes);
        memory.diffDst = numbers(plan.dst);
        memory.workspace = bytes(plan.workspaceBytes);
        memory.scratchpad = bytes(plan.scratchpadBytes);
        m_op->bind(memory);

        const std::vector<float> values = random(weights + conv.channels);
        float* const parameters = floats(values.size());
        std::ranges::copy(values, parameters);
        std::byte* operands = nullptr;
        if (const std::size_t each = device.operandBytes(plan.precision); each > 0) {
            operands = bytes(values.size() * each);
            device.round(plan.precision, values, operands);
        }
        m_context.weights = {parameters, operands};
        m_context.gradients = floats(values.size());
    }

    double seconds()
    {
        const Stopwatch watch;
        m_op->forward(m_context);
        m_op->backward(m_context);
        return watch.seconds();
    }

private:
    std::byte* bytes(std::size_t count)
    {
        return m_memory.emplace_back(m_device.allocate(count)).data();
    }
    float* floats(std::size_t count)
    {
        return reinterpret_cast<float*>(bytes(count * sizeof(float)));
    }
    /// None is so small that arithmetic is slow with it.
    std::vector<float> random(std::int64_t count)
    {
        std::vector<float> values(static_cast<std::size_t>(count));
        std::ranges::generate(
            values, [this] { return static_cast<float>(m_random() % 255) / 128.0F - 0.99F; });
        return values;
    }
    std::byte* numbers(const TensorPlan& plan)
    {
        std::byte* const tensor = bytes(plan.bytes);
        m_device.write(plan, random(plan.examples * plan.shape.elements()), tensor);
        return tensor;
    }

    const HostDevice& m_device;
    std::unique_ptr<Op> m_op;
    std::vector<DeviceMemory> m_memory;
    std::minstd_rand m_random;
    StepContext m_context;
};

} // namespace

ConvolutionChoice::ConvolutionChoice(const HostDevice& device, std::filesystem::path file)
    : m_device(device), m_store(
                            std::move(file), fmt::format(
                                                 "{}, {} processors; {}", device.info().description,
                                                 device.info().processors, device.info().library))
{
}

bool ConvolutionChoice::suits(const Conv2d& conv, const OpPlan& plan)
{
    // About a millisecond.
    constexpr std::int64_t kLittleWork = 20'000'000;
    const std::int64_t cells = plan.examples * plan.dstShape.height * plan.dstShape.width;
    return plan.precision == Precision::Bfloat16 && plan.isTraining && plan.trainsParameters
           && cells * weightsOf(conv, plan) > kLittleWork;
}

std::string ConvolutionChoice::fastest(
    const Conv2d& conv, OpPlan& plan, const std::vector<std::string>& ways)
{
    const Stopwatch watch;
    const std::string work = textOf(conv, plan);
    const std::scoped_lock lock(m_lock);
    std::string way = m_store.find(work);
    if (std::ranges::find(ways, way) != ways.end()) {
        ++plan.planning.choices.stored;
    } else {
        const Timed best = measure(conv, plan, ways);
        way = best.way;
        m_store.keep(work, way, 1e3 * best.seconds);
        ++plan.planning.choices.measured;
    }
    plan.planning.choices.seconds += watch.seconds();
    plan.planning.choices.add({.notes = m_store.takeNotes()});
    return way;
}

/// In turns, so that what else the machine does meets them all alike; the least time of each.
ConvolutionChoice::Timed ConvolutionChoice::measure(
    const Conv2d& conv, const OpPlan& plan, const std::vector<std::string>& ways) const
{
    constexpr int kTurns = 5;
    constexpr double kLongEnough = 0.5; ///< seconds, after which there is no third turn
    constexpr double kHopeless = 3.0;   ///< times the best of the first turn, in which all is cold
    constexpr double kClearly = 0.95;
    std::vector<std::unique_ptr<Trial>> trials;
    for (const std::string& way : ways) {
        trials.push_back(std::make_unique<Trial>(m_device, conv, plan, way));
    }
    std::vector<double> times(ways.size(), kInfinity);
    const Stopwatch all;
    for (int turn = 0; turn < kTurns && (turn < 2 || all.seconds() < kLongEnough); ++turn) {
        const double hopeless = kHopeless * *std::ranges::min_element(times);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (turn > 0 && times[i] > hopeless) {
                continue;
            }
            if (plan.planning.mayGoOn && !plan.planning.mayGoOn()) {
                fail(
                    ErrorCode::Cancelled, "stopped while the fastest way was looked for: {}",
                    textOf(conv, plan));
            }
            times[i] = std::min(times[i], trials[i]->seconds());
        }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < ways.size(); ++i) {
        best = times[i] < kClearly * times[0] && times[i] < times[best] ? i : best;
    }
    return {ways[best], times[best]};
}

} // namespace lockstep::cpu
