// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_stack.h"
#include "storage/steps.h"
#include "support/process_memory.h"
#include "support/time_limit.h"
#include "ui/window_witness.h"

#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kSteps = test::kIsSanitized ? 50'000 : 1'000'000;
constexpr int kTowers = 8;
constexpr double kMostSeconds = 2.0;
constexpr double kMostMegabytes = 300.0;
constexpr const char* kMakeRun = "LOCKSTEP_TEST_MAKE_RUN";

/// A run of a million steps as it would be on disk, out of a few example steps.
void makeRun(const fs::path& folder)
{
    RunConfig config;
    config.towers = kTowers;
    config.steps = kSteps;
    const RunFolder run = RunFolder::create(folder, toToml(config));
    RunStore store(run.storeFile());
    store.startBranch(test::exampleBranch(kTowers));
    for (std::int64_t step = 0; step < kSteps; ++step) {
        StepRecord record = test::exampleStep(static_cast<int>(step % 1000), kTowers);
        record.step = step;
        record.examples = (step + 1) * test::kExampleBatch * kTowers;
        record.wallSeconds = 0.02 * static_cast<double>(step + 1);
        store.append(std::move(record));
    }
    store.close();
}

/// Notes when a widget was painted last.
class PaintWitness : public QObject
{
public:
    explicit PaintWitness(const QElapsedTimer& clock) : m_clock(clock) {}
    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) {
            lastPaint = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
        }
        return false;
    }
    double lastPaint = -1.0;

private:
    const QElapsedTimer& m_clock;
};

} // namespace

/// A week's training, opened.
class TestWindowLongRun : public QObject
{
    Q_OBJECT

private slots:
    void Open_ofAMillionSteps_isDrawnInTime()
    {
        WindowScene scene;
        const fs::path run = scene.folder() / "long";
        QProcess maker; // its memory is not the window's
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(kMakeRun, toQString(run));
        maker.setProcessEnvironment(environment);
        maker.start(QCoreApplication::applicationFilePath(), {});
        QVERIFY(maker.waitForFinished(280'000));
        QCOMPARE(maker.exitCode(), 0);

        const double before = test::megabytesInUse();
        PlotView* const plot = scene.window().findChild<ChartStack*>()->plots().front();
        QElapsedTimer clock;
        PaintWitness witness(clock);
        plot->installEventFilter(&witness);
        clock.start();
        scene.window().openCommands().openRun(run);
        const auto now = [&] { return static_cast<double>(clock.nsecsElapsed()) * 1e-9; };
        std::optional<double> firstDrawn;
        while (scene.shownSteps() < kSteps && now() < 120.0) {
            const std::int64_t steps = scene.shownSteps();
            const double asked = now();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            if (!firstDrawn && steps > 0 && witness.lastPaint > asked) {
                firstDrawn = witness.lastPaint;
            }
        }
        QCOMPARE(scene.shownSteps(), kSteps);
        const double complete = now();
        QTRY_VERIFY(witness.lastPaint > complete);
        QVERIFY(firstDrawn.has_value());
        const double used = test::megabytesInUse();
        qInfo(
            "%lld steps x %d towers: first drawn after %.2f s, all of it after %.2f s; %.0f MB in "
            "use (%.0f MB before)",
            static_cast<long long>(kSteps), kTowers, *firstDrawn, witness.lastPaint, used, before);
        const StepRecord example = test::exampleStep(999, kTowers);
        QCOMPARE(
            scene.run().series()->steps().series(RunSeries::kMeanLoss).at(999),
            static_cast<float>(example.lossMean - example.weightDecayLoss));
        QVERIFY2(*firstDrawn < 0.5 * witness.lastPaint, "the first chart waits for all steps");
        QVERIFY(!test::isFarTooSlow(*firstDrawn, kMostSeconds));
        QVERIFY(!test::isFarTooSlow(witness.lastPaint, kMostSeconds));
        if (!test::kIsSanitized) {
            QVERIFY2(used < kMostMegabytes, "the window takes more memory than promised");
        }
    }
};
int main(int argc, char** argv)
{
    if (const char* folder = std::getenv(kMakeRun)) {
        makeRun(folder);
        return 0;
    }
    QApplication application(argc, argv);
    TestWindowLongRun test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_long_run.moc"
