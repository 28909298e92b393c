// SPDX-License-Identifier: Apache-2.0
// Branches that are written where a concat joins them: the same bits as when they are copied there,
// and no memory of their own; what somebody else reads keeps it.
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

#include <string>
#include <vector>

using namespace lockstep;
using test::convolution;
using test::Random;

namespace {

/// How the branches of a network are read.
struct Branches
{
    std::vector<std::int64_t> channels; ///< of each; they are named "branch0", "branch1" …
    bool isReadTwice = false;           ///< branch 0: by the layer behind, too
    bool isJoinedTwice = false;         ///< branch 0: it is the last source, too
    bool hasPlainConvolution = false;   ///< a source that can't be written in place
    bool hasTwoReaders = false;         ///< the joint: its gradient is a sum
    bool hasPool = false; ///< a source is pooled, behind a ReLU that the pooling applies
    NormalizationMode mode = NormalizationMode::Batch;
};

/// The test's name: all that tells it from the others.
QString text(const Branches& branches)
{
    QStringList parts;
    for (const std::int64_t channels : branches.channels) {
        parts << QString::number(channels);
    }
    for (const auto& [isSo, name] :
         {std::pair{branches.isReadTwice, "read twice"},
          std::pair{branches.isJoinedTwice, "joined twice"},
          std::pair{branches.hasPlainConvolution, "a plain convolution"},
          std::pair{branches.hasTwoReaders, "two readers"}, std::pair{branches.hasPool, "a pool"},
          std::pair{branches.mode == NormalizationMode::PerImage, "per image"}}) {
        if (isSo) {
            parts << name;
        }
    }
    return parts.join(", ");
}

LayerId branch(
    NetworkBuilder& builder, const std::string& name, std::int64_t channels, NormalizationMode mode)
{
    Conv2d conv = convolution(channels, {1, 1});
    conv.activation = Activation::None;
    Normalization norm;
    norm.mode = mode;
    norm.activation = Activation::Relu;
    return builder.add(name, norm, {builder.add(name + "_conv", conv, {0})});
}

/// `areOutputs`: the branches are, so that they have to have tensors of their own.
NetworkSpec networkOf(const Branches& branches, bool areOutputs)
{
    NetworkBuilder builder("joined", {5, 7, 3}, 4);
    std::vector<LayerId> sources;
    for (std::size_t i = 0; i < branches.channels.size(); ++i) {
        const std::string name = "branch" + std::to_string(i);
        sources.push_back(branch(builder, name, branches.channels[i], branches.mode));
        if (areOutputs) {
            builder.output(name, sources.back());
        }
    }
    std::vector<LayerId> ends;
    if (branches.isReadTwice) {
        ends.push_back(builder.add("beside", convolution(3, {3, 3}), {sources.front()}));
    }
    if (branches.hasPool) {
        const LayerId conv = builder.add("pool_conv", convolution(32, {1, 1}), {0});
        sources.push_back(builder.add("pool", MaxPool{{3, 3}, {1, 1}, Padding::Same}, {conv}));
        if (areOutputs) {
            builder.output("pool", sources.back());
        }
    }
    if (branches.hasPlainConvolution) {
        sources.push_back(builder.add("plain", convolution(16, {1, 1}), {0}));
    }
    if (branches.isJoinedTwice) {
        sources.push_back(sources.front());
    }
    const LayerId joined = builder.add("joined", Concat{}, sources);
    ends.push_back(builder.add("behind", convolution(5, {3, 3}), {joined}));
    if (branches.hasTwoReaders) {
        ends.push_back(builder.add("pooled", MaxPool{{3, 3}, {1, 1}, Padding::Same}, {joined}));
    }
    const LayerId top = builder.add("ends", Concat{}, ends);
    const LayerId logits = builder.add("logits", test::fullyConnected(4), {top});
    builder.output("logits", logits);
    builder.objective({"loss", 1.0, SoftmaxCrossEntropy{logits}, {}});
    return builder.build();
}

bool hasMemory(const Replica& replica, const std::string& layer, BufferUse use)
{
    return std::ranges::any_of(replica.memory().buffers, [&](const PlannedBuffer& buffer) {
        return buffer.layer == layer && buffer.use == use;
    });
}

QString algorithmOf(const Replica& replica, const std::string& layer)
{
    const auto reports = replica.report();
    return QString::fromStdString(std::ranges::find(reports, layer, &OpReport::layer)->algorithm);
}

} // namespace

Q_DECLARE_METATYPE(Branches)

