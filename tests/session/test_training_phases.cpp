// SPDX-License-Identifier: Apache-2.0
#include "session/config/run_config.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

using namespace lockstep;

namespace {

using Phases = std::vector<PhaseSettings>;

const Phases kTwo{{"segmentation", 60, 0.1, {}}, {"decision", 40, 0.2, {"segmentation"}}};

RunConfig parsed(const char* text)
{
    RunConfig config;
    parseConfig(config, text, "test");
    return config;
}

} // namespace

/// The phases of a configuration: what they mean, and how they are written.
class TestTrainingPhases : public QObject
{
    Q_OBJECT
private slots:
    static void Fitted_moreSteps_extendTheLast();
    static void Fitted_fewerSteps_cutFromTheEnd();
    static void Fitted_none_isOnePhase();
    static void Fitted_segdecnet_hasThePapersPhases();
    static void UsualPhases_inEpochs_waitForTheSteps();
    static void Plan_phasesFollowEachOther();
    static void PhaseAt_borders_belongToTheNext();
    static void WithRateFrom_splitsThePhase();
    static void WithRateFrom_atTheBorder_changesTheNextPhase();
    static void Toml_tables_areRead();
    static void Toml_written_readsBack();
    static void Toml_phases_sayTheSteps();
    static void Toml_phasesCutOrExtended_keepTheSteps();
    static void Toml_modelShortForm_isItsName();
    static void Toml_segdecnet_hasItsSteps();
    static void Set_oneKey_changesThatPhase();
    static void Set_steps_winsOverThePhases();
    static void Set_wrong_isNamed_data();
    static void Set_wrong_isNamed();
    static void Validate_badPhase_isNamed();
};

void TestTrainingPhases::Fitted_moreSteps_extendTheLast()
{
    Phases expected = kTwo;
    expected[1].steps = 70;
    QVERIFY(fittedPhases(kTwo, "any", 130) == expected);
}

void TestTrainingPhases::Fitted_fewerSteps_cutFromTheEnd()
{
    Phases expected = kTwo;
    expected[1].steps = 5;
    QVERIFY(fittedPhases(kTwo, "any", 65) == expected);
    QVERIFY(fittedPhases(kTwo, "any", 60) == Phases({kTwo[0]}));
    expected = {kTwo[0]};
    expected[0].steps = 0;
    QVERIFY(fittedPhases(kTwo, "any", 0) == expected);
}

void TestTrainingPhases::Fitted_none_isOnePhase()
{
    const Phases fitted = fittedPhases({}, "cifar10", 50);
    QCOMPARE(fitted.size(), std::size_t{1});
    QVERIFY(fitted[0].objective.empty() && !fitted[0].learningRate);
    QCOMPARE(fitted[0].steps, 50);
}

