// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/step_alerts.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <functional>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

constexpr AlertSettings kOff{0, 0.0, 0.0, 0, 0.0, 0.0};

/// A step in which nothing is wrong: 0.1 s, no waiting, towers alike, but not the same.
StepRecord quietStep(std::int64_t step, int towers)
{
    std::mt19937 generator(static_cast<unsigned>(step));
    std::normal_distribution<double> noise(0.0, 0.01);
    StepRecord record;
    record.step = step;
    record.learningRate = 0.1;
    record.lossMean = 2.0;
    record.stepSeconds = 0.1;
    record.computeSeconds = 0.1;
    for (int i = 0; i < towers; ++i) {
        TowerRecord tower;
        tower.loss = 2.0 + noise(generator);
        tower.startSeconds = tower.copySeconds = tower.backwardSeconds = 0.0;
        tower.forwardSeconds = 0.05;
        record.towers.push_back(tower);
    }
    return record;
}

/// What is told of `steps` steps, each made by `change` out of a quiet one.
std::vector<AlertRecord> alertsOf(
    const AlertSettings& settings, int towers, std::int64_t steps,
    const std::function<void(StepRecord&)>& change)
{
    std::vector<AlertRecord> told;
    StepAlerts alerts(
        settings, static_cast<std::size_t>(towers), 10,
        [&](const AlertRecord& alert) { told.push_back(alert); });
    for (std::int64_t step = 0; step < steps; ++step) {
        StepRecord record = quietStep(step, towers);
        change(record);
        alerts.take(record);
    }
    return told;
}

/// "plateau@200 plateau-@400": kinds and steps, a minus for what is over.
QString summary(const std::vector<AlertRecord>& alerts)
{
    QStringList parts;
    for (const AlertRecord& alert : alerts) {
        const QString kind = QString::fromStdString(std::string(toString(alert.kind)));
        const QString tower = alert.tower < 0 ? QString() : QStringLiteral("#%1").arg(alert.tower);
        parts.append(QStringLiteral("%1%2%3@%4")
                         .arg(kind, alert.isOver ? QStringLiteral("-") : QString(), tower)
                         .arg(alert.step));
    }
    return parts.join(QLatin1Char(' '));
}

/// How the towers keep pace after a hundred steps.
Verdict paceOf(int towers, bool isRecorded, const std::function<void(StepRecord&)>& change)
{
    RunVerdicts verdicts(AlertSettings(), static_cast<std::size_t>(towers), 0, isRecorded);
    for (std::int64_t step = 0; step < 100; ++step) {
        StepRecord record = quietStep(step, towers);
        change(record);
        verdicts.take(record);
    }
    return verdicts.pace();
}

AlertSettings only(double AlertSettings::*limit, double value)
{
    AlertSettings settings = kOff;
    settings.*limit = value;
    return settings;
}

AlertSettings onlyPlateau(std::int64_t steps)
{
    AlertSettings settings = kOff;
    settings.plateauSteps = steps;
    return settings;
}

} // namespace

class TestStepAlerts : public QObject
{
    Q_OBJECT
private slots:
    static void Quiet_steps_tellNothing();
    static void AllOff_tellsNothing();
    static void AllOff_mutesNoLight();
    static void Plateau_isToldOnceAndWhenItIsOver();
    static void Plateau_ofAFallingLoss_isNone();
    static void Plateau_learningRateChanges_beginsAnew();
    static void Plateau_learningRateOfACourse_isFound();
    static void Plateau_atLearningRateZero_isNone();
    static void InputBound_table_data();
    static void InputBound_table();
    static void TowerLoss_poisonedTower_isNamedOnce();
    static void TowerLoss_ofTwo_namesNobody();
    static void TowerLoss_smallButSure_isNone();
    static void TowerLoss_thatScattersMore_isNamed();
    static void SameRows_areTold();
    static void SlowTower_isNamed_andAFastOneIsNot();
    static void SlowTower_onProcessors_costsAFifth();
    static void SlowTower_belowAFifth_isSaidInGreen();
    static void Pace_ofRecordedRanks_knowsNoTurns();
    static void Recalled_steps_areNotToldAgain();
    static void SlowTower_isOver_whenItKeepsPace();
    static void SlowTower_twoAlike_areNotTold();
    static void SlowTower_aMuchSlowerOne_takesItsPlace();
    static void TowerLoss_twoAlike_areToldOnce();
    static void StuckLimit_table_data();
    static void StuckLimit_table();
    static void Kinds_namesGoThereAndBack();
};

