// SPDX-License-Identifier: Apache-2.0
// How a replica shares out its memory: what it says of the plan is what it takes, and no two
// buffers that are alive together lie at one place.
#include "device/cpu/cpu_device.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "tower/replica.h"

#include <algorithm>

using namespace lockstep;

namespace {

/// A trunk, two branches that read it and meet again, and a loss on top.
NetworkSpec branchedNetwork()
{
    NetworkBuilder builder("branched", {16, 16, 3}, 3);
    const LayerId trunk = builder.add("trunk", test::convolution(8, {3, 3}), {0});
    const LayerId pool = builder.add("pool", MaxPool{{2, 2}, {2, 2}}, {trunk});
    const LayerId side = builder.add("side", test::convolution(8, {3, 3}, {2, 2}), {trunk});
    const LayerId norm = builder.add("norm", Lrn{}, {side});
    const LayerId left = builder.add("left", test::fullyConnected(3), {pool});
    const LayerId right = builder.add("right", test::fullyConnected(3), {norm});
    builder.output("side", side);
    builder.objective({"first", 1.0, SoftmaxCrossEntropy{left}, {}});
    builder.objective({"second", 1.0, SoftmaxCrossEntropy{right}, {}});
    return builder.build();
}

ReplicaMemory memoryOf(const NetworkSpec& network, bool isTraining, bool isPlanOnly)
{
    const cpu::CpuDevice device;
    ReplicaSettings settings;
    settings.examples = 3;
    settings.isTraining = isTraining;
    settings.isPlanOnly = isPlanOnly;
    const Replica replica(device, network, ParameterLayout(network), settings);
    if (!isPlanOnly && replica.bytes() != replica.memory().bytes + replica.memory().gradientBytes) {
        throw std::runtime_error("the plan tells another size than the replica takes");
    }
    return replica.memory();
}

const PlannedBuffer& bufferOf(const ReplicaMemory& memory, const char* layer, BufferUse use)
{
    const auto found = std::ranges::find_if(memory.buffers, [&](const PlannedBuffer& buffer) {
        return buffer.layer == layer && buffer.use == use;
    });
    if (found == memory.buffers.end()) {
        throw std::runtime_error(std::string("no buffer of ") + layer);
    }
    return *found;
}

} // namespace

class TestReplicaMemory : public QObject
{
    Q_OBJECT

private slots:
    void Buffers_thatAreAliveTogether_neverShareAPlace()
    {
        for (const bool isTraining : {true, false}) {
            const ReplicaMemory memory = memoryOf(branchedNetwork(), isTraining, true);
            for (const PlannedBuffer& one : memory.buffers) {
                QVERIFY(one.bytes > 0 && one.offset + one.bytes <= memory.bytes);
                for (const PlannedBuffer& other : memory.buffers) {
                    const bool livesTogether =
                        one.first() <= other.last() && other.first() <= one.last();
                    QVERIFY(&one == &other || !livesTogether || !one.sharesMemoryWith(other));
                }
            }
        }
    }

    void Plan_withoutAllocation_isThatOfTheReplica()
    {
        for (const bool isTraining : {true, false}) {
            const ReplicaMemory plan = memoryOf(branchedNetwork(), isTraining, true);
            const ReplicaMemory real = memoryOf(branchedNetwork(), isTraining, false);
            QCOMPARE(plan.bytes, real.bytes);
            QCOMPARE(plan.gradientBytes, real.gradientBytes);
            QCOMPARE(plan.buffers.size(), real.buffers.size());
        }
    }

    void Training_keepsWhatTheBackwardPassReads()
    {
        const ReplicaMemory training = memoryOf(branchedNetwork(), true, true);
        const PlannedBuffer& trunk = bufferOf(training, "trunk", BufferUse::Values);
        QVERIFY(trunk.bytes >= std::size_t{3} * 16 * 16 * 8 * sizeof(float));
        QCOMPARE(training.momentName(trunk.first()), std::string("trunk forward"));
        // Its own weights' gradient is made last.
        QCOMPARE(training.momentName(trunk.last()), std::string("trunk backward"));
        // Two readers each leave a gradient.
        const auto gradients = std::ranges::count_if(training.buffers, [](const auto& buffer) {
            return buffer.layer == "trunk" && buffer.use == BufferUse::Gradient;
        });
        QCOMPARE(gradients, 2);
        QVERIFY(training.bytes < training.bytesWithoutReuse());
        QVERIFY(training.gradientBytes > 0);
    }

    void Evaluation_needsLess_andKeepsItsOutputs()
    {
        const ReplicaMemory evaluation = memoryOf(branchedNetwork(), false, true);
        QVERIFY(evaluation.bytes < memoryOf(branchedNetwork(), true, true).bytes);
        QCOMPARE(evaluation.gradientBytes, std::size_t{0});
        const PlannedBuffer& trunk = bufferOf(evaluation, "trunk", BufferUse::Values);
        QCOMPARE(evaluation.momentName(trunk.last()), std::string("side forward"));
        const PlannedBuffer& side = bufferOf(evaluation, "side", BufferUse::Values);
        QCOMPARE(evaluation.momentName(side.last()), std::string("end"));
    }

    void Phase_ofTheSecondObjective_makesNoGradientsOfTheFirst()
    {
        const NetworkSpec phase = branchedNetwork().withObjectives({"second"}, {});
        const ReplicaMemory memory = memoryOf(phase, true, true);
        QVERIFY(memory.bytes < memoryOf(branchedNetwork(), true, true).bytes);
        for (const PlannedBuffer& buffer : memory.buffers) {
            QVERIFY(buffer.layer != "left" || buffer.use != BufferUse::Gradient);
        }
    }
};

LOCKSTEP_TEST(TestReplicaMemory)
#include "test_replica_memory.moc"
