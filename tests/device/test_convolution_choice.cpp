// SPDX-License-Identifier: Apache-2.0
// How the way of a convolution is measured, kept and found again.
#include "device/cpu/convolution/convolution_choice.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/runtime/dnnl_helpers.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/replica_check.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

using namespace lockstep;
using cpu::ConvolutionChoice;
using cpu::CpuDevice;
using test::convolution;
using test::TemporaryFolder;

namespace {

constexpr int kRows = 16;
const std::vector<std::string> kMinimal{
    "own minimal filtering F(4 x 4, 3 x 3)", "own minimal filtering F(6 x 6, 3 x 3)"};

/// Ends the text of products of tiles (AMX).
constexpr const char* kUnfolded = ", wgrad unfolded product";

/// The second convolution is large enough to be measured, the first is not.
NetworkSpec network()
{
    return test::chain({16, 16, 3}, {convolution(32, {1, 1}), convolution(32, {3, 3})}, 4, true);
}

/// The second convolution, planned.
struct Planned
{
    std::string algorithm;
    AlgorithmChoices choices;
};

Planned planOn(const Device& device, const ReplicaSettings& settings)
{
    const NetworkSpec net = network();
    device.enterThread(1);
    const ParameterArena arena(device, net, settings.precision);
    const Replica replica(device, net, arena.layout(), settings);
    const std::vector<OpReport> report = replica.report();
    Planned planned{report.at(2).algorithm, {}};
    for (const OpReport& op : report) {
        planned.choices.add(op.choices);
    }
    return planned;
}

ReplicaSettings training(Precision precision = Precision::Bfloat16)
{
    ReplicaSettings settings;
    settings.examples = kRows;
    settings.isTraining = true;
    settings.precision = precision;
    return settings;
}

ReplicaSettings following(const std::string& algorithm, bool isTraining = true)
{
    ReplicaSettings settings = training();
    settings.isTraining = isTraining;
    settings.algorithms[network().layers.at(2).name] = algorithm;
    return settings;
}

std::string storeText(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Takes as long in each pass as its algorithm's name says in milliseconds.
class SleepingOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        m_pause = std::chrono::milliseconds(std::stoi(plan.algorithm));
        plan.dst = cpu::tensorPlan(
            plan.examples, plan.dstShape,
            cpu::imageDesc(
                plan.examples, plan.dstShape, cpu::Element::Bfloat16,
                dnnl::memory::format_tag::nhwc));
    }
    void forward(const StepContext& /*context*/) override { std::this_thread::sleep_for(m_pause); }
    void backward(const StepContext& /*context*/) override { std::this_thread::sleep_for(m_pause); }

private:
    std::chrono::milliseconds m_pause{0};
};

class SleepingDevice : public CpuDevice
{
public:
    [[nodiscard]] std::unique_ptr<Op> makeOp(const LayerSpec& /*spec*/) const override
    {
        return std::make_unique<SleepingOp>();
    }
};

} // namespace

class TestConvolutionChoice : public QObject
{
    Q_OBJECT

private slots:
    void Choice_isMeasuredOnce_andKeptForOtherProcesses()
    {
        const TemporaryFolder folder;
        const auto file = folder / "algorithms.txt";
        const Planned first = planOn(CpuDevice(file), training());
        QCOMPARE(first.choices.measured, 1);
        QCOMPARE(first.choices.stored, 0);
        QVERIFY(storeText(file).find("\tconv 16 x 16x16x32 to 16x16x32") != std::string::npos);

        const CpuDevice other(file);
        const Planned second = planOn(other, training());
        QCOMPARE(second.choices.measured, 0);
        QCOMPARE(second.choices.stored, 1);
        QCOMPARE(second.algorithm, first.algorithm);
        ReplicaSettings more = training();
        more.examples = 2 * kRows;
        QCOMPARE(planOn(other, more).choices.measured, 1);
    }

    void Choice_thatIsKept_isTaken()
    {
        const TemporaryFolder folder;
        const auto file = folder / "algorithms.txt";
        planOn(CpuDevice(file), training());
        const std::string text = storeText(file);
        const std::size_t work = text.find('\n') + 1;
        const std::string start =
            text.substr(work, text.find('\t', text.find('\t', work) + 1) - work);
        const std::string direct = planOn(CpuDevice(file), following("direct")).algorithm;
        for (const std::string& way : {kMinimal[0], kMinimal[1], std::string("direct")}) {
            std::ofstream(file) << start << '\t' << way << "\t1.0\n";
            const Planned planned = planOn(CpuDevice(file), training());
            QCOMPARE(planned.algorithm, way == "direct" ? "direct, " + direct : way);
            QCOMPARE(planned.choices.stored, 1);
        }
        std::ofstream(file) << start << "\tof a later version\t1.0\n";
        QCOMPARE(planOn(CpuDevice(file), training()).choices.measured, 1);
    }