class TestChannelSlices : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void InPlace_anyBranches_hasTheBitsOfCopies_data()
    {
        QTest::addColumn<Branches>("branches");
        const std::vector<Branches> all{
            {{16, 32}},
            {{64, 48, 96, 32}},
            {{3, 5, 16}},
            {{17, 16}},
            {{16, 17}},
            {{8, 24}},
            {{16}},
            {{16, 32, 16}, true},
            {{32, 16}, false, true},
            {{16, 32}, false, false, true},
            {{32, 32}, false, false, false, true},
            {{16, 48}, true, false, true, true},
            {{16, 32}, false, false, false, false, true},
            {{5}, false, false, false, true, true},
            {{48, 16}, false, false, true, false, true},
            {{16, 32}, false, false, false, false, false, NormalizationMode::PerImage},
            {{100, 28}, false, false, false, false, true, NormalizationMode::Moving}};
        for (const Branches& branches : all) {
            QTest::newRow(qPrintable(text(branches))) << branches;
        }
    }

    void InPlace_anyBranches_hasTheBitsOfCopies()
    {
        QFETCH(Branches, branches);
        QFETCH_GLOBAL(Precision, precision);
        const NetworkSpec inPlace = networkOf(branches, false);
        const NetworkSpec copied = networkOf(branches, true);
        for (const auto& [rows, threads] : {std::pair{1, 1}, std::pair{3, 2}}) {
            Random random(static_cast<std::uint64_t>(700 + rows));
            const auto parameters = test::randomParameters(inPlace, random);
            const auto examples = test::randomExamples(inPlace, rows, random);
            const test::PassSettings settings{precision, true, threads};
            const test::CpuPass got(inPlace, parameters, examples, settings);
            const test::CpuPass wanted(copied, parameters, examples, settings);
            QCOMPARE(got.lossSum(inPlace), wanted.lossSum(copied));
            QVERIFY(got.replica().output("logits") == wanted.replica().output("logits"));
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                QVERIFY2(
                    std::ranges::equal(got.gradient(i), wanted.gradient(i)),
                    inPlace.parameters[i].name.c_str());
            }
            const test::CpuPass inference(
                inPlace, parameters, examples, {precision, false, threads});
            const test::CpuPass inferenceOfCopies(
                copied, parameters, examples, {precision, false, threads});
            QVERIFY(
                inference.replica().output("logits")
                == inferenceOfCopies.replica().output("logits"));
        }
    }

    /// Float64, as far as a batch that is normalised allows.
    void InPlace_anyBranches_equalsTheReference_data()
    {
        InPlace_anyBranches_hasTheBitsOfCopies_data();
    }

    void InPlace_anyBranches_equalsTheReference()
    {
        QFETCH(Branches, branches);
        QFETCH_GLOBAL(Precision, precision);
        const NetworkSpec network = networkOf(branches, false);
        Random random(800);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 3, random);
        const auto errors =
            test::compareWithReference(network, parameters, examples, {precision, true, 2});
        const QString message = QString::fromStdString(errors.text());
        using namespace test::tolerance;
        const bool isFloat = precision == Precision::Float32;
        QVERIFY2(errors.forward < (isFloat ? kChain : kChainBfloat16), qPrintable(message));
        QVERIFY2(errors.backward < (isFloat ? kChain : kDecidedBfloat16), qPrintable(message));
    }

    void Branch_thatOnlyTheJointReads_hasNoMemoryOfItsOwn()
    {
        QFETCH_GLOBAL(Precision, precision);
        const Branches branches{{16, 48}, true, false, true, true, true};
        const NetworkSpec network = networkOf(branches, false);
        Random random(900);
        const auto parameters = test::randomParameters(network, random);
        const test::CpuPass pass(
            network, parameters, test::randomExamples(network, 2, random), {precision});
        const Replica& replica = pass.replica();
        for (const BufferUse use : {BufferUse::Values, BufferUse::Gradient}) {
            QVERIFY(hasMemory(replica, "branch0", use)); // the layer beside reads it
            QVERIFY(!hasMemory(replica, "branch1", use));
            QVERIFY(!hasMemory(replica, "pool", use));
            QVERIFY(hasMemory(replica, "plain", use));
            QVERIFY(hasMemory(replica, "joined", use));
        }
        QCOMPARE(algorithmOf(replica, "joined"), QString("reorder, 2 of 4 in place"));
        const NetworkSpec all = networkOf({{16, 48}}, false);
        const test::CpuPass whole(
            all, test::randomParameters(all, random), test::randomExamples(all, 2, random),
            {precision});
        QCOMPARE(algorithmOf(whole.replica(), "joined"), QString("in place"));
    }
};

LOCKSTEP_TEST(TestChannelSlices)
#include "test_channel_slices.moc"
