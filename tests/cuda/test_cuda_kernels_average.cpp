// SPDX-License-Identifier: Apache-2.0
// The average of the lanes and the checks: values against the CPU's, and which fault is noted.
#include "cuda/kernel_test.h"
#include "cuda/step_scene.h"
#include "device/cpu/kernels/vector_kernels.h"
#include "device/cuda/arrays/step_kernels.h"

#include <limits>
#include <memory>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

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

} // namespace

class TestCudaKernelsAverage : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Average_ofLanes_isTheCpusToTheBit()
    {
        if (!test::hostHasFusedMultiplyAdd()) {
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
        constexpr std::size_t kTowers = 2;
        const Scene scene;
        std::vector<ObjectiveResult> results(40 * kTowers, ObjectiveResult{1.0, 0});
        const DeviceArray<ObjectiveResult> array(results);
        const DeviceArray<float> poison(std::vector<float>{1.0F});
        const LossCheckTask task{scene.state.data(), array.data(), 40, 2, 8, poison.data()};
        cuda::checkLosses(scene.stream.get(), task);
        QCOMPARE(scene.after().fault, fault::kNone);
        QCOMPARE(poison[0], 1.0F);
        array[37 * kTowers + 1].lossSum = double{kNan};
        array[33 * kTowers].lossSum = std::numeric_limits<double>::infinity();
        cuda::checkLosses(scene.stream.get(), task);
        QCOMPARE(scene.after().fault, fault::ofLoss(41));
        QVERIFY(fault::isLoss(scene.after().fault));
        QVERIFY(std::isnan(poison[0]));
    }

    void LossCheck_ofAnInactiveObjective_doesNotLook()
    {
        const Scene scene;
        const DeviceArray<ObjectiveResult> results(
            std::vector<ObjectiveResult>{{1.0, 0}, {double{kNan}, 0}, {1.0, 0}, {1.0, 0}});
        LossCheckTask task{scene.state.data(), results.data(), 2, 2, 0, nullptr};
        task.inactive = 2;
        cuda::checkLosses(scene.stream.get(), task);
        QCOMPARE(scene.after().fault, fault::kNone);
        task.inactive = 1;
        cuda::checkLosses(scene.stream.get(), task);
        QCOMPARE(scene.after().fault, fault::ofLoss(0));
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
};

LOCKSTEP_TEST(TestCudaKernelsAverage)
#include "test_cuda_kernels_average.moc"
