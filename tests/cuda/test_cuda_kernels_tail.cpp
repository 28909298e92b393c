// SPDX-License-Identifier: Apache-2.0
// The end of a step as one kernel: everything that it leaves has the bits of the separate kernels.
#include "cuda/kernel_test.h"
#include "cuda/step_scene.h"
#include "device/cuda/arrays/step_kernels.h"
#include "device/cuda/arrays/tail_kernel.h"
#include "device/cuda/arrays/update_kernel.h"

#include <cstring>
#include <limits>
#include <memory>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kValues = 12'000;

struct TailCase
{
    int lanes = 3;
    UpdateKind kind = UpdateKind::Sgd;
    bool withOperands = false;
    bool isDstTheLane = false;
    bool isSummed = false; ///< several devices: the average is there
    bool isStuck = false;
    std::vector<std::pair<int, std::size_t>> badGradients = {}; ///< lane, place
    int badLoss = -1;                                           ///< tower
    float clipNorm = 0.0F;
};

/// What a step works on, the same for the same number of lanes.
struct TailScene : Scene
{
    explicit TailScene(const TailCase& of) : Scene(of.isStuck ? stuckAt(1) : StepState{.step = 4})
    {
        Random random(7);
        std::vector<WeightedGradient> table;
        for (const float factor : {1.0F, 0.5F}) { // of gradients, then of moments
            for (int lane = 0; lane < of.lanes; ++lane) {
                if (factor == 1.0F) {
                    auto values = random.floats(kValues, -1.0, 1.0);
                    for (const auto& [bad, place] : of.badGradients) {
                        values[place] = bad == lane ? kNan : values[place];
                    }
                    lanes.push_back(std::make_unique<DeviceArray<float>>(values));
                }
                const float weight = of.isDstTheLane ? 1.0F : factor / static_cast<float>(of.lanes);
                table.push_back({lanes[static_cast<std::size_t>(lane)]->data(), weight});
            }
        }
        laneTable = std::make_unique<DeviceArray<WeightedGradient>>(table);
        for (DeviceArray<float>* array : {&weights, &average, &first, &second}) {
            const auto values = random.floats(kValues, 0.0, 1.0);
            std::ranges::copy(values, array->span().begin());
        }
        std::ranges::fill(gradient.span(), 0.0F);
        std::ranges::fill(operands.span(), cuda::Bfloat16{});
        std::ranges::fill(squares.span(), 0.0);
        std::ranges::fill(reports.span(), std::byte{0});
        std::ranges::fill(results.span(), ObjectiveResult{1.5, 3});
        if (of.badLoss >= 0) {
            results[static_cast<std::size_t>(of.badLoss)].lossSum = double{kNan};
        }
    }

    [[nodiscard]] TailTask task(const TailCase& of) const
    {
        TailTask task;
        float* const dst = of.isDstTheLane ? lanes.front()->data() : gradient.data();
        task.average = {state.data(), laneTable->data(), of.lanes, 2, 0, kValues, dst};
        task.momentLanes = laneTable->data() + of.lanes;
        task.losses = {state.data(), results.data(), of.lanes, 1, 2};
        task.update = {
            state.data(),
            orders.data(),
            3,
            chunks.data(),
            static_cast<std::int64_t>(chunks.span().size()),
            dst,
            weights.data(),
            average.data(),
            of.withOperands ? operands.bytes() : nullptr};
        task.update.squares = squares.data();
        task.update.constants = {of.kind, 0.75F, 0.125F, 0.1F, 0.01F, true};
        task.update.optimizerState = {first.data(), second.data()};
        task.update.clipNorm = of.clipNorm;
        task.finish = {state.data(),
                       squares.data(),
                       task.update.chunkCount,
                       results.data(),
                       of.lanes,
                       reports.data(),
                       3,
                       kSlotBytes};
        if (of.isSummed) {
            task.average.laneCount = 0;
            task.losses.towers = 0;
        }
        return task;
    }

    /// All that a step may change, but for the clock in its report.
    [[nodiscard]] std::vector<std::byte> left() const
    {
        const StepState end = after();
        std::vector<std::byte> all(reports.values());
        for (std::size_t slot = 0; slot < 3; ++slot) {
            std::memset(all.data() + slot * kSlotBytes + offsetof(StepReport, nanoseconds), 0, 8);
        }
        const auto add = [&](const auto* data, std::size_t count) {
            const auto* const bytes = reinterpret_cast<const std::byte*>(data);
            all.insert(all.end(), bytes, bytes + count * sizeof(*data));
        };
        for (const DeviceArray<float>* array : {&gradient, &weights, &average, &first, &second}) {
            add(array->data(), kValues);
        }
        for (const auto& lane : lanes) {
            add(lane->data(), kValues);
        }
        add(operands.data(), kValues);
        add(squares.data(), squares.span().size());
        add(&end.step, 1);
        add(&end.stuckStep, 1);
        add(&end.fault, 1);
        add(&end.weightDecayLoss, 1);
        add(&end.gradientScale, 1);
        add(&end.gradientNorm, 1);
        return all;
    }