    void Choice_ofARun_isTakenUnmeasured_alsoToEvaluate()
    {
        const TemporaryFolder folder;
        const CpuDevice device(folder / "algorithms.txt");
        const std::string direct = planOn(device, following("direct")).algorithm;
        const std::string forward = planOn(device, following("direct", false)).algorithm;
        QVERIFY(direct.starts_with(forward) && direct != forward);
        const std::string sums = std::string("direct, of kernels with other names")
                                 + (direct.ends_with(kUnfolded) ? kUnfolded : "");
        for (const std::string& way : {kMinimal[0], kMinimal[1], sums}) {
            const Planned trained = planOn(device, following(way));
            QCOMPARE(trained.algorithm, way == sums ? "direct, " + direct : way);
            QVERIFY(!trained.choices.isMeasured());
            const Planned evaluated = planOn(device, following(way, false));
            QCOMPARE(evaluated.algorithm, way == sums ? "direct, " + forward : way);
            QVERIFY(!evaluated.choices.isMeasured());
        }
        ReplicaSettings inFloat32 = following(sums);
        inFloat32.precision = Precision::Float32;
        const Planned counted = planOn(device, training(Precision::Float32));
        QCOMPARE(planOn(device, inFloat32).algorithm, counted.algorithm);
        QCOMPARE(planOn(device, following("fprop of a GPU; wgrad of it")).choices.measured, 1);
    }

    void Choice_isCounted_whereThatIsEnough()
    {
        const TemporaryFolder folder;
        const CpuDevice device(folder / "algorithms.txt");
        QVERIFY(!planOn(device, training(Precision::Float32)).choices.isMeasured());
        ReplicaSettings untimed = training();
        untimed.algorithms[kEveryHostLayer] = kFirstAlgorithm;
        QVERIFY(!planOn(device, untimed).choices.isMeasured());
        ReplicaSettings little = training();
        little.examples = 1;
        QVERIFY(!planOn(device, little).choices.isMeasured());
        ReplicaSettings evaluation = training();
        evaluation.isTraining = false;
        QVERIFY(!planOn(device, evaluation).choices.isMeasured());
        QVERIFY(!std::filesystem::exists(folder / "algorithms.txt"));
    }

    void Measuring_thatIsStopped_endsAndKeepsNothing()
    {
        const TemporaryFolder folder;
        const CpuDevice device(folder / "algorithms.txt");
        ReplicaSettings settings = training();
        int asked = 0;
        settings.mayGoOn = [&] { return ++asked < 3; };
        const QString text = test::failureOf([&] { planOn(device, settings); });
        QVERIFY2(text.contains("stopped while the fastest way was looked for"), qPrintable(text));
        QCOMPARE(asked, 3);
        QVERIFY(!std::filesystem::exists(folder / "algorithms.txt"));
    }

    void Fastest_isTaken_andTheFirstUnlessAnotherIsClearlyFaster_data()
    {
        QTest::addColumn<QStringList>("ways");
        QTest::addColumn<QString>("best");
        QTest::newRow("second") << QStringList{"8", "2", "5"} << "2";
        QTest::newRow("third") << QStringList{"12", "6", "1"} << "1";
        QTest::newRow("first") << QStringList{"2", "5", "50"} << "2";
        QTest::newRow("as fast as the first") << QStringList{"40", "39"} << "40";
        QTest::newRow("only") << QStringList{"3"} << "3";
    }
    void Fastest_isTaken_andTheFirstUnlessAnotherIsClearlyFaster()
    {
        QFETCH(QStringList, ways);
        QFETCH(QString, best);
        const SleepingDevice device;
        ConvolutionChoice choice(device, {});
        OpPlan plan;
        plan.examples = 1;
        plan.isTraining = plan.trainsParameters = true;
        plan.precision = Precision::Bfloat16;
        plan.dstShape = {4, 4, 16};
        plan.srcs = {cpu::tensorPlan(
            1, {4, 4, 16},
            cpu::imageDesc(1, {4, 4, 16}, cpu::Element::Bfloat16, dnnl::memory::format_tag::nhwc))};
        plan.needsDiffSrcs = {true};
        std::vector<std::string> names;
        for (const QString& way : ways) {
            names.push_back(way.toStdString());
        }
        const Conv2d conv = convolution(16, {3, 3});
        QCOMPARE(choice.fastest(conv, plan, names), best.toStdString());
        QCOMPARE(plan.planning.choices.measured, 1);
        QCOMPARE(choice.fastest(conv, plan, names), best.toStdString());
        QCOMPARE(plan.planning.choices.stored, 1);
    }
};

LOCKSTEP_TEST(TestConvolutionChoice)
#include "test_convolution_choice.moc"