void TestStepAlerts::Quiet_steps_tellNothing()
{
    std::mt19937 generator(1);
    std::normal_distribution<double> noise(0.0, 0.3);
    const auto alerts = alertsOf(AlertSettings(), 4, 5000, [&](StepRecord& record) {
        record.lossMean = 4.0 - 0.0004 * static_cast<double>(record.step) + noise(generator);
        record.inputSeconds = 0.004;
        for (TowerRecord& tower : record.towers) {
            tower.loss = record.lossMean + noise(generator);
            tower.forwardSeconds = 0.05 + 0.01 * noise(generator);
        }
    });
    QCOMPARE(summary(alerts), QString());
}

void TestStepAlerts::AllOff_tellsNothing()
{
    const auto alerts = alertsOf(kOff, 2, 3000, [](StepRecord& record) {
        record.inputSeconds = record.stepSeconds;
        record.towers[1].loss = 100.0;
        record.towers[1].forwardSeconds = 10.0;
    });
    QCOMPARE(summary(alerts), QString());
}

void TestStepAlerts::AllOff_mutesNoLight()
{
    StepAlerts alerts(kOff, 4, 10, [](const AlertRecord& told) { QFAIL(told.text.c_str()); });
    for (std::int64_t step = 0; step < 200; ++step) {
        StepRecord record = quietStep(step, 4);
        record.towers[1].loss += 0.5;
        record.towers[2].forwardSeconds = 0.08;
        alerts.take(record);
    }
    QCOMPARE(alerts.verdicts().data().tower, 1);
    QCOMPARE(alerts.verdicts().pace().tower, 2);
    const Verdict* const loss = alerts.verdicts().found(AlertKind::TowerLoss, 1);
    QVERIFY(loss != nullptr && loss->by == std::string("its loss"));
    QVERIFY(alerts.verdicts().found(AlertKind::SlowTower, 2) != nullptr);
    QVERIFY(alerts.verdicts().found(AlertKind::SlowTower, 1) == nullptr);
}

// A loss that falls, stands still from step 200 on and falls again from step 1000 on.
void TestStepAlerts::Plateau_isToldOnceAndWhenItIsOver()
{
    const auto alerts = alertsOf(onlyPlateau(200), 2, 1400, [](StepRecord& record) {
        const auto step = static_cast<double>(record.step);
        const double saw = record.step / 10 % 2 == 0 ? 0.01 : -0.01; // by blocks of 10
        record.lossMean = (step < 200    ? 3.0 - 0.005 * step
                           : step < 1000 ? 2.0
                                         : 2.0 - 0.005 * (step - 1000.0))
                          + saw;
    });
    QCOMPARE(alerts.size(), 2U);
    QVERIFY(alerts[0].kind == AlertKind::Plateau && !alerts[0].isOver);
    QVERIFY(alerts[0].step > 300 && alerts[0].step <= 420);
    QVERIFY2(
        alerts[0].text.find("has not fallen for 200 steps") != std::string::npos,
        alerts[0].text.c_str());
    QVERIFY(alerts[1].isOver && alerts[1].step > 1000 && alerts[1].step <= 1200);
}

void TestStepAlerts::Plateau_ofAFallingLoss_isNone()
{
    std::mt19937 generator(3);
    std::normal_distribution<double> noise(0.0, 0.05);
    const auto alerts = alertsOf(onlyPlateau(400), 2, 4000, [&](StepRecord& record) {
        record.lossMean = 5.0 - 0.001 * static_cast<double>(record.step) + noise(generator);
    });
    QCOMPARE(summary(alerts), QString());
}

void TestStepAlerts::Plateau_learningRateChanges_beginsAnew()
{
    const auto alerts = alertsOf(onlyPlateau(100), 2, 360, [](StepRecord& record) {
        record.learningRate = record.step < 150 ? 0.1 : 0.01;
    });
    QCOMPARE(summary(alerts), QStringLiteral("plateau@100 plateau-@160 plateau@250"));
}

// A cosine's rate is another one in every step; where it is 1.5 times lower the loss is given time.
void TestStepAlerts::Plateau_learningRateOfACourse_isFound()
{
    const auto alerts = alertsOf(onlyPlateau(100), 2, 500, [](StepRecord& record) {
        record.learningRate = 0.1 * std::pow(1.5, -static_cast<double>(record.step) / 299.5);
    });
    QCOMPARE(summary(alerts), QStringLiteral("plateau@100 plateau-@310 plateau@400"));
}