    static constexpr std::size_t kSlotBytes = sizeof(StepReport) + 8 * sizeof(ObjectiveResult);
    std::vector<std::unique_ptr<DeviceArray<float>>> lanes;
    std::unique_ptr<DeviceArray<WeightedGradient>> laneTable;
    DeviceArray<float> gradient{kValues};
    DeviceArray<float> weights{kValues};
    DeviceArray<float> average{kValues};
    DeviceArray<float> first{kValues};
    DeviceArray<float> second{kValues};
    DeviceArray<cuda::Bfloat16> operands{kValues};
    // More than run at once; whole ones, an unaligned one, a statistic.
    DeviceArray<UpdateChunk> chunks{std::vector<UpdateChunk>{
        {0, 2048, 0.004F},
        {2048, 2048, 0.004F},
        {4096, 1111, 0.004F},
        {5301, 2000, 0.001F},
        {7304, 64, 0.0F},
        {7368, 300, 0.0F, 0.125F},
        {7668, 2048, 0.0F},
        {9716, 2048, 0.02F}}};
    DeviceArray<double> squares{8};
    DeviceArray<StepOrder> orders{
        std::vector<StepOrder>{{9.0F, 9.0F}, {0.1F, 0.25F, 0.05F, 0.3F, 0.75F}, {9.0F, 9.0F}}};
    DeviceArray<ObjectiveResult> results{8};
    DeviceArray<std::byte> reports{3 * kSlotBytes};
};

/// The separate kernels, as DeviceWorker enqueues them.
void endSeparately(const TailScene& scene, const TailTask& task)
{
    cudaStream_t stream = scene.stream.get();
    if (task.average.laneCount > 0) {
        // Only what is updated; statistics once more, with weights of their own.
        for (const UpdateChunk& chunk : scene.chunks.span()) {
            AverageTask average = task.average;
            average.lanes = chunk.momentRate > 0.0F ? task.momentLanes : average.lanes;
            average.offset = chunk.offset;
            average.count = chunk.count;
            cuda::average(stream, average);
        }
        cuda::checkLosses(stream, task.losses);
    } else {
        cuda::check(stream, task.average.state, {task.average.dst, kValues}, 0);
    }
    cuda::update(stream, task.update);
    cuda::finish(stream, task.finish);
}

std::vector<TailCase> tailCases()
{
    std::vector<TailCase> cases;
    for (const int lanes : {1, 2, 3, 4, 5, 8}) {
        cases.push_back({.lanes = lanes});
    }
    for (const UpdateKind kind :
         {UpdateKind::Sgd, UpdateKind::Momentum, UpdateKind::RmsProp, UpdateKind::Adam,
          UpdateKind::AdamW}) {
        for (const bool isSummed : {false, true}) {
            cases.push_back({.kind = kind, .withOperands = true, .isSummed = isSummed});
        }
    }
    cases.push_back({.lanes = 1, .isDstTheLane = true});
    for (const bool isSummed : {false, true}) {
        cases.push_back({.kind = UpdateKind::AdamW, .isSummed = isSummed, .clipNorm = 0.5F});
    }
    cases.push_back({.lanes = 1, .isDstTheLane = true, .badGradients = {{0, 7}}});
    cases.push_back({.isStuck = true});
    cases.push_back({.isStuck = true, .badGradients = {{0, 7}}, .badLoss = 0});
    cases.push_back({.badGradients = {{2, 4500}, {1, 4500}, {0, 11'000}}});
    cases.push_back({.badGradients = {{2, 7400}}});
    cases.push_back({.badLoss = 1});
    return cases;
}

} // namespace

class TestCudaKernelsTail : public QObject
{
    Q_OBJECT

private slots:
    void EndStep_hasTheBitsOfTheSeparateKernels()
    {
        for (const TailCase& of : tailCases()) {
            emulation::reset();
            const TailScene expected(of);
            endSeparately(expected, expected.task(of));
            const TailScene got(of);
            cuda::endStep(got.stream.get(), got.task(of));
            QVERIFY2(
                got.left() == expected.left(),
                qPrintable(QString("lanes %1, kind %2, summed %3, stuck %4, bad %5")
                               .arg(of.lanes)
                               .arg(static_cast<int>(of.kind))
                               .arg(of.isSummed)
                               .arg(of.isStuck)
                               .arg(of.badGradients.size())));
            const bool isApplied = got.weights.values() != TailScene(of).weights.values();
            QCOMPARE(isApplied, !of.isStuck && of.badGradients.empty() && of.badLoss < 0);
        }
    }

    void EndStep_ofASumWithAFault_notesItsPlaceAlone()
    {
        emulation::reset();
        const TailCase of{.isSummed = true};
        const TailScene scene(of);
        // Of no chunk: so another device may say that its loss is bad.
        scene.gradient[11'999] = kNan;
        cuda::endStep(scene.stream.get(), scene.task(of));
        QCOMPARE(scene.after().fault, fault::ofGradient(11'999, fault::kNoTower));
        QCOMPARE(scene.after().stuckStep, 4);
        QVERIFY(scene.weights.values() == TailScene(of).weights.values());
    }

    void EndStep_stepAfterStep_goesOn()
    {
        emulation::reset();
        const TailCase of{};
        const TailScene scene(of);
        for (int i = 1; i <= 3; ++i) {
            cuda::endStep(scene.stream.get(), scene.task(of));
            QCOMPARE(scene.after().step, 4 + i);
            QCOMPARE(scene.after().endedBlocks, 0U);
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsTail)
#include "test_cuda_kernels_tail.moc"
