// SPDX-License-Identifier: Apache-2.0
// Branches of a network are branches of a GPU's step, and parts of sums are joined by the last
// block: both without another bit, in any order in which a GPU may run what is not ordered.
#include "cuda/accelerator_run.h"
#include "cuda/branched_network.h"
#include "network/models/inception_v3.h"
#include "session/bench/step_graph.h"
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "tower/replica.h"

#include <cmath>
#include <string>

using namespace lockstep;
using test::AcceleratorCase;
using test::takeSteps;

namespace {

constexpr std::int64_t kSteps = 4;

/// Two blocks as Inception has them, and a head on the first one besides.
class MixedNetwork
{
public:
    NetworkSpec build()
    {
        LayerId top = block("first", convolution("stem", 8, {3, 3}, 0));
        const LayerId auxiliary = convolution("aux", 4, {1, 1}, top);
        top = block("second", m_net.add("pool", MaxPool{{2, 2}, {2, 2}}, {top}));
        finish("main", 1.0, top);
        finish("auxiliary", 0.4, auxiliary);
        return m_net.build();
    }

private:
    LayerId convolution(
        const std::string& name, std::int64_t channels, const Extent& kernel, LayerId top)
    {
        Conv2d conv{channels, kernel, {1, 1}, Padding::Same, Activation::None, {}};
        conv.parameters = {TruncatedNormal{0.3}, Constant{0.0}, 0.004, "all"};
        conv.hasBias = false;
        Normalization norm;
        norm.mode = NormalizationMode::Batch;
        norm.activation = Activation::Relu;
        norm.parameters = {Constant{1.0}, Constant{0.1}, 0.0, "all"};
        return m_net.add(name + "_norm", norm, {m_net.add(name, conv, {top})});
    }
    LayerId block(const std::string& name, LayerId top)
    {
        const LayerId twice =
            convolution(name + "/c2", 8, {3, 3}, convolution(name + "/c1", 8, {1, 1}, top));
        const LayerId pooled = m_net.add(name + "/average", AveragePool{{3, 3}, {1, 1}}, {top});
        return m_net.add(
            name, Concat{},
            {convolution(name + "/a", 8, {1, 1}, top),
             convolution(name + "/b2", 8, {3, 3}, convolution(name + "/b1", 8, {1, 1}, top)),
             convolution(name + "/c3", 4, {1, 3}, twice),
             convolution(name + "/c4", 4, {3, 1}, twice),
             convolution(name + "/d", 8, {1, 1}, pooled)});
    }
    void finish(const std::string& name, double weight, LayerId top)
    {
        const ParameterSettings plain{TruncatedNormal{0.3}, Constant{0.1}, 0.0, "all"};
        const LayerId mean = m_net.add(name + "/mean", GlobalPool{Reduction::Average}, {top});
        const LayerId logits =
            m_net.add(name + "/logits", Dense{10, Activation::None, plain}, {mean});
        m_net.output(name, logits);
        m_net.objective({name, weight, SoftmaxCrossEntropy{logits, 0.1}, {}});
    }

    NetworkBuilder m_net{"mixed", {10, 9, 3}, 10};
};

/// What capturing a step's passes tells, of a replica that never runs.
struct CapturedPasses
{
    std::size_t nodes = 0;
    std::size_t longestChain = 0;
    std::size_t bytes = 0;
    int branches = 0;
};

CapturedPasses capturePasses(const NetworkSpec& network, const StepFeatures& features)
{
    test::resetFakeLibraries();
    emulation::reset();
    const cuda::CudaDevice device(0);
    const ParameterArena arena(device, network, Precision::Bfloat16);
    ReplicaSettings settings;
    settings.examples = 1;
    settings.isTraining = true;
    settings.precision = Precision::Bfloat16;
    settings.algorithms.emplace(kEveryLayer, kFirstAlgorithm);
    settings.features = features;
    Replica replica(device, network, arena.layout(), settings);
    Stream& stream = *replica.settings().stream;
    const DeviceMemory images =
        device.allocate(static_cast<std::size_t>(network.inputShape().elements()) * sizeof(float));
    const DeviceMemory label = device.allocate(sizeof(std::int32_t));
    DeviceInput input;
    input.slotRows = 1;
    input.images = reinterpret_cast<const float*>(images.data());
    input.imageLabels = reinterpret_cast<const std::int32_t*>(label.data());
    stream.beginCapture();
    replica.enqueueForwardPart(0, arena.weightsView(), input);
    for (const BackwardPart& part : replica.backwardParts(replica.allLayers())) {
        replica.enqueueBackward(arena.weightsView(), 1.0, part);
    }
    const auto nodes = stream.endCapture()->nodes();
    return {
        nodes.size(), longestChain(nodes), replica.memory().bytes, replica.branches().branches()};
}

} // namespace

Q_DECLARE_METATYPE(lockstep::test::AcceleratorCase)

class TestParallelBranches : public QObject
{
    Q_OBJECT

private slots:
    void Steps_withAndWithout_haveTheSameBitsInAnyOrder_data();
    void Steps_withAndWithout_haveTheSameBitsInAnyOrder();
    void Gradients_addedWhereTheyLie_areThoseThatKernelsAdd();
    void Memory_isSharedOnlyByWhatIsOver();
    void Inception_hasAShortLongestChain();
};

