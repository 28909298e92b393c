// SPDX-License-Identifier: Apache-2.0
// Average, checks, update and the end of a step: values against the CPU's, and what becomes of a
// step that has a fault.
#include "cuda/device_array.h"
#include "cuda/emulated_runtime.h"
#include "cuda/stored_values.h"
#include "device/cpu/vector_kernels.h"
#include "device/cuda/step_kernels.h"
#include "support/compare.h"
#include "support/random_network.h"

#include <QtTest>

#include <hwy/targets.h>

#include <limits>
#include <numeric>

using namespace lockstep;
using test::DeviceArray;
using test::Random;
using test::TestStream;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A state of a training on the device, with what reads it.
struct Scene
{
    explicit Scene(const StepState& first = {}) : state(std::vector<StepState>{first}) {}

    [[nodiscard]] StepState after() const
    {
        stream.synchronize();
        return state[0];
    }

    TestStream stream;
    DeviceArray<StepState> state;
};

StepState stuckAt(std::int64_t step)
{
    StepState state;
    state.step = step + 3;
    state.stuckStep = step;
    state.fault = fault::ofGradient(77, 1);
    state.weightDecayLoss = 0.5;
    return state;
}

/// Gradients of some lanes, on the device.
class Lanes
{
public:
    explicit Lanes(const std::vector<std::vector<float>>& gradients)
    {
        std::vector<WeightedGradient> table;
        float weight = 0.5F;
        for (const auto& values : gradients) {
            m_arrays.push_back(std::make_unique<DeviceArray<float>>(values));
            table.push_back({m_arrays.back()->data(), weight});
            weight *= 0.7F;
        }
        m_table = std::make_unique<DeviceArray<WeightedGradient>>(table);
    }
    [[nodiscard]] const WeightedGradient* table() const { return m_table->data(); }
    [[nodiscard]] std::vector<WeightedGradient> host() const { return m_table->values(); }
    [[nodiscard]] float* of(std::size_t lane) const { return m_arrays[lane]->data(); }
    void setWeight(float weight) const { (*m_table)[0].weight = weight; }

private:
    std::vector<std::unique_ptr<DeviceArray<float>>> m_arrays;
    std::unique_ptr<DeviceArray<WeightedGradient>> m_table;
};

std::vector<std::vector<float>> randomLanes(std::size_t lanes, std::size_t count)
{
    Random random(lanes * 1000 + count);
    std::vector<std::vector<float>> result;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        result.push_back(random.floats(count, -1.0, 1.0));
    }
    return result;
}

/// The fault that the average of lanes of 100 values notes, tower 4 being the first, where those in
/// `bad` (lane, place) have been spoilt.
std::uint64_t faultOf(const std::vector<std::pair<std::size_t, std::size_t>>& bad, float spoilt)
{
    auto gradients = randomLanes(3, 100);
    for (const auto& [lane, place] : bad) {
        gradients[lane][place] = spoilt;
    }
    const Scene scene;
    const Lanes lanes(gradients);
    const DeviceArray<float> dst(100);
    cuda::average(scene.stream.get(), {scene.state.data(), lanes.table(), 3, 4, 8, 90, dst.data()});
    return scene.after().fault;
}

/// Arrays of an update of two chunks with a gap between them.
struct UpdateScene : Scene
{
    static constexpr std::size_t kFirst = 2048;
    static constexpr std::size_t kGap = 64;
    static constexpr std::size_t kSecond = 37;
    static constexpr std::size_t kValues = kFirst + kGap + kSecond;

    explicit UpdateScene(const StepState& first = {})
        : Scene(first), random(6),
          orders(std::vector<StepOrder>{{9.0F, 9.0F}, {0.1F, 0.25F}, {9.0F, 9.0F}}),
          chunks(std::vector<UpdateChunk>{
              {0, static_cast<std::int32_t>(kFirst), 0.004F},
              {static_cast<std::int64_t>(kFirst + kGap), static_cast<std::int32_t>(kSecond),
               0.0F}}),
          gradient(random.floats(kValues, -1.0, 1.0)), weights(random.floats(kValues, -1.0, 1.0)),
          average(random.floats(kValues, -1.0, 1.0)), operands(kValues), squares(2)
    {
    }

    [[nodiscard]] UpdateTask task(bool withOperands) const
    {
        UpdateTask task{
            state.data(),
            orders.data(),
            3,
            chunks.data(),
            2,
            gradient.data(),
            weights.data(),
            average.data(),
            withOperands ? operands.bytes() : nullptr,
            Precision::Float32,
            squares.data()};
        task.precision = withOperands ? Precision::Bfloat16 : Precision::Float32;
        return task;
    }