void TestTrainingPhases::Fitted_segdecnet_hasThePapersPhases()
{
    const Phases fitted = fittedPhases({}, "segdecnet", 13'200);
    const Phases expected{
        {"segmentation", 6600, 0.1, {}}, {"decision", 6600, 0.1, {"segmentation"}}};
    QVERIFY(fitted == expected);
    const Phases less = fittedPhases({}, "segdecnet", 101);
    QCOMPARE(stepsOf(less), 101);
    QVERIFY(std::abs(less[0].steps - less[1].steps) == 1);
}

void TestTrainingPhases::UsualPhases_inEpochs_waitForTheSteps()
{
    RunConfig config;
    config.model.name = "segdecnet";
    config.epochs = 17.0;
    config.takeUsualPhases();
    QVERIFY(config.phases.empty());
    config.takeEpochs(100 * config.towerShape().globalBatch());
    config.takeUsualPhases();
    QCOMPARE(config.phases.size(), std::size_t{2});
    QCOMPARE(config.phases[0].steps, 850);
    QCOMPARE(config.phases[1].steps, 850);
}

void TestTrainingPhases::Plan_phasesFollowEachOther()
{
    const auto plan = phasePlan(kTwo);
    QVERIFY(
        plan
        == (std::vector<RunPhase>{
            {0, 60, "segmentation", 0.1, {}}, {60, 100, "decision", 0.2, {"segmentation"}}}));
    QCOMPARE(phasePlan({{"a", 0, {}, {}}, {"b", 3, {}, {}}}).size(), std::size_t{1});
    QCOMPARE(phasePlan({{"a", 0, {}, {}}}).size(), std::size_t{1});
}

void TestTrainingPhases::PhaseAt_borders_belongToTheNext()
{
    const auto plan = phasePlan(kTwo);
    QCOMPARE(phaseAt(plan, 59), std::size_t{0});
    QCOMPARE(phaseAt(plan, 60), std::size_t{1});
    QCOMPARE(phaseAt(plan, 100), std::size_t{1});
}

void TestTrainingPhases::WithRateFrom_splitsThePhase()
{
    const Phases expected{
        {"segmentation", 60, 0.1, {}},
        {"decision", 10, 0.2, {"segmentation"}},
        {"decision", 30, 0.5, {"segmentation"}}};
    QVERIFY(withRateFrom(kTwo, 70, 0.5) == expected);
}

void TestTrainingPhases::WithRateFrom_atTheBorder_changesTheNextPhase()
{
    Phases expected = kTwo;
    expected[1].learningRate = 0.5;
    QVERIFY(withRateFrom(kTwo, 60, 0.5) == expected);
    expected = kTwo;
    expected[0].learningRate = 0.5;
    QVERIFY(withRateFrom(kTwo, 0, 0.5) == expected);
}

void TestTrainingPhases::Toml_tables_areRead()
{
    const RunConfig config = parsed(R"(
[[phase]]
objective = "segmentation"
steps = 60
learning_rate = 0.1
[[phase]]
objective = "decision"
steps = 40
learning_rate = 0.2
frozen = ["segmentation"]
)");
    QVERIFY(config.phases == kTwo);
    QCOMPARE(config.steps, 100);
}

void TestTrainingPhases::Toml_written_readsBack()
{
    RunConfig config;
    config.phases = kTwo;
    config.phases[0].objective = "a \"quoted\" one";
    config.phases[1].learningRate.reset();
    config.phases[1].frozen = {"x", "y z"};
    config.steps = 100;
    const RunConfig read = parsed(toToml(config).c_str());
    QVERIFY(read.phases == config.phases);
    QCOMPARE(read.steps, 100);
}

// A person who shortens a phase of run.toml by hand need not know that the steps are there, too.
void TestTrainingPhases::Toml_phases_sayTheSteps()
{
    RunConfig config;
    config.phases = kTwo;
    config.steps = 100;
    std::string text = toToml(config);
    const auto place = text.find("steps = 60");
    QVERIFY(place != std::string::npos);
    text.replace(place, 10, "steps = 20");
    QCOMPARE(parsed(text.c_str()).steps, 60);
    QCOMPARE(parsed("steps = 7\nphase = [{objective = 'a', steps = 5}]").steps, 7);
}

void TestTrainingPhases::Toml_phasesCutOrExtended_keepTheSteps()
{
    RunConfig config;
    config.phases = {{"segmentation", 500, {}, {}}, {"decision", 500, {}, {}}};
    for (const std::int64_t steps : {600, 2000}) {
        config.steps = steps;
        const RunConfig read = parsed(toToml(config).c_str());
        QCOMPARE(read.steps, steps);
        QVERIFY(read.phases == config.phases);
    }
}

void TestTrainingPhases::Toml_modelShortForm_isItsName()
{
    QVERIFY(toToml(parsed("model = 'segdecnet'")) == toToml(parsed("[model]\nname = 'segdecnet'")));
    RunConfig config;
    setConfigValue(config, "model", "segdecnet");
    QVERIFY(toToml(config) == toToml(parsed("model.name = 'segdecnet'")));
}

void TestTrainingPhases::Toml_segdecnet_hasItsSteps()
{
    QCOMPARE(parsed("model = 'segdecnet'").steps, 13'200);
    QCOMPARE(parsed("model = 'segdecnet'\nsteps = 10").steps, 10);
    QCOMPARE(parsed("model = 'cifar10'").steps, RunConfig().steps);
}

void TestTrainingPhases::Set_oneKey_changesThatPhase()
{
    RunConfig config;
    config.phases = kTwo;
    setConfigValue(config, "phase.0.steps", "5");
    setConfigValue(config, "phase.1.learning_rate", "3");
    setConfigValue(config, "phase.1.objective", "joint");
    setConfigValue(config, "phase.1.frozen", "[]");
    setConfigValue(config, "phase.2.frozen", "decision");
    const Phases expected{
        {"segmentation", 5, 0.1, {}}, {"joint", 40, 3.0, {}}, {"", 0, {}, {"decision"}}};
    QVERIFY(config.phases == expected);
    QCOMPARE(config.steps, 45);
}

void TestTrainingPhases::Set_steps_winsOverThePhases()
{
    RunConfig config;
    setConfigValue(config, "phase", "[{objective = 'a', steps = 5}, {objective = 'b', steps = 5}]");
    QCOMPARE(config.steps, 10);
    setConfigValue(config, "steps", "30");
    QCOMPARE(stepsOf(config.trainedPhases()), 30);
    QCOMPARE(config.trainedPhases()[0].steps, 5);
    setConfigValue(config, "phase", "");
    QVERIFY(config.phases.empty());
}

void TestTrainingPhases::Set_wrong_isNamed_data()
{
    test::addTextRows(
        {"key", "value", "words"},
        {{"not a number", "phase.0.steps", "many", "phase.0.steps"},
         {"not whole", "phase.0.steps", "1.5", "phase.0.steps must be a whole number"},
         {"rate", "phase.1.learning_rate", "true", "phase.1.learning_rate"},
         {"frozen", "phase.1.frozen", "[1]", "phase.1.frozen"},
         {"gap", "phase.5.steps", "1", "there are 2 phases"},
         {"no number", "phase.first.steps", "1", "phase.first.steps"},
         {"no such key", "phase.0.rate", "1", "'phase.0.rate' is not known"},
         {"no list", "phase", "segmentation", "phase"},
         {"in the list", "phase", "[{steps = 'x'}]", "phase.0.steps"}});
}

void TestTrainingPhases::Set_wrong_isNamed()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, words);
    RunConfig config;
    config.phases = kTwo;
    const QString error =
        test::failureOf([&] { setConfigValue(config, key.toStdString(), value.toStdString()); });
    QVERIFY2(error.contains(words), qPrintable(error));
    QVERIFY(config.phases == kTwo);
}

void TestTrainingPhases::Validate_badPhase_isNamed()
{
    RunConfig config;
    config.phases = kTwo;
    config.phases[1].steps = -1;
    QVERIFY(test::failureOf([&] {
                config.validate();
            }).contains(QStringLiteral("phase.1.steps is -1")));
    config.phases = kTwo;
    config.phases[0].learningRate = -0.5;
    QVERIFY(test::failureOf([&] {
                config.validate();
            }).contains(QStringLiteral("phase.0.learning_rate")));
}

LOCKSTEP_TEST(TestTrainingPhases)
#include "test_training_phases.moc"
