// SPDX-License-Identifier: Apache-2.0
#include "session/run_witness.h"
#include "storage/events/event_export.h"
#include "storage/events/event_file_reader.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

class GradientWitness : public Witness
{
public:
    void onEvent(const TrainingEvent& event) override
    {
        Witness::onEvent(event);
        if (const auto* const record = std::get_if<GradientRecord>(&event)) {
            gradients.push_back(*record);
            stepsBefore.push_back(static_cast<std::int64_t>(losses.size()));
        }
    }
    std::vector<GradientRecord> gradients;
    std::vector<std::int64_t> stepsBefore; ///< steps that were told before each
};

RunConfig measuredConfig(std::int64_t steps)
{
    RunConfig config = smallConfig(steps);
    config.gradientsEverySteps = 4;
    config.eventsEverySteps = 8;
    return config;
}

/// Of the scalars that the gradients gave: the steps.
std::set<std::int64_t> stepsWith(const std::filesystem::path& events, const std::string& tag)
{
    std::set<std::int64_t> steps;
    forEachCurrentEvent(events, [&](const EventRecord& record) {
        for (const EventValue& value : record.values) {
            if (value.tag == tag) {
                steps.insert(record.step);
            }
        }
    });
    return steps;
}

} // namespace

/// The gradients of a training on disk: to observers, store and event files.
class TestRunGradients : public QObject
{
    Q_OBJECT

private slots:
    void Run_tellsAndKeeps_whatItMeasured();
    void Resume_keepsTheGradients_ofItsPast();
    void Run_switchedOff_measuresNothing();
};

void TestRunGradients::Run_tellsAndKeeps_whatItMeasured()
{
    const TemporaryFolder folder;
    GradientWitness witness;
    trainWhole({measuredConfig(10), folder / "run"}, witness);
    QCOMPARE(witness.gradients.size(), std::size_t{3});
    QCOMPARE(witness.stepsBefore, (std::vector<std::int64_t>{1, 5, 9}));
    const auto stored = storedGradients(folder / "run");
    QCOMPARE(stored.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(sameGradients(stored[i], witness.gradients[i]));
    }
    const std::set<std::int64_t> recorded{0, 8};
    QVERIFY(stepsWith(RunFolder::eventsOf(folder / "run"), "gradients/cosine_min") == recorded);
    exportEvents(
        RunStoreReader(RunFolder::storeFileOf(folder / "run")), RunFolder::eventsOf(folder / "run"),
        folder / "board");
    const std::set<std::int64_t> all{0, 4, 8};
    QVERIFY(stepsWith(folder / "board", "gradients/cosine_min") == all);
    QVERIFY(stepsWith(folder / "board", "update_to_weight/conv1") == all);
}

void TestRunGradients::Resume_keepsTheGradients_ofItsPast()
{
    const TemporaryFolder folder;
    GradientWitness straight;
    trainWhole({measuredConfig(20), folder / "straight"}, straight);
    GradientWitness halves;
    trainWhole({measuredConfig(10), folder / "halves"}, halves);
    trainWhole({measuredConfig(20), folder / "halves", true}, halves);
    const auto stored = storedGradients(folder / "halves");
    QCOMPARE(stored.size(), straight.gradients.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        QVERIFY(sameGradients(stored[i], straight.gradients[i]));
    }
}

void TestRunGradients::Run_switchedOff_measuresNothing()
{
    const TemporaryFolder folder;
    GradientWitness witness;
    RunConfig config = measuredConfig(10);
    config.gradientsEverySteps = 0;
    trainWhole({config, folder / "run"}, witness);
    QVERIFY(witness.gradients.empty());
    QVERIFY(storedGradients(folder / "run").empty());
}

LOCKSTEP_TEST(TestRunGradients)
#include "test_run_gradients.moc"