    Random random;
    DeviceArray<StepOrder> orders;
    DeviceArray<UpdateChunk> chunks;
    DeviceArray<float> gradient;
    DeviceArray<float> weights;
    DeviceArray<float> average;
    DeviceArray<cuda::Bfloat16> operands;
    DeviceArray<double> squares;
};

/// The end of a step with two towers of one objective; a ring of three reports.
struct FinishScene : Scene
{
    static constexpr std::size_t kSlotBytes = sizeof(StepReport) + 2 * sizeof(ObjectiveResult);

    explicit FinishScene(const StepState& first)
        : Scene(first), squares(std::vector<double>(600, 0.25)),
          results(std::vector<ObjectiveResult>{{1.5, 3}, {2.5, 4}}), reports(3 * kSlotBytes)
    {
    }
    void finish() const
    {
        cuda::finish(
            stream.get(),
            {state.data(), squares.data(), 600, results.data(), 2, reports.data(), 3, kSlotBytes});
    }
    [[nodiscard]] StepReport report(std::size_t slot) const
    {
        StepReport report;
        std::memcpy(&report, reports.data() + slot * kSlotBytes, sizeof(report));
        return report;
    }
    [[nodiscard]] ObjectiveResult result(std::size_t slot, std::size_t tower) const
    {
        ObjectiveResult result;
        std::memcpy(
            &result,
            reports.data() + slot * kSlotBytes + sizeof(StepReport) + tower * sizeof(result),
            sizeof(result));
        return result;
    }

    DeviceArray<double> squares;
    DeviceArray<ObjectiveResult> results;
    DeviceArray<std::byte> reports;
};

bool hostHasFusedMultiplyAdd()
{
    return (hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)) != 0;
}

} // namespace

