// SPDX-License-Identifier: Apache-2.0
// The update and the end of a step: values against the CPU's, and what becomes of a step that has a
// fault.
#include "cuda/kernel_test.h"
#include "cuda/step_scene.h"
#include "device/cpu/kernels/update_kernel.h"
#include "device/cuda/arrays/step_kernels.h"
#include "device/cuda/arrays/update_kernel.h"

#include <cstring>
#include <numeric>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Arrays of an update of two chunks with a gap between them.
struct UpdateScene : Scene
{
    static constexpr std::size_t kFirst = 2048;
    static constexpr std::size_t kGap = 64;
    static constexpr std::size_t kSecond = 37;
    static constexpr std::size_t kValues = kFirst + kGap + kSecond;

    explicit UpdateScene(const StepState& first = {})
        : Scene(first), random(6),
          orders(
              std::vector<StepOrder>{{9.0F, 9.0F}, {0.1F, 0.25F, 0.0F, 0.3F, 0.75F}, {9.0F, 9.0F}}),
          chunks(std::vector<UpdateChunk>{
              {0, static_cast<std::int32_t>(kFirst), 0.004F},
              {static_cast<std::int64_t>(kFirst + kGap), static_cast<std::int32_t>(kSecond),
               0.0F}}),
          gradient(random.floats(kValues, -1.0, 1.0)), weights(random.floats(kValues, -1.0, 1.0)),
          average(random.floats(kValues, -1.0, 1.0)), firstSlot(random.floats(kValues, 0.0, 1.0)),
          secondSlot(random.floats(kValues, 0.0, 1.0)), operands(kValues), squares(2)
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
            squares.data()};
        return task;
    }

    Random random;
    DeviceArray<StepOrder> orders;
    DeviceArray<UpdateChunk> chunks;
    DeviceArray<float> gradient;
    DeviceArray<float> weights;
    DeviceArray<float> average;
    DeviceArray<float> firstSlot;
    DeviceArray<float> secondSlot;
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

} // namespace