void TestStepAlerts::Plateau_atLearningRateZero_isNone()
{
    const auto alerts =
        alertsOf(onlyPlateau(100), 2, 500, [](StepRecord& record) { record.learningRate = 0.0; });
    QCOMPARE(summary(alerts), QString());
}

void TestStepAlerts::InputBound_table_data()
{
    QTest::addColumn<double>("waiting"); // of each step's 0.1 s, between steps 200 and 600
    QTest::addColumn<double>("later");   // from there on
    QTest::addColumn<QString>("told");
    QTest::newRow("below") << 0.0099 << 0.0 << "";
    QTest::newRow("above") << 0.047 << 0.047 << "input_bound@250";
    // More than half of the limit is not over yet.
    QTest::newRow("in between") << 0.047 << 0.006 << "input_bound@250";
    QTest::newRow("over") << 0.047 << 0.0 << "input_bound@250 input_bound-@700";
    QTest::newRow("nearly all") << 0.09 << 0.0 << "input_bound@250 input_bound-@700";
}

// n steps that wait w of their 0.1 s make a share of n w / 10 s of 100 steps; it is looked at every
// 50 steps. With 0.047 s it is above 0.1 from 22 steps on, below 0.05 with 10 left.
void TestStepAlerts::InputBound_table()
{
    QFETCH(double, waiting);
    QFETCH(double, later);
    QFETCH(QString, told);
    const auto alerts =
        alertsOf(only(&AlertSettings::inputShare, 0.1), 2, 1000, [&](StepRecord& record) {
            if (record.step >= 200) {
                record.inputSeconds = record.step < 600 ? waiting : later;
            }
        });
    QCOMPARE(summary(alerts), told);
}

void TestStepAlerts::TowerLoss_poisonedTower_isNamedOnce()
{
    std::mt19937 generator(5);
    std::normal_distribution<double> noise(0.0, 0.1);
    const auto alerts =
        alertsOf(only(&AlertSettings::towerLoss, 0.1), 4, 1200, [&](StepRecord& record) {
            for (TowerRecord& tower : record.towers) {
                tower.loss = 2.0 + noise(generator);
            }
            if (record.step >= 200 && record.step < 800) {
                record.towers[2].loss -= 0.5; // 25 % below
            }
        });
    QCOMPARE(alerts.size(), 2U);
    QVERIFY(alerts[0].tower == 2 && !alerts[0].isOver);
    QVERIFY2(alerts[0].step > 200 && alerts[0].step <= 230, qPrintable(summary(alerts)));
    QVERIFY(alerts[1].tower == 2 && alerts[1].isOver);
    QVERIFY2(alerts[1].step > 1000 && alerts[1].step <= 1200, qPrintable(summary(alerts)));
    QVERIFY2(
        alerts[0].text.find("below that of the others") != std::string::npos,
        alerts[0].text.c_str());
}

void TestStepAlerts::TowerLoss_ofTwo_namesNobody()
{
    const auto alerts =
        alertsOf(only(&AlertSettings::towerLoss, 0.1), 2, 200, [](StepRecord& record) {
            record.towers[0].loss = 1.0; // the other is at 2
        });
    QCOMPARE(alerts.size(), 1U);
    QVERIFY2(alerts[0].tower < 0 && alerts[0].step <= 100, qPrintable(summary(alerts)));
    QVERIFY2(
        alerts[0].text.find("two towers differ by 100 %") != std::string::npos,
        alerts[0].text.c_str());
}

void TestStepAlerts::TowerLoss_smallButSure_isNone()
{
    const auto alerts =
        alertsOf(only(&AlertSettings::towerLoss, 0.1), 4, 1000, [](StepRecord& record) {
            record.towers[3].loss += 0.1;
        });
    QCOMPARE(summary(alerts), QString());
}

// Its mean is that of the others.
void TestStepAlerts::TowerLoss_thatScattersMore_isNamed()
{
    std::mt19937 generator(6);
    std::normal_distribution<double> noise(0.0, 0.1);
    const auto alerts =
        alertsOf(only(&AlertSettings::towerLoss, 0.1), 4, 1000, [&](StepRecord& record) {
            for (TowerRecord& tower : record.towers) {
                tower.loss = 2.0 + noise(generator);
            }
            record.towers[1].loss = 2.0 + 3.0 * noise(generator);
        });
    QCOMPARE(alerts.size(), 1U);
    QCOMPARE(alerts[0].tower, 1);
    QVERIFY2(alerts[0].text.find("scatters") != std::string::npos, alerts[0].text.c_str());
}

