// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.h"
#include "device/parameter_arena.h"
#include "device/parameter_chunks.h"
#include "network/models/catalog.h"
#include "network/reference.h"
#include "support/elements.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace lockstep;

namespace {

/// Keeps rounded copies of weights whatever the processor multiplies.
class RoundingDevice : public cpu::CpuDevice
{
public:
    [[nodiscard]] std::size_t operandBytes(Precision precision) const override
    {
        return precision == Precision::Bfloat16 ? 2 : 0;
    }
};

std::size_t numberOf(const NetworkSpec& network, const std::string& name)
{
    const auto found = std::ranges::find(network.parameters, name, &ParameterSpec::name);
    return static_cast<std::size_t>(found - network.parameters.begin());
}

} // namespace

class TestParameterArena : public QObject
{
    Q_OBJECT

private slots:
    void Layout_holdsEveryParameter_onceAndAligned()
    {
        const NetworkSpec network = cifar10Network();
        const ParameterLayout layout(network);
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            QCOMPARE(layout.counts[i], network.parameters[i].elements());
            QCOMPARE(layout.offsets[i] % 64, 0);
            ranges.emplace_back(layout.offsets[i], layout.offsets[i] + layout.counts[i]);
        }
        std::ranges::sort(ranges);
        QCOMPARE(ranges.front().first, 0);
        for (std::size_t i = 1; i < ranges.size(); ++i) {
            const std::int64_t gap = ranges[i].first - ranges[i - 1].second;
            QVERIFY(gap >= 0 && gap < 64);
        }
        QVERIFY(layout.elements >= ranges.back().second);
        QVERIFY(layout.elements < ranges.back().second + 64);
        QCOMPARE(
            std::accumulate(layout.counts.begin(), layout.counts.end(), std::int64_t{0}), 1068298);
    }

    void Layout_followsTheBackwardPass_lastLayerFirst()
    {
        const NetworkSpec network = cifar10Network();
        const ParameterLayout layout(network);
        const auto offset = [&](const std::string& name) {
            return layout.offsets[numberOf(network, name)];
        };
        QVERIFY(offset("softmax_linear.weight") < offset("local4.weight"));
        QVERIFY(offset("local4.weight") < offset("local3.weight"));
        QVERIFY(offset("local3.weight") < offset("conv2.weight"));
        QVERIFY(offset("conv2.weight") < offset("conv1.weight"));
    }

    void Arena_partsAreApart_alignedAndZeroAtFirst()
    {
        const NetworkSpec network = cifar10Network();
        const cpu::CpuDevice device;
        const ParameterArena arena(device, network);
        const std::int64_t elements = arena.layout().elements;
        QVERIFY(arena.gradient() >= arena.weights() + elements);
        QVERIFY(arena.movingAverage() >= arena.gradient() + elements);
        for (float* part : {arena.weights(), arena.gradient(), arena.movingAverage()}) {
            QCOMPARE(reinterpret_cast<std::uintptr_t>(part) % 256, std::uintptr_t{0});
            QVERIFY(std::all_of(part, part + elements, [](float value) { return value == 0.0F; }));
            std::fill_n(part, elements, 1.0F);
        }
    }

    void Slots_areFurtherParts_andBeginAtTheirValues()
    {
        const NetworkSpec network = cifar10Network();
        const cpu::CpuDevice device;
        const ParameterArena arena(device, network, Precision::Float32, UpdateKind::RmsProp);
        arena.initialize(network, 77);
        QCOMPARE(arena.slotSpecs().size(), std::size_t{2});
        QVERIFY(
            (arena.stateParts()
             == std::vector{arena.weights(), arena.movingAverage(), arena.slot(0), arena.slot(1)}));
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(arena.slot(i) >= arena.movingAverage() + arena.layout().elements);
            QVERIFY(arena.updateArrays(64).optimizerState.at(i) == arena.slot(i) + 64);
            for (int parameter = 0; parameter < 10; ++parameter) {
                QVERIFY(std::ranges::all_of(arena.of(arena.slot(i), parameter), [&](float value) {
                    return value == (i == 0 ? 1.0F : 0.0F);
                }));
            }
        }
        QVERIFY(ParameterArena(device, network).updateArrays(0).optimizerState.at(0) == nullptr);
    }

    void Initialize_drawsTheWeights_andStartsTheAverageAtThem()
    {
        const NetworkSpec network = cifar10Network();
        const cpu::CpuDevice device;
        const ParameterArena arena(device, network);
        arena.initialize(network, 77);
        const auto expected = referenceParameters(network, 77);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto number = static_cast<int>(i);
            QVERIFY(std::ranges::equal(arena.of(arena.weights(), number), expected[i]));
            QVERIFY(std::ranges::equal(arena.of(arena.movingAverage(), number), expected[i]));
        }
        QVERIFY(std::all_of(
            arena.gradient(), arena.gradient() + arena.layout().elements,
            [](float value) { return value == 0.0F; }));
    }

    void Operands_areTheRoundedValues_ofWeightsAndAverage()
    {
        const NetworkSpec network = cifar10Network();
        const RoundingDevice device;
        const ParameterArena exact(device, network);
        QVERIFY(exact.operands() == nullptr && exact.weightsView().operands == nullptr);
        const ParameterArena arena(device, network, Precision::Bfloat16);
        arena.initialize(network, 77);
        std::fill_n(arena.movingAverage(), 1000, 1.0F / 3.0F);
        arena.roundOperands();
        for (const WeightsView& view : {arena.weightsView(), arena.movingAverageView()}) {
            for (std::int64_t i = 0; i < arena.layout().elements; ++i) {
                std::uint16_t bits = 0;
                std::memcpy(&bits, view.operands + 2 * i, sizeof bits);
                if (bits != test::toBfloat16(view.values[i])) {
                    QFAIL(qPrintable(QString("value %1 is not its own rounding").arg(i)));
                }
            }
        }
    }

    void UpdateArrays_ofAnOffset_areThatPlaceInEveryPart()
    {
        const NetworkSpec network = cifar10Network();
        const RoundingDevice device;
        const ParameterArena arena(device, network, Precision::Bfloat16);
        const UpdateArrays arrays = arena.updateArrays(64);
        QVERIFY(arrays.gradient == arena.gradient() + 64);
        QVERIFY(arrays.weights == arena.weights() + 64);
        QVERIFY(arrays.average == arena.movingAverage() + 64);
        QVERIFY(arrays.operands == arena.operands() + 128);
        QVERIFY(ParameterArena(device, network).updateArrays(64).operands == nullptr);
    }

    void Chunks_coverTheChosenParameters_onceAndInOrder()
    {
        const NetworkSpec network = cifar10Network();
        const ParameterLayout layout(network);
        std::vector<bool> chosen(network.parameters.size(), true);
        chosen[numberOf(network, "conv2.weight")] = false;
        chosen[numberOf(network, "local4.bias")] = false;
        std::vector<int> covered(static_cast<std::size_t>(layout.elements));
        std::int64_t end = 0;
        for (const ParameterChunk& chunk : chunkParameters(layout, chosen)) {
            QVERIFY(chunk.offset >= end && chunk.count > 0);
            end = chunk.offset + chunk.count;
            const auto parameter = static_cast<std::size_t>(chunk.parameter);
            QVERIFY(chosen[parameter]);
            QVERIFY(chunk.offset >= layout.offsets[parameter]);
            QVERIFY(end <= layout.offsets[parameter] + layout.counts[parameter]);
            for (std::int64_t i = chunk.offset; i < end; ++i) {
                ++covered[static_cast<std::size_t>(i)];
            }
        }
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const auto first = covered.begin() + layout.offsets[i];
            const int wanted = chosen[i] ? 1 : 0;
            QCOMPARE(std::count(first, first + layout.counts[i], wanted), layout.counts[i]);
        }
    }

    void ShareOut_anyNumberOfThreads_callsEveryNumberOnce()
    {
        for (const int threads : {1, 2, 3, 7}) {
            ThreadTeam team("test", threads, false);
            for (const std::size_t count : {0U, 1U, 2U, 6U, 7U, 100U}) {
                std::vector<std::atomic<int>> calls(count);
                shareOut(team, count, [&](std::size_t i) { ++calls[i]; });
                QVERIFY(std::ranges::all_of(calls, [](const auto& n) { return n == 1; }));
            }
        }
    }
};

LOCKSTEP_TEST(TestParameterArena)
#include "test_parameter_arena.moc"
