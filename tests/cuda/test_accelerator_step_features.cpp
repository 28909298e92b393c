// SPDX-License-Identifier: Apache-2.0
// What ends a step, how its kernels are launched, and how many steps a graph holds changes no bit
// and no fault.
#include "cuda/accelerator_run.h"
#include "cuda/spoilt_dataset.h"
#include "session/bench/step_graph.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
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

/// What every feature changes: a pooling before a norm, branches of which two read one tensor and
/// are joined, and fully connected layers up to the loss.
NetworkSpec forkedNetwork()
{
    NetworkBuilder net("forked", {10, 9, 3}, 10);
    const ParameterSettings settings{TruncatedNormal{0.15}, Constant{0.1}, 0.004, "network"};
    const auto convolution = [&](const char* name, const Extent& kernel, LayerId top) {
        const Conv2d conv{8, kernel, {1, 1}, Padding::Same, Activation::Relu, settings};
        return net.add(name, conv, {top});
    };
    LayerId top = convolution("conv1", {5, 5}, 0);
    top = net.add("pool1", MaxPool{{3, 3}, {2, 2}, Padding::Same}, {top});
    top = net.add("norm1", Lrn{4, 1.0, 0.01, 0.75}, {top});
    top = convolution("conv2", {3, 3}, top);
    top = net.add(
        "joint", Concat{},
        {convolution("conv3", {1, 1}, top),
         convolution("conv5", {3, 3}, convolution("conv4", {1, 1}, top))});
    top = net.add("local3", Dense{24, Activation::Relu, settings}, {top});
    top = net.add("logits", Dense{10, Activation::None, settings}, {top});
    net.output("logits", top);
    net.objective({"cross_entropy", 1.0, SoftmaxCrossEntropy{top, 0.1}, {}});
    return net.build();
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

    void Losses_of50Steps_withoutEachFeature_areThoseOfTheCpu_data()
    {
        QTest::addColumn<QString>("feature"); // empty: all are on
        QTest::addColumn<int>("towers");
        std::vector<std::string> names = stepFeatureNames();
        names.emplace_back();
        for (const std::string& name : names) {
            for (const int towers : {1, 3}) {
                QTest::addRow("%s, %d towers", name.empty() ? "all" : name.c_str(), towers)
                    << QString::fromStdString(name) << towers;
            }
        }
    }

    void Losses_of50Steps_withoutEachFeature_areThoseOfTheCpu()
    {
        QFETCH(QString, feature);
        QFETCH(int, towers);
        constexpr std::int64_t kLongCourse = 50;
        AcceleratorCase settings{towers, 4};
        settings.network = forkedNetwork();
        settings.machine.devices = towers == 1 ? 1 : 2;
        if (!feature.isEmpty()) {
            settings.features = stepFeaturesWithout({feature.toStdString()});
        }
        const auto got = test::takeSteps(settings, kLongCourse);
        static std::map<int, std::vector<double>> ofTheCpu;
        if (!ofTheCpu.contains(towers)) {
            settings.isOnHost = true;
            ofTheCpu[towers] = test::takeSteps(settings, kLongCourse).losses;
        }
        const std::vector<double>& expected = ofTheCpu[towers];
        QCOMPARE(got.losses.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY2(
                std::abs(got.losses[i] - expected[i]) <= 1e-6 * expected[i],
                qPrintable(QString("step %1: %2, %3").arg(i).arg(got.losses[i]).arg(expected[i])));
        }
    }

    void Features_doWhatTheySay()
    {
        AcceleratorCase settings{2, 2};
        std::vector<emulation::Counters> counts;
        std::vector<std::size_t> chains; // of a step alone
        for (const StepFeatures& features : variants()) {
            settings.features = features;
            course(settings);
            counts.push_back(emulation::counters());
            AcceleratorRun run(settings);
            run.start();
            chains.push_back(longestChain(run.stepper->capturedNodes()));
        }
        // All; without the tail; without dependent launches; without several steps.
        QVERIFY(counts[0].dependentLaunches > 0 && counts[2].dependentLaunches == 0);
        QVERIFY(counts[0].graphLaunches <= counts[3].graphLaunches - 2 * 7);
        QVERIFY(counts[3].graphLaunches >= kSteps - 1);
        // The graph that was captured last has eight steps, of which each ends with three nodes
        // more.
        QCOMPARE(counts[1].graphNodes - counts[0].graphNodes, 8 * 3);
        QCOMPARE(chains[1] - chains[0], std::size_t{3});
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
