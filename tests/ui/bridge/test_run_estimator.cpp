// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_estimator.h"
#include "engine/config.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QFile>
#include <QSignalSpy>

#include <map>
#include <memory>
#include <sched.h>
#include <vector>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

RunConfig configOf(int towers)
{
    RunConfig config;
    config.towers = towers;
    return config;
}

ExpectedRun runOf(int towers, std::int64_t fromStep = 0)
{
    return {toToml(configOf(towers)), fromStep};
}

} // namespace

/// Which runs are asked for and when, with programs that answer at once or never.
class TestRunEstimator : public QObject
{
    Q_OBJECT

private slots:
    void Text_isWhatAPersonWouldSay_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("0.03 s") << 0.03 << "a few seconds";
        QTest::newRow("43 s") << 43.0 << "about 40 s";
        QTest::newRow("170 s") << 170.0 << "about 3 min";
        QTest::newRow("2.1 h") << 2.1 * 3600 << "about 2 h";
        QTest::newRow("2 days") << 2.0 * 86'400 << "about 2 days";
        QTest::newRow("2 weeks") << 15.0 * 86'400 << "about 2 weeks";
        QTest::newRow("3 months") << 90.0 * 86'400 << "about 3 months";
        QTest::newRow("2,364 days") << 2364.0 * 86'400 << "years";
    }

    void Text_isWhatAPersonWouldSay()
    {
        QFETCH(const double, seconds);
        QFETCH(const QString, text);
        QCOMPARE(roughText(seconds), text);
    }

    void Offered_areAskedForOneAfterTheOther()
    {
        answerWith(R"(echo '{"seconds":12,"evaluations_counted":true,"process_bytes":1000,)"
                   R"("machine_bytes":2000}')");
        m_estimator->setOffered({configOf(1), configOf(2), configOf(3)});
        QTRY_COMPARE(m_told.size(), std::size_t{3});
        for (int towers = 1; towers <= 3; ++towers) {
            const auto& told = m_told.at(toToml(configOf(towers)));
            QVERIFY(told.has_value());
            QCOMPARE(told->seconds, 12.0);
            QCOMPARE(told->bytes, 1000);
            QVERIFY(told->isEvaluated && !told->isTooLarge());
        }
        // Each got its own configuration, on its standard input.
        QFile asked(log());
        QVERIFY(asked.open(QIODevice::ReadOnly));
        const QByteArray text = asked.readAll();
        QVERIFY(text.indexOf("towers = 1") < text.indexOf("towers = 2"));
        QVERIFY(text.indexOf("towers = 2") < text.indexOf("towers = 3"));
    }

    void Answer_thatIsNone_isToldAsNothing_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("error") << "exit 2";
        QTest::newRow("killed") << "kill -9 $$";
        QTest::newRow("words") << "echo hello";
    }

    void Answer_thatIsNone_isToldAsNothing()
    {
        QFETCH(const QString, script);
        answerWith(script);
        m_estimator->setOffered({configOf(1)});
        QTRY_COMPARE(m_told.size(), std::size_t{1});
        QVERIFY(!m_told.begin()->second);
    }

    void Program_thatIsNotThere_isToldAsNothing()
    {
        m_estimator->setProgram("/nowhere/lockstep-train");
        m_estimator->setOffered({configOf(1), configOf(2)});
        QTRY_COMPARE(m_told.size(), std::size_t{2});
        QVERIFY(!m_told.begin()->second);
    }

    void Prepared_changing_isAskedForOnceItRests()
    {
        answerWith(R"(echo '{"seconds":12}')");
        for (int towers = 1; towers <= 5; ++towers) {
            m_estimator->setPrepared(runOf(towers));
        }
        QTRY_COMPARE(m_told.size(), std::size_t{1});
        QCOMPARE(m_told.begin()->first, toToml(configOf(5)));
        m_estimator->setPrepared(runOf(6));
        m_estimator->setPrepared({}); // it can't be run
        m_estimator->setPrepared(runOf(7));
        QTRY_COMPARE(m_told.size(), std::size_t{2});
        QVERIFY(!m_told.contains(toToml(configOf(6))));
    }

    /// The same settings take less where most of the steps are made.
    void Prepared_thatGoesOn_isAskedForFromItsStep()
    {
        answerWith(R"(echo "$@" >> "$0.options"; echo '{"seconds":12}')");
        m_estimator->setPrepared(runOf(1, 90'000));
        QTRY_COMPARE(m_fromSteps, (std::vector<std::int64_t>{90'000}));
        m_estimator->setPrepared(runOf(1));
        QTRY_COMPARE(m_fromSteps, (std::vector<std::int64_t>{90'000, 0}));
        QFile options(QString::fromStdString((m_folder->path() / "train.options").string()));
        QVERIFY(options.open(QIODevice::ReadOnly));
        QVERIFY(options.readLine().contains(" --from-step 90000"));
        QVERIFY(!options.readLine().contains("--from-step"));
    }

    /// What is being asked for is given up at once, and asked for again afterwards.
    void Training_begun_endsWhatIsMeasured()
    {
        answerWith("exec sleep 1000");
        m_estimator->setOffered({configOf(1), configOf(2)});
        QTRY_VERIFY(QFile::exists(log()));
        m_estimator->setPaused(true);
        answerWith(R"(echo '{"seconds":12}')");
        QCoreApplication::processEvents();
        QVERIFY(m_told.empty());
        m_estimator->setPaused(false);
        QTRY_COMPARE(m_told.size(), std::size_t{2});
        QVERIFY(m_told.at(toToml(configOf(1))).has_value());
    }

    /// It stands back from what answers a person: SCHED_BATCH, the 41st figure of proc_pid_stat(5).
    void Program_doesNotHurry()
    {
        answerWith(R"(cut -d" " -f41 /proc/$$/stat > "$0.policy"; echo '{"seconds":12}')");
        m_estimator->setOffered({configOf(1)});
        QTRY_COMPARE(m_told.size(), std::size_t{1});
        QFile policy(QString::fromStdString((m_folder->path() / "train.policy").string()));
        QVERIFY(policy.open(QIODevice::ReadOnly));
        QCOMPARE(policy.readAll().trimmed(), QByteArray::number(SCHED_BATCH));
    }

    void Estimator_destroyed_endsWhatIsMeasured()
    {
        answerWith("echo $$ >> \"$0.pid\"; exec sleep 1000");
        m_estimator->setOffered({configOf(1)});
        const QString noted = QString::fromStdString((m_folder->path() / "train.pid").string());
        QTRY_VERIFY(QFile(noted).size() > 0);
        QFile file(noted);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString process = "/proc/" + QString::fromUtf8(file.readAll()).trimmed();
        QVERIFY(QFile::exists(process));
        m_estimator.reset();
        QVERIFY(!QFile::exists(process));
    }

    void Program_ofOurs_answers()
    {
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(m_folder->path().string()));
        m_estimator->setProgram(LOCKSTEP_TRAIN_PROGRAM);
        RunConfig config;
        config.model.name = LOCKSTEP_SMALL_MODEL;
        config.batchPerTower = 8;
        config.steps = 10;
        m_estimator->setOffered({config});
        QTRY_COMPARE_WITH_TIMEOUT(m_told.size(), std::size_t{1}, 60'000);
        const auto& told = m_told.at(toToml(config));
        QVERIFY(told.has_value());
        QVERIFY(told->seconds > 0.0 && told->isEvaluated);
        QVERIFY(told->bytes > 10'000'000 && told->bytes < told->machineBytes);
        QVERIFY(textOf(*told).contains(" · about "));
    }

    void init()
    {
        m_folder = std::make_unique<test::TemporaryFolder>();
        m_told.clear();
        m_fromSteps.clear();
        m_estimator = std::make_unique<RunEstimator>();
        connect(
            m_estimator.get(), &RunEstimator::estimated, this,
            [this](const ExpectedRun& run, const std::optional<RunExpectation>& expected) {
                m_told[run.config] = expected;
                m_fromSteps.push_back(run.fromStep);
            });
    }
    void cleanup()
    {
        m_estimator.reset();
        m_folder.reset();
    }

private:
    [[nodiscard]] QString log() const
    {
        return QString::fromStdString((m_folder->path() / "train.log").string());
    }
    /// A program that keeps what it is asked, then does this.
    void answerWith(const QString& script)
    {
        const QString program = QString::fromStdString((m_folder->path() / "train").string());
        QFile::remove(program);
        QFile file(program);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\ncat >> \"$0.log\"\n" + script.toUtf8() + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
        file.close();
        m_estimator->setProgram(program);
    }

    std::unique_ptr<test::TemporaryFolder> m_folder;
    std::unique_ptr<RunEstimator> m_estimator;
    std::map<std::string, std::optional<RunExpectation>> m_told;
    std::vector<std::int64_t> m_fromSteps; ///< of those that were told
};

LOCKSTEP_TEST(TestRunEstimator)
#include "test_run_estimator.moc"