class TestCudaKernelsUpdate : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Update_byValue_isTheCpusToTheBit()
    {
        if (!test::hostHasFusedMultiplyAdd()) {
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
                    {scene.gradient.data() + chunk.offset, weights.data() + chunk.offset,
                     average.data() + chunk.offset});
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

    void Update_byEachRule_isTheCpusToTheBit_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isNesterov");
        QTest::newRow("momentum") << static_cast<int>(UpdateKind::Momentum) << false;
        QTest::newRow("nesterov") << static_cast<int>(UpdateKind::Momentum) << true;
        QTest::newRow("rmsprop") << static_cast<int>(UpdateKind::RmsProp) << false;
        QTest::newRow("adam") << static_cast<int>(UpdateKind::Adam) << false;
        QTest::newRow("adamw") << static_cast<int>(UpdateKind::AdamW) << false;
    }

    /// The second chunk is a statistic: by the plain rule, and its slots stay.
    void Update_byEachRule_isTheCpusToTheBit()
    {
        if (!test::hostHasFusedMultiplyAdd()) {
            QSKIP("this processor has no fused multiply-add");
        }
        QFETCH(int, kind);
        QFETCH(bool, isNesterov);
        const UpdateConstants constants{
            static_cast<UpdateKind>(kind), 0.75F, 0.125F, 0.1F, 0.01F, isNesterov};
        StepState state;
        state.step = 4; // slot 1 of 3
        for (const bool withOperands : {false, true}) {
            const UpdateScene scene(state);
            scene.chunks[1].momentRate = 0.125F;
            auto weights = scene.weights.values();
            auto average = scene.average.values();
            auto first = scene.firstSlot.values();
            auto second = scene.secondSlot.values();
            const UpdateChunk& chunk = scene.chunks[0];
            cpu::updateRange(
                {0.1F, chunk.weightDecay, 0.25F, constants, 0.3F, 0.75F}, chunk.count,
                {scene.gradient.data(),
                 weights.data(),
                 average.data(),
                 nullptr,
                 {first.data(), second.data()}});
            const auto place = scene.chunks[1].offset;
            cpu::updateRange(
                {0.125F, 1.0F, 0.25F}, scene.chunks[1].count,
                {scene.gradient.data() + place, weights.data() + place, average.data() + place});
            UpdateTask task = scene.task(withOperands);
            task.constants = constants;
            task.optimizerState = {scene.firstSlot.data(), scene.secondSlot.data()};
            cuda::update(scene.stream.get(), task);
            scene.stream.synchronize();
            QVERIFY(scene.weights.values() == weights);
            QVERIFY(scene.average.values() == average);
            QVERIFY(scene.firstSlot.values() == first);
            QVERIFY(scene.secondSlot.values() == second);
            QVERIFY(first != UpdateScene(state).firstSlot.values());
        }
    }

    /// By the norm of what is no statistic; the float64 reference is the sum itself.
    void Update_thatIsClipped_isTheCpusWithTheScale()
    {
        if (!test::hostHasFusedMultiplyAdd()) {
            QSKIP("this processor has no fused multiply-add");
        }
        for (const float most : {1e6F, 0.25F}) {
            StepState state;
            state.step = 4; // slot 1 of 3
            const UpdateScene scene(state);
            scene.chunks[1].momentRate = 0.125F;
            double squares = 0.0;
            for (std::size_t i = 0; i < scene.chunks.span().size(); ++i) {
                const UpdateChunk& chunk = scene.chunks[i];
                for (std::int64_t k = 0; i != 1 && k < chunk.count; ++k) {
                    const double g{scene.gradient[static_cast<std::size_t>(chunk.offset + k)]};
                    squares += g * g;
                }
            }
            const double norm = std::sqrt(squares);
            const auto scale = static_cast<float>(std::min(1.0, double{most} / (norm + 1e-6)));
            auto weights = scene.weights.values();
            auto average = scene.average.values();
            for (std::size_t i = 0; i < scene.chunks.span().size(); ++i) {
                const UpdateChunk& chunk = scene.chunks[i];
                UpdateRule rule{0.1F, chunk.weightDecay, 0.25F};
                rule.gradientScale = scale;
                if (i == 1) {
                    rule = {0.125F, 1.0F, 0.25F};
                }
                cpu::updateRange(
                    rule, chunk.count,
                    {scene.gradient.data() + chunk.offset, weights.data() + chunk.offset,
                     average.data() + chunk.offset});
            }
            UpdateTask task = scene.task(false);
            task.clipNorm = most;
            cuda::update(scene.stream.get(), task);
            scene.stream.synchronize();
            QVERIFY(std::abs(scene.after().gradientNorm / norm - 1.0) < 1e-12);
            QCOMPARE(scene.after().gradientScale, scale);
            QVERIFY(scene.weights.values() == weights);
            QVERIFY(scene.average.values() == average);
        }
    }

    void Update_ofAStatistic_followsItsMoments_data()
    {
        QTest::addColumn<float>("leastRate"); ///< of the order
        QTest::addColumn<float>("rate");      ///< of a statistic whose own is 0.125
        QTest::newRow("its own rate") << 0.0F << 0.125F;
        QTest::newRow("less than its own") << 0.0625F << 0.125F;
        QTest::newRow("more than its own") << 0.5F << 0.5F;
    }

    void Update_ofAStatistic_followsItsMoments()
    {
        if (!test::hostHasFusedMultiplyAdd()) {
            QSKIP("this processor has no fused multiply-add");
        }
        QFETCH(float, leastRate);
        QFETCH(float, rate);
        StepState state;
        state.step = 4; // slot 1 of 3
        const UpdateScene scene(state);
        scene.chunks[1].momentRate = 0.125F;
        scene.orders[1].momentRate = leastRate;
        auto weights = scene.weights.values();
        auto average = scene.average.values();
        for (const UpdateChunk& chunk : scene.chunks.span()) {
            const bool isStatistic = chunk.momentRate > 0.0F;
            const UpdateRule rule{
                isStatistic ? rate : 0.1F, isStatistic ? 1.0F : chunk.weightDecay, 0.25F};
            cpu::updateRange(
                rule, chunk.count,
                {scene.gradient.data() + chunk.offset, weights.data() + chunk.offset,
                 average.data() + chunk.offset});
        }
        cuda::update(scene.stream.get(), scene.task(false));
        scene.stream.synchronize();
        QVERIFY(scene.weights.values() == weights);
        QVERIFY(scene.average.values() == average);
        QVERIFY(scene.squares[0] > 0.0);
        QCOMPARE(scene.squares[1], 0.0);
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
            const auto slot = scene.firstSlot.values();
            UpdateTask task = scene.task(true);
            task.constants.kind = UpdateKind::Adam;
            task.optimizerState = {scene.firstSlot.data(), scene.secondSlot.data()};
            cuda::update(scene.stream.get(), task);
            scene.stream.synchronize();
            QVERIFY(scene.weights.values() == weights);
            QVERIFY(scene.firstSlot.values() == slot);
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

LOCKSTEP_TEST(TestCudaKernelsUpdate)
#include "test_cuda_kernels_update.moc"