class TestCudaKernelsStep : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Average_ofLanes_isTheCpusToTheBit()
    {
        if (!hostHasFusedMultiplyAdd()) {
            QSKIP("this processor has no fused multiply-add");
        }
        for (const std::size_t laneCount : {1, 2, 3, 8}) {
            for (const std::size_t offset : {0, 4, 5, 64}) {
                for (const std::size_t count : {1, 3, 4, 1000, 5003}) {
                    const Scene scene;
                    const Lanes lanes(randomLanes(laneCount, offset + count));
                    const DeviceArray<float> dst(offset + count);
                    const auto first = static_cast<std::int64_t>(offset);
                    const auto length = static_cast<std::int64_t>(count);
                    cuda::average(
                        scene.stream.get(),
                        {scene.state.data(), lanes.table(), static_cast<int>(laneCount), 0, first,
                         length, dst.data()});
                    QCOMPARE(scene.after().fault, fault::kNone);
                    std::vector<float> expected(count);
                    cpu::averageRange(lanes.host(), first, length, expected.data());
                    QVERIFY(std::ranges::equal(dst.span().subspan(offset), expected));
                    QVERIFY(std::ranges::all_of(
                        dst.span().first(offset), [](float x) { return std::isnan(x); }));
                }
            }
        }
    }

    void Average_intoItsOnlyLane_checksOrScales()
    {
        for (const float weight : {1.0F, 0.5F}) {
            auto gradients = randomLanes(1, 100);
            gradients[0][70] = kNan;
            const Scene scene;
            const Lanes lanes(gradients);
            lanes.setWeight(weight);
            cuda::average(
                scene.stream.get(), {scene.state.data(), lanes.table(), 1, 2, 0, 100, lanes.of(0)});
            QCOMPARE(scene.after().fault, fault::ofGradient(70, 2));
            for (std::size_t i = 0; i < 70; ++i) {
                QCOMPARE(lanes.of(0)[i], weight * gradients[0][i]);
            }
        }
    }

    void Average_withFaults_notesTheFirstPlaceAndLowestTower()
    {
        QCOMPARE(faultOf({}, kNan), fault::kNone);
        QCOMPARE(faultOf({{1, 50}}, kNan), fault::ofGradient(50, 5));
        QCOMPARE(faultOf({{2, 50}, {0, 51}, {1, 50}}, kNan), fault::ofGradient(50, 5));
        QCOMPARE(faultOf({{2, 97}, {1, 96}}, kNan), fault::ofGradient(96, 5));
        // Outside of the range 8 .. 97.
        QCOMPARE(faultOf({{2, 98}, {1, 7}}, kNan), fault::kNone);
        const float infinity = std::numeric_limits<float>::infinity();
        QCOMPARE(faultOf({{2, 9}}, -infinity), fault::ofGradient(9, 6));
        // Each is finite, but not their sum.
        const float huge = std::numeric_limits<float>::max();
        QCOMPARE(
            faultOf({{0, 20}, {1, 20}, {2, 20}}, huge), fault::ofGradient(20, fault::kNoTower));
    }

    void Average_intoTheFirstOfTwoLanes_blamesTheRightTower()
    {
        auto gradients = randomLanes(2, 16);
        gradients[1][3] = kNan;
        const Scene scene;
        const Lanes lanes(gradients);
        cuda::average(
            scene.stream.get(), {scene.state.data(), lanes.table(), 2, 0, 0, 16, lanes.of(0)});
        QCOMPARE(scene.after().fault, fault::ofGradient(3, 1));
    }

    void Check_ofARange_notesItsPlaceInTheArena()
    {
        auto values = randomLanes(1, 5000)[0];
        values[4321] = values[4400] = kNan;
        const Scene scene;
        const DeviceArray<float> array(values);
        cuda::check(scene.stream.get(), scene.state.data(), array.span().first(4321), 640);
        QCOMPARE(scene.after().fault, fault::kNone);
        cuda::check(scene.stream.get(), scene.state.data(), array.span(), 640);
        QCOMPARE(scene.after().fault, fault::ofGradient(4961, fault::kNoTower));
        QCOMPARE(fault::towerOf(scene.after().fault), -1);
    }

    void LossCheck_notesTheLowestTower_andPoisons()
    {
        const Scene scene;
        std::vector<ObjectiveResult> results(80, ObjectiveResult{1.0, 0});
        const DeviceArray<ObjectiveResult> array(results);
        const DeviceArray<float> poison(std::vector<float>{1.0F});
        const LossCheckTask task{scene.state.data(), array.data(), 40, 2, 8, poison.data()};
        cuda::checkLosses(scene.stream.get(), task);
        QCOMPARE(scene.after().fault, fault::kNone);
        QCOMPARE(poison[0], 1.0F);
        array[2 * 37 + 1].lossSum = double{kNan};
        array[2 * 33].lossSum = std::numeric_limits<double>::infinity();
        cuda::checkLosses(scene.stream.get(), task);
        QCOMPARE(scene.after().fault, fault::ofLoss(41));
        QVERIFY(fault::isLoss(scene.after().fault));
        QVERIFY(std::isnan(poison[0]));
    }

    void LossCheck_ofAnInfiniteWeightDecay_notesTheFirstTower()
    {
        StepState state;
        state.weightDecayLoss = std::numeric_limits<double>::infinity();
        state.fault = fault::ofGradient(0, 0);
        const Scene scene(state);
        const DeviceArray<ObjectiveResult> results(std::vector<ObjectiveResult>(2));
        cuda::checkLosses(
            scene.stream.get(), {scene.state.data(), results.data(), 2, 1, 3, nullptr});
        // A loss comes before any gradient.
        QCOMPARE(scene.after().fault, fault::ofLoss(3));
    }

    void Checks_onceAStepWasRefused_noteNothing()
    {
        const Scene scene(stuckAt(5));
        const Lanes lanes({{kNan, 1.0F}});
        const DeviceArray<float> dst(std::vector<float>{7.0F, 7.0F});
        const DeviceArray<ObjectiveResult> results(std::vector<ObjectiveResult>{{double{kNan}, 0}});
        cudaStream_t stream = scene.stream.get();
        StepState* state = scene.state.data();
        cuda::average(stream, {state, lanes.table(), 1, 0, 0, 2, dst.data()});
        cuda::check(stream, state, {lanes.of(0), 2}, 0);
        cuda::checkLosses(stream, {state, results.data(), 1, 1, 0, dst.data()});
        QCOMPARE(scene.after().fault, stuckAt(5).fault);
        QCOMPARE(dst[0], 7.0F);
    }

    void Update_byValue_isTheCpusToTheBit()
    {
        if (!hostHasFusedMultiplyAdd()) {
            QSKIP("this processor has no fused multiply-add");
        }
        StepState state;
        state.step = 4; // slot 1 of 3
        for (const bool withOperands : {false, true}) {
            const UpdateScene scene(state);
            auto weights = scene.weights.values();
            auto average = scene.average.values();
            for (const UpdateChunk& chunk : scene.chunks.span()) {
                cpu::updateRange(
                    {0.1F, chunk.weightDecay, 0.25F}, chunk.count,
                    scene.gradient.data() + chunk.offset, weights.data() + chunk.offset,
                    average.data() + chunk.offset);
            }
            cuda::update(scene.stream.get(), scene.task(withOperands));
            scene.stream.synchronize();
            QVERIFY(scene.weights.values() == weights);
            QVERIFY(scene.average.values() == average);
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const bool isGap =
                    i >= UpdateScene::kFirst && i < UpdateScene::kFirst + UpdateScene::kGap;
                const std::uint16_t expected = cuda::toBfloat16(weights[i]).bits;
                QCOMPARE(scene.operands[i].bits, withOperands && !isGap ? expected : 0xFFFF);
            }
        }
    }

    void Update_squares_areThoseOfTheNewWeights()
    {
        StepState state;
        state.step = 1;
        const UpdateScene scene(state);
        cuda::update(scene.stream.get(), scene.task(false));
        scene.stream.synchronize();
        double expected = 0.0;
        for (std::size_t i = 0; i < UpdateScene::kFirst; ++i) {
            expected += double{scene.weights[i]} * double{scene.weights[i]};
        }
        expected *= double{0.004F} / 2.0;
        QVERIFY(std::abs(scene.squares[0] - expected) <= 1e-14 * expected);
        QCOMPARE(scene.squares[1], 0.0);
    }

    void Update_withoutAGradient_makesOperandsAndSquaresOnly()
    {
        const UpdateScene scene;
        const auto weights = scene.weights.values();
        const auto average = scene.average.values();
        UpdateTask task = scene.task(true);
        task.gradient = nullptr;
        task.orders = nullptr;
        cuda::update(scene.stream.get(), task);
        scene.stream.synchronize();
        QVERIFY(scene.weights.values() == weights);
        QVERIFY(scene.average.values() == average);
        QCOMPARE(scene.operands[5].bits, cuda::toBfloat16(weights[5]).bits);
        QVERIFY(scene.squares[0] > 0.0);
    }

    void Update_repeated_givesTheSameBits()
    {
        StepState state;
        state.step = 1;
        std::vector<double> squares;
        for (int i = 0; i < 2; ++i) {
            const UpdateScene scene(state);
            cuda::update(scene.stream.get(), scene.task(false));
            scene.stream.synchronize();
            squares.push_back(scene.squares[0]);
        }
        QCOMPARE(squares[0], squares[1]);
    }

    void Update_ofAStepWithAFault_changesNothing()
    {
        StepState withFault;
        withFault.fault = fault::ofLoss(0);
        for (const StepState& state : {withFault, stuckAt(1)}) {
            const UpdateScene scene(state);
            const auto weights = scene.weights.values();
            cuda::update(scene.stream.get(), scene.task(true));
            scene.stream.synchronize();
            QVERIFY(scene.weights.values() == weights);
            QVERIFY(std::isnan(scene.squares[0]));
            QCOMPARE(scene.operands[0].bits, 0xFFFF);
        }
    }

    void Finish_ofAGoodStep_reportsAndCountsOn()
    {
        StepState state;
        state.step = 4;
        state.weightDecayLoss = 0.125;
        const FinishScene scene(state);
        scene.finish();
        const StepState after = scene.after();
        QCOMPARE(after.step, 5);
        QCOMPARE(after.stuckStep, -1);
        QCOMPARE(after.fault, fault::kNone);
        QCOMPARE(after.weightDecayLoss, 150.0);
        const StepReport report = scene.report(1);
        QCOMPARE(report.step, 4);
        QCOMPARE(report.weightDecayLoss, 0.125);
        QCOMPARE(report.stuckStep, -1);
        QCOMPARE(report.fault, fault::kNone);
        QVERIFY(report.nanoseconds > 0);
        QCOMPARE(scene.result(1, 0).lossSum, 1.5);
        QCOMPARE(scene.result(1, 1).correct, 4);
        // The other slots are as they were.
        QVERIFY(std::isnan(scene.report(0).weightDecayLoss));
        QVERIFY(std::isnan(scene.report(2).weightDecayLoss));
    }

    void Finish_sums_chunkAfterChunk()
    {
        Random random(9);
        const FinishScene scene({});
        for (double& value : scene.squares.span()) {
            value = random.uniform(0.0, 1.0);
        }
        scene.finish();
        QCOMPARE(
            scene.after().weightDecayLoss,
            std::accumulate(scene.squares.span().begin(), scene.squares.span().end(), 0.0));
    }

    void Finish_ofAStepWithAFault_sticks()
    {
        StepState state;
        state.step = 7;
        state.fault = fault::ofGradient(12, 1);
        state.weightDecayLoss = 0.125;
        const FinishScene scene(state);
        for (std::int64_t step = 7; step < 10; ++step) {
            scene.finish();
            const StepState after = scene.after();
            QCOMPARE(after.step, step + 1);
            QCOMPARE(after.stuckStep, 7);
            QCOMPARE(after.fault, state.fault);
            QCOMPARE(after.weightDecayLoss, 0.125);
            const StepReport report = scene.report(static_cast<std::size_t>(step % 3));
            QCOMPARE(report.step, step);
            QCOMPARE(report.stuckStep, 7);
            QCOMPARE(report.fault, state.fault);
            QCOMPARE(report.weightDecayLoss, 0.125);
        }
    }
};

QTEST_GUILESS_MAIN(TestCudaKernelsStep)
#include "test_cuda_kernels_step.moc"