void TestStepAlerts::SameRows_areTold()
{
    const auto alerts =
        alertsOf(only(&AlertSettings::towerLoss, 0.1), 3, 100, [](StepRecord& record) {
            record.towers[1].loss = record.towers[2].loss = record.towers[0].loss;
        });
    QCOMPARE(summary(alerts), QStringLiteral("same_data@20"));
}

void TestStepAlerts::SlowTower_isNamed_andAFastOneIsNot()
{
    const auto slow =
        alertsOf(only(&AlertSettings::towerWait, 0.2), 4, 400, [](StepRecord& record) {
            record.towers[1].forwardSeconds = 0.08; // the others wait 0.03 of 0.1 s
        });
    QCOMPARE(summary(slow), QStringLiteral("slow_tower#1@30"));
    QVERIFY2(slow[0].text.find("30 %") != std::string::npos, slow[0].text.c_str());
    const auto fast =
        alertsOf(only(&AlertSettings::towerWait, 0.2), 4, 400, [](StepRecord& record) {
            record.towers[1].forwardSeconds = 0.0;
        });
    QCOMPARE(summary(fast), QString());
}

/// Two turns on two processors: the later ones take somewhat longer with nothing wrong. So does the
/// one of two towers whose processor has other work as well.
void TestStepAlerts::SlowTower_onProcessors_costsAFifth()
{
    for (const auto& [late, told] : {std::pair(0.012, ""), std::pair(0.03, "slow_tower#1@30")}) {
        const auto alerts =
            alertsOf(only(&AlertSettings::towerWait, 0.05), 4, 400, [&](StepRecord& record) {
                for (const std::size_t tower : {0, 1, 2, 3}) {
                    record.towers[tower].startSeconds = tower % 2 == 0 ? 0.0 : 0.035;
                    record.towers[tower].forwardSeconds = 0.035 + (tower == 1 ? late : 0.0);
                }
            });
        QCOMPARE(summary(alerts), QString(told));
        const auto beside =
            alertsOf(only(&AlertSettings::towerWait, 0.05), 2, 400, [&](StepRecord& record) {
                record.towers[1].forwardSeconds += late;
            });
        QCOMPARE(summary(beside), QString(told));
        const auto onGpus =
            alertsOf(only(&AlertSettings::towerWait, 0.05), 2, 400, [&](StepRecord& record) {
                record.towers[0].device = 0;
                record.towers[1].device = 1;
                record.towers[1].forwardSeconds += late;
            });
        QCOMPARE(summary(onGpus), QStringLiteral("slow_tower#1@30"));
    }
}

/// Of 4 towers in two turns on two processors, of which tower 1 costs 12 %.
void TestStepAlerts::SlowTower_belowAFifth_isSaidInGreen()
{
    const auto change = [](StepRecord& record) {
        for (const std::size_t tower : {0, 1, 2, 3}) {
            record.towers[tower].startSeconds = tower % 2 == 0 ? 0.0 : 0.035;
            record.towers[tower].forwardSeconds = 0.035 + (tower == 1 ? 0.012 : 0.0);
        }
    };
    const Verdict said = paceOf(4, false, change);
    QVERIFY(said.light == Light::Good && !said.alert);
    QCOMPARE(said.tower, -1); // nothing paints it red
    QCOMPARE(
        said.text,
        std::string("tower 1 often comes last and costs 12 % of the time; other programs may be "
                    "why"));
    // A limit of a person's own is taken as it is.
    QCOMPARE(
        summary(alertsOf(only(&AlertSettings::towerWait, 0.1), 4, 100, change)),
        QStringLiteral("slow_tower#1@30"));
}

/// Each may have a machine for itself: none waits for a turn, however late it begins.
void TestStepAlerts::Pace_ofRecordedRanks_knowsNoTurns()
{
    const auto inTurns = [](StepRecord& record) { record.towers[1].startSeconds = 0.05; };
    const std::string turns = "they take turns";
    QVERIFY(paceOf(2, false, inTurns).text.find(turns) != std::string::npos);
    QVERIFY(paceOf(2, true, inTurns).text.find(turns) == std::string::npos);
}

