// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/overlay_runs.h"
#include "dialogs/user_guide.h"
#include "engine/base.h"
#include "engine/crash.h"
#include "panels/charts/chart_stack.h"
#include "panels/runs/runs_panel.h"
#include "support/process_memory.h"
#include "support/time_limit.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <functional>
#include <random>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

constexpr int kUsualSeconds = 60;
constexpr int kMostRuns = 12;        ///< on disk: more would be another program's memory
constexpr double kMostSeconds = 3.0; ///< for an action, until the window is still
/// What may come after the first half of the time, and the rest is a leak.
constexpr double kMostGrowth = 1.25;
constexpr double kMostMegabytes = 64.0;

int environmentNumber(const char* name, int usual)
{
    const int number = qEnvironmentVariableIntValue(name);
    return number > 0 ? number : usual;
}

double median(std::vector<double> values)
{
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
}

} // namespace

/// Actions of a person, at random. Each draws from numbers of its own, so that the tenth of a seed
/// is the same however quick the machine is.
class TestWindowSoak : public WindowTest
{
    Q_OBJECT

public slots:
    void openNothing(const QUrl& /*url*/) {}

private slots:
    void initTestCase() { QDesktopServices::setUrlHandler("file", this, "openNothing"); }
    void cleanupTestCase() { QDesktopServices::unsetUrlHandler("file"); }

    void Window_usedAtRandom_livesAndStaysSmall()
    {
        traceCrashes(versionText()); // into the home of this test, which then stays
        const int seconds = environmentNumber("LOCKSTEP_SOAK_SECONDS", kUsualSeconds);
        const auto seed = static_cast<unsigned>(environmentNumber("LOCKSTEP_SOAK_SEED", 1));
        QFile log(LOCKSTEP_SOAK_LOG);
        QVERIFY(log.open(QIODevice::WriteOnly));
        qInfo("%d s, LOCKSTEP_SOAK_SEED=%u, log: %s", seconds, seed, LOCKSTEP_SOAK_LOG);
        prepare();
        const auto actions = deeds();
        std::vector<std::pair<double, double>> memory; // at a second
        QElapsedTimer clock;
        clock.start();
        const auto now = [&clock] { return static_cast<double>(clock.elapsed()) / 1000.0; };
        for (unsigned number = 0; now() < seconds; ++number) {
            std::seed_seq seeds{seed, number};
            m_random.seed(seeds);
            const auto& [name, deed] =
                actions[static_cast<std::size_t>(below(std::ssize(actions)))];
            log.write(QString("%1 s, action %2: %3\n").arg(now()).arg(number).arg(name).toUtf8());
            log.flush(); // a crash leaves it
            if (QApplication::activeModalWidget() != nullptr) {
                closeOthers(); // what an offer asked
            }
            const double begun = now();
            deed();
            QCoreApplication::processEvents();
            const double took = now() - begun;
            QVERIFY2(window().isVisible(), name);
            QVERIFY2(!test::isFarTooSlow(took, kMostSeconds), name);
            QTest::qWait(below(150));
            memory.emplace_back(now(), test::megabytesInUse());
        }
        end();
        const auto between = [&](double from, double to) {
            std::vector<double> part;
            for (const auto& [at, megabytes] : memory) {
                if (at >= from * seconds && at <= to * seconds) {
                    part.push_back(megabytes);
                }
            }
            return median(part);
        };
        const double before = between(0.4, 0.6);
        const double after = between(0.85, 1.0);
        qInfo("%zd actions, %.0f MB, then %.0f MB", memory.size(), before, after);
        QVERIFY(test::kIsSanitized || after < kMostGrowth * before + kMostMegabytes);
    }

private:
    using Deed = std::pair<const char*, std::function<void()>>;

    int below(std::int64_t end)
    {
        return std::uniform_int_distribution<int>(0, static_cast<int>(end) - 1)(m_random);
    }
    template<class List>
    auto anyOf(const List& list)
    {
        return list[below(std::ssize(list))];
    }

    /// What is opened and dropped.
    void prepare()
    {
        for (const char* const name : {"one", "two", "three"}) {
            m_runs.push_back(trainRun(name, 40 + 60 * static_cast<int>(m_runs.size())));
        }
        const fs::path photos = m_scene->folder() / "photos";
        fs::create_directories(photos);
        for (const char* const name : {"a.png", "b.jpg", "c.bmp"}) {
            QImage image(40, 30, QImage::Format_RGB888);
            image.fill(Qt::darkGreen);
            image.save(toQString(photos / name));
        }
        std::ofstream(m_scene->folder() / "notes.txt") << "dear diary";
        m_things = m_runs;
        for (const fs::path& run : m_runs) {
            m_things.push_back(run / "run.toml");
            m_things.push_back(listCheckpoints(RunFolder::checkpointsOf(run)).back().path);
        }
        for (const fs::path& thing :
             {photos, photos / "a.png", m_scene->pictures(), fs::path(LOCKSTEP_SMALL_MODEL),
              m_scene->folder() / "notes.txt", m_scene->folder() / "gone"}) {
            m_things.push_back(thing);
        }
    }

    /// Whatever is going on.
    void end()
    {
        closeOthers();
        if (window().controller().isBusy()) {
            actions().stop->trigger();
        }
        QTRY_VERIFY(window().controller().canStart());
    }