void TestParallelBranches::Steps_withAndWithout_haveTheSameBitsInAnyOrder_data()
{
    QTest::addColumn<AcceleratorCase>("settings");
    const NetworkSpec branched = test::BranchedNetwork{NormalizationMode::Batch}.build();
    for (const auto& [name, network] :
         {std::pair{"branched", branched}, std::pair{"mixed", MixedNetwork().build()}}) {
        for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
            for (const auto& [towers, devices] : {std::pair{1, 1}, {3, 1}, {2, 2}}) {
                AcceleratorCase settings;
                settings.network = network;
                settings.precision = precision;
                settings.towers = towers;
                settings.batchPerTower = 3;
                settings.machine.devices = devices;
                QTest::addRow(
                    "%s, %s, %d towers on %d", name, toString(precision).c_str(), towers, devices)
                    << settings;
            }
        }
    }
}

void TestParallelBranches::Steps_withAndWithout_haveTheSameBitsInAnyOrder()
{
    QFETCH(AcceleratorCase, settings);
    const StepFeatures all = settings.features;
    settings.features = all.without(StepFeature::Branches).without(StepFeature::LastBlock);
    const auto expected = takeSteps(settings, kSteps);
    for (const StepFeature feature : {StepFeature::Branches, StepFeature::LastBlock}) {
        settings.features = all.without(feature);
        QVERIFY(takeSteps(settings, kSteps) == expected);
    }
    settings.features = all;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        settings.machine.seed = seed;
        settings.machine.eagerness = seed % 2 == 0 ? 0.3 : 0.0;
        settings.isCaptured = seed % 4 != 1;
        QVERIFY2(takeSteps(settings, kSteps) == expected, qPrintable(QString::number(seed)));
        QCOMPARE(emulation::lastFault(), std::string());
    }
}

/// With the same bits where two are added; more are added in another order.
void TestParallelBranches::Gradients_addedWhereTheyLie_areThoseThatKernelsAdd()
{
    AcceleratorCase settings;
    const StepFeatures all = settings.features;
    const StepFeatures apart = all.without(StepFeature::Accumulation);
    settings.batchPerTower = 3;
    settings.network = test::BranchedNetwork{NormalizationMode::Batch}.build();
    const auto two = takeSteps(settings, kSteps);
    settings.features = apart;
    QVERIFY(takeSteps(settings, kSteps) == two);
    settings.network = MixedNetwork().build();
    const auto expected = takeSteps(settings, kSteps);
    settings.features = all;
    const auto got = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        QVERIFY(std::abs(got.losses[i] - expected.losses[i]) < 1e-6 * expected.losses[i]);
    }
    const double error = test::relativeError<float, float>(got.weights, expected.weights);
    QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
    // Of four readers of a block's source a pooling can't add, one is the first; two read what the
    // third branch splits, and what the second head does.
    const auto nodes = [&](const StepFeatures& features) {
        return capturePasses(settings.network, features).nodes;
    };
    QCOMPARE(nodes(apart) - nodes(all), std::size_t{2 * (2 + 1) + 1});
}

void TestParallelBranches::Memory_isSharedOnlyByWhatIsOver()
{
    emulation::reset();
    test::resetFakeLibraries();
    const cuda::CudaDevice device(0);
    const NetworkSpec network = MixedNetwork().build();
    ReplicaSettings settings;
    settings.examples = 2;
    settings.isTraining = true;
    settings.isPlanOnly = true;
    const Replica replica(device, network, ParameterLayout(network), settings);
    const BranchPlan& branches = replica.branches();
    QVERIFY(branches.branches() > 1);
    int sharers = 0;
    for (const PlannedBuffer& one : replica.memory().buffers) {
        for (const PlannedBuffer& other : replica.memory().buffers) {
            const bool shares = &one != &other && one.sharesMemoryWith(other);
            QVERIFY(
                !shares || branches.areOver(one.moments, other.moments)
                || branches.areOver(other.moments, one.moments));
            sharers += shares ? 1 : 0;
        }
    }
    QVERIFY(sharers > 0);
}

/// What a GPU does one after the other, however many it could do at once.
void TestParallelBranches::Inception_hasAShortLongestChain()
{
    const NetworkSpec network = inceptionV3Network({.inputHeight = 75, .inputWidth = 75});
    const StepFeatures all = StepFeatures::all();
    const auto with = capturePasses(network, all);
    const auto apart = capturePasses(network, all.without(StepFeature::LastBlock));
    const auto chain =
        capturePasses(network, all.without(StepFeature::LastBlock).without(StepFeature::Branches));
    QVERIFY(with.branches > 1);
    QCOMPARE(apart.branches, with.branches);
    QCOMPARE(chain.branches, 1);
    QCOMPARE(chain.longestChain, chain.nodes);
    QVERIFY2(with.longestChain <= 600, qPrintable(QString::number(with.longestChain)));
    QVERIFY(with.longestChain < apart.longestChain);
    QVERIFY(apart.longestChain < chain.longestChain);
    QVERIFY(static_cast<double>(with.bytes) < 1.25 * static_cast<double>(chain.bytes));
}

LOCKSTEP_TEST(TestParallelBranches)
#include "test_parallel_branches.moc"