/// Of a run that goes on: what was told before it was stopped, and what its newest steps say.
void TestStepAlerts::Recalled_steps_areNotToldAgain()
{
    StepAlerts alerts(only(&AlertSettings::towerLoss, 0.05), 4, 10, [](const AlertRecord& told) {
        QFAIL(told.text.c_str());
    });
    alerts.recall(AlertRecord{
        AlertKind::TowerLoss, false, 60, 2, "tower 2: its gradients disagree with the others'"});
    for (std::int64_t step = 7000; step < 7300; ++step) {
        StepRecord record = quietStep(step, 4);
        record.towers[1].loss += 0.5;
        step < 7200 ? alerts.recall(record) : alerts.take(record);
    }
    const Verdict* const before = alerts.verdicts().found(AlertKind::TowerLoss, 2);
    QVERIFY(before != nullptr && before->by == std::string("its gradients"));
    QCOMPARE(before->since, 60);
    const Verdict* const found = alerts.verdicts().found(AlertKind::TowerLoss, 1);
    QVERIFY(found != nullptr && found->since > 7000 && found->since < 7200);
}

void TestStepAlerts::SlowTower_isOver_whenItKeepsPace()
{
    const auto alerts =
        alertsOf(only(&AlertSettings::towerWait, 0.2), 2, 800, [](StepRecord& record) {
            const double late = record.step < 200 ? 0.05 : record.step < 600 ? 0.015 : 0.005;
            record.towers[0].forwardSeconds += late;
        });
    // Below a tenth of the time when 90 of the last 200 steps were of those that are 0.015 s late.
    QCOMPARE(alerts.size(), 2U);
    QVERIFY2(alerts[0].step == 30 && alerts[1].step > 600, qPrintable(summary(alerts)));
}

// Nobody waits for one of them alone: a faster one would save nothing.
void TestStepAlerts::SlowTower_twoAlike_areNotTold()
{
    std::mt19937 generator(7);
    std::normal_distribution<double> noise(0.0, 0.002);
    const auto alerts =
        alertsOf(only(&AlertSettings::towerWait, 0.05), 4, 5000, [&](StepRecord& record) {
            record.stepSeconds = 0.15;
            for (std::size_t i = 0; i < 4; ++i) {
                record.towers[i].forwardSeconds = (i >= 2 ? 0.15 : 0.1) + noise(generator);
            }
        });
    QCOMPARE(summary(alerts), QString());
}

void TestStepAlerts::SlowTower_aMuchSlowerOne_takesItsPlace()
{
    const auto alerts =
        alertsOf(only(&AlertSettings::towerWait, 0.2), 4, 800, [](StepRecord& record) {
            record.towers[1].forwardSeconds = 0.08;
            record.towers[3].forwardSeconds = record.step < 400 ? 0.05 : 0.2;
        });
    QCOMPARE(alerts.size(), 3U);
    QVERIFY2(
        alerts[0].tower == 1 && alerts[1].isOver && alerts[2].tower == 3,
        qPrintable(summary(alerts)));
    QVERIFY2(alerts[2].step > 450 && alerts[2].step <= 600, qPrintable(summary(alerts)));
}

// One tower above and one as far below the others.
void TestStepAlerts::TowerLoss_twoAlike_areToldOnce()
{
    std::mt19937 generator(9);
    std::normal_distribution<double> noise(0.0, 0.1);
    const auto alerts =
        alertsOf(only(&AlertSettings::towerLoss, 0.1), 4, 10'000, [&](StepRecord& record) {
            for (TowerRecord& tower : record.towers) {
                tower.loss = 2.0 + noise(generator);
            }
            record.towers[0].loss += 0.5;
            record.towers[2].loss -= 0.5;
        });
    QCOMPARE(alerts.size(), 1U);
}

void TestStepAlerts::StuckLimit_table_data()
{
    test::addRows<double, std::vector<double>, double>(
        {"seconds", "steps", "limit"}, {{"no step yet", 30.0, {}, 300.0},
                                        {"fast steps", 30.0, {0.1, 0.2, 0.1}, 30.0},
                                        {"slow steps", 30.0, {9.0, 2.0, 3.0}, 60.0},
                                        {"one outlier", 30.0, {1.0, 500.0, 1.0, 1.0, 1.0}, 30.0}});
}

void TestStepAlerts::StuckLimit_table()
{
    QFETCH(double, seconds);
    QFETCH(std::vector<double>, steps);
    QFETCH(double, limit);
    QCOMPARE(stuckLimit(seconds, steps), limit);
}

void TestStepAlerts::Kinds_namesGoThereAndBack()
{
    for (const std::string_view name : kAlertKinds.names) {
        QVERIFY(toString(*alertKindByName(name)) == name);
    }
    QVERIFY(alertKindByName("not_finite") == AlertKind::NotFinite);
    QVERIFY(alertKindByName("slow_tower") == AlertKind::SlowTower);
    QVERIFY(!alertKindByName("learning_rate").has_value());
}

LOCKSTEP_TEST(TestStepAlerts)
#include "test_step_alerts.moc"
