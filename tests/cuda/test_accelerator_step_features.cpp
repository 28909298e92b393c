// SPDX-License-Identifier: Apache-2.0
// What ends a step, how its kernels are launched, and how many steps a graph holds changes no bit
// and no fault.
#include "cuda/accelerator_run.h"
#include "cuda/spoilt_dataset.h"
#include "support/lockstep_test.h"

#include <optional>
#include <vector>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;

namespace {

constexpr std::int64_t kSteps = 34;

/// All features, and all but one.
std::vector<StepFeatures> variants()
{
    const StepFeatures all = StepFeatures::all();
    return {
        all, all.without(StepFeature::Tail), all.without(StepFeature::DependentLaunch),
        all.without(StepFeature::SeveralSteps)};
}

struct Course
{
    test::StepsTaken taken;
    std::vector<float> gradient;
    std::int64_t faultStep = -1;
    int faultTower = -1;
    int faultParameter = -1;

    bool operator==(const Course&) const = default;
};

/// Steps until the first fault, by a clock of the devices that makes blocks of many steps.
Course course(const AcceleratorCase& settings, const Dataset* dataset = nullptr)
{
    AcceleratorRun run(settings, dataset);
    emulation::setClock({[](const emulation::TaskInfo&) { return 2000; }, {}, {}});
    run.start();
    Course course;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const StepOutcome outcome = run.stepper->next(kSteps);
        course.taken.losses.push_back(outcome.weightDecayLoss);
        if (outcome.fault) {
            course.faultStep = step;
            course.faultTower = outcome.fault->tower;
            course.faultParameter = outcome.fault->parameter;
            break;
        }
        for (const TowerResult& tower : outcome.towers) {
            course.taken.losses.push_back(tower.lossSum);
        }
    }
    course.taken.weights = run.parameters();
    course.taken.averages = run.parameters(true);
    if (course.faultStep < 0) {
        course.gradient = run.valuesOf(run.stepper->averagedGradient());
    }
    return course;
}

} // namespace

class TestAcceleratorStepFeatures : public QObject
{
    Q_OBJECT

private slots:
    void Steps_withoutAFeature_haveTheSameBits_data()
    {
        QTest::addColumn<int>("towers");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("isNarrow");
        QTest::addColumn<int>("kind");
        const auto row = [](int towers, int devices, bool isNarrow, UpdateKind kind) {
            QTest::addRow("%d towers, %d GPUs, %s", towers, devices, toString(kind).c_str())
                << towers << devices << isNarrow << static_cast<int>(kind);
        };
        row(1, 1, false, UpdateKind::Sgd);
        row(3, 1, true, UpdateKind::Momentum);
        row(8, 1, false, UpdateKind::RmsProp);
        row(3, 2, false, UpdateKind::Adam);
        row(8, 3, true, UpdateKind::Sgd);
    }

    void Steps_withoutAFeature_haveTheSameBits()
    {
        QFETCH(int, towers);
        QFETCH(int, devices);
        QFETCH(bool, isNarrow);
        QFETCH(int, kind);
        AcceleratorCase settings{towers, 2, isNarrow ? Precision::Bfloat16 : Precision::Float32};
        settings.machine.devices = devices;
        settings.optimizer.kind = static_cast<UpdateKind>(kind);
        settings.optimizer.momentum = 0.5;
        settings.optimizer.epsilon = 1.0;
        std::optional<Course> first;
        for (const StepFeatures& features : variants()) {
            settings.features = features;
            const Course got = course(settings);
            QCOMPARE(got.faultStep, -1);
            QVERIFY(got == first.value_or(got));
            first = got;
            QCOMPARE(emulation::lastFault(), std::string());
        }
    }

    void Features_doWhatTheySay()
    {
        AcceleratorCase settings{2, 2};
        std::vector<emulation::Counters> counts;
        for (const StepFeatures& features : variants()) {
            settings.features = features;
            course(settings);
            counts.push_back(emulation::counters());
        }
        for (auto& c : counts) { qInfo() << c.graphLaunches << c.graphNodes << c.longestChain << c.kernelLaunches << c.dependentLaunches; }
        // All; without the tail; without dependent launches; without several steps.
        QVERIFY(counts[0].dependentLaunches > 0 && counts[2].dependentLaunches == 0);
        QVERIFY(counts[0].graphLaunches <= counts[3].graphLaunches - 2 * 7);
        QVERIFY(counts[3].graphLaunches >= kSteps - 1);
        // The graph that was captured last has eight steps, of which each ends with three nodes
        // more.
        QCOMPARE(counts[1].graphNodes - counts[0].graphNodes, 8 * 3);
        QCOMPARE(counts[1].longestChain - counts[0].longestChain, 8 * 3);
        QCOMPARE(counts[0].graphNodes, 8 * counts[3].graphNodes);
    }

    void Fault_inAGraphOfSeveralSteps_isFoundWhereItIs()
    {
        AcceleratorCase settings{2, 1};
        test::SpoiltDataset dataset(61, {12, 11, 3});
        dataset.spoilt = 0;
        while (test::placeOf(dataset.spoilt, settings, dataset.size()).step < 20) {
            ++dataset.spoilt;
        }
        const test::Place place = test::placeOf(dataset.spoilt, settings, dataset.size());
        for (const bool isSpoilt : {true, false}) {
            dataset.spoilt = isSpoilt ? dataset.spoilt : -1;
            settings.learningRate = isSpoilt ? 0.05 : 1e30;
            std::optional<Course> first;
            for (const StepFeatures& features : variants()) {
                settings.features = features;
                const Course got = course(settings, &dataset);
                qInfo() << isSpoilt << got.faultStep << got.faultTower << got.faultParameter;
                QVERIFY(got.faultStep >= 0);
                QVERIFY(got == first.value_or(got));
                first = got;
            }
            if (isSpoilt) {
                QCOMPARE(first->faultStep, place.step);
                QCOMPARE(first->faultTower, place.tower);
                QCOMPARE(first->faultParameter, -1);
            }
        }
    }
};

LOCKSTEP_TEST(TestAcceleratorStepFeatures)
#include "test_accelerator_step_features.moc"