    void closeOthers()
    {
        for (QWidget* const other : QApplication::topLevelWidgets()) {
            const bool isSide = qobject_cast<QDialog*>(other) != nullptr
                                || qobject_cast<MainWindow*>(other) != nullptr;
            if (isSide && other->isVisible() && other != &window()) {
                other->close();
            }
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    void startAny()
    {
        if (!window().controller().canStart()) {
            return;
        }
        std::vector<fs::path> known = RunLibrary::knownRuns();
        std::erase_if(known, [&](const fs::path& run) {
            return std::ranges::count(m_runs, run) > 0 || run == m_scene->run().folder();
        });
        for (std::size_t i = kMostRuns; i < known.size(); ++i) {
            std::error_code ignored;
            fs::remove_all(known[i], ignored);
        }
        RunConfig config = m_scene->config(below(2) == 0 ? 30 + below(300) : kEndless);
        config.towers = 1 + below(4);
        config.batchPerTower = 2 << below(4);
        m_scene->startAtOnce(config);
    }

    void trigger(const std::vector<QAction*>& any)
    {
        QAction* const action = anyOf(any);
        if (action->isEnabled()) {
            action->trigger();
        }
    }

    void useChart()
    {
        std::vector<PlotView*> plots = charts().plots();
        std::erase_if(plots, [](const PlotView* plot) { return !plot->isVisible(); });
        if (plots.empty()) {
            return;
        }
        PlotView* const plot = anyOf(plots);
        const auto place = [&] { return QPoint(below(plot->width()), below(plot->height())); };
        const QPoint from = place();
        const QPoint to = place();
        if (below(2) == 0) {
            QWheelEvent wheel(
                from, plot->mapToGlobal(from), {}, {0, below(2) == 0 ? 120 : -120}, Qt::NoButton,
                Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(plot, &wheel);
        } else {
            QTest::mousePress(plot, Qt::LeftButton, {}, from);
            QTest::mouseMove(plot, to);
            QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
        }
    }

    void useDock()
    {
        auto* const dock = anyOf(window().findChildren<QDockWidget*>());
        switch (below(4)) {
        case 0:
            dock->setVisible(!dock->isVisible());
            break;
        case 1:
            dock->setFloating(!dock->isFloating());
            break;
        default:
            dock->show();
            dock->raise();
        }
    }

    void search()
    {
        actions().userGuide->trigger();
        auto* const guide = window().findChild<UserGuide*>();
        auto* const field = guide->findChild<QLineEdit*>("guide_search");
        field->setText(anyOf(std::vector<QString>{"tower", "mask", "noise scale", "xyzzy", ""}));
        QTest::keyClick(field, Qt::Key_Return);
        guide->reject();
    }

    void takeOffer()
    {
        const auto offers = offersOf(window().messages());
        offers.isEmpty() || below(3) == 0 ? window().messages().dismiss() : anyOf(offers)->click();
    }

    [[nodiscard]] std::vector<Deed> deeds()
    {
        const WindowActions& a = actions();
        const auto start = [this] { startAny(); };
        return {
            {"start", start},
            {"start", start},
            {"pause, resume, step, stop",
             [this, &a] {
                 trigger({a.pause, a.resume, a.stepOnce, a.stop, a.stop});
             }},
            {"evaluate, save, stop after epoch",
             [this, &a] {
                 trigger({a.evaluate, a.saveCheckpoint, a.stopAfterEpoch});
             }},
            {"open", [this] { window().openCommands().openRun(anyOf(m_runs)); }},
            {"lay over",
             [this] {
                 window().findChild<RunsPanel*>()->overlay(toQString(anyOf(m_runs)), below(2) == 0);
             }},
            {"drop", [this] { m_scene->drop({anyOf(m_things)}); }},
            {"drop several",
             [this] {
                 m_scene->drop({anyOf(m_things), anyOf(m_things)});
             }},
            {"take an offer", [this] { takeOffer(); }},
            {"chart", [this] { useChart(); }},
            {"chart", [this] { useChart(); }},
            {"zoom and scales",
             [this, &a] {
                 trigger(
                     {a.zoomBack, a.zoomForward, a.fit, a.follow, a.logarithmic, a.logarithmicX,
                      a.robust, a.enlarge, a.smoothMore, a.smoothLess});
             }},
            {"axis", [this, &a] { anyOf(a.axis->actions())->trigger(); }},
            {"dock", [this] { useDock(); }},
            {"layout",
             [this, &a] {
                 trigger({a.tallBelow, a.tallBelow, a.resetLayout});
             }},
            {"theme", [this, &a] { anyOf(a.theme->actions())->trigger(); }},
            {"resize", [this] { window().resize(800 + below(1120), 600 + below(480)); }},
            {"preset",
             [this, &a] {
                 if (a.presets->isEnabled()) {
                     anyOf(a.presets->actions())->trigger();
                 }
             }},
            {"guide", [this] { search(); }},
            {"dialog",
             [this, &a] {
                 trigger({a.shortcuts, a.devices, a.about});
             }},
            {"close the others", [this] { closeOthers(); }},
        };
    }

    std::mt19937 m_random;
    std::vector<fs::path> m_runs;
    std::vector<fs::path> m_things;
};
LOCKSTEP_TEST(TestWindowSoak)
#include "test_window_soak.moc"
