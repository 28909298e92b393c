// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "panels/charts/charts_panel.h"
#include "panels/run_form/run_panel.h"
#include "plots/view/plot_view.h"
#include "ui/thread_meter.h"
#include "ui/window_tour.h"
#include "widgets/forms/window_style.h"
#include "window/commands/run_commands.h"
#include "window/main_window.h"

#include <QtWidgets>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {
namespace {

/// Resident memory of this process, in MiB.
double residentMebibytes()
{
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly)) {
        return 0.0;
    }
    constexpr double kPageMebibytes = 4096.0 / (1024.0 * 1024.0);
    return file.readAll().split(' ').value(1).toDouble() * kPageMebibytes;
}

/// What is asked of a probe.
struct ProbeSettings
{
    double seconds = 0.0; ///< of training
    QString dock;         ///< brought to the front; empty: as the window begins
    QString pictures;     ///< a folder for them; empty: none
};

/// Trains in the real window and says what the window costs meanwhile, and how quickly it answers:
/// a timer asks for a turn of the event loop now and then, and how late it gets one is how long a
/// click would wait.
class Probe
{
public:
    Probe(MainWindow& window, ProbeSettings settings)
        : m_window(window), m_settings(std::move(settings))
    {
        window.findChild<ChartsPanel*>()->plots().front()->installEventFilter(&m_frames);
    }

    void run(const RunConfig& config)
    {
        m_window.setUpCommands().setUp(config);
        if (!m_window.runPanel().isReady()) {
            qFatal("%s", qPrintable(m_window.runPanel().problem()));
        }
        if (!m_settings.dock.isEmpty()) {
            m_window.findChild<QDockWidget*>(m_settings.dock + "_dock")->raise();
        }
        m_clock.start();
        m_window.startCommands().start();
        QTimer beat;
        beat.setTimerType(Qt::PreciseTimer);
        QObject::connect(&beat, &QTimer::timeout, [this] { onBeat(); });
        beat.start(kBeatMilliseconds);
        QTimer report;
        QObject::connect(&report, &QTimer::timeout, [this] { onReport(); });
        report.start(kReportMilliseconds);
        QObject::connect(
            &m_window.controller(), &SessionController::stateChanged, &m_window,
            [this](SessionController::State state) {
                if (state != SessionController::State::Running) {
                    meter();
                }
                if (m_window.controller().canStart()) {
                    QApplication::quit();
                }
            });
        QApplication::exec();
        conclude();
    }

private:
    /// Counts what is painted.
    class Frames : public QObject
    {
    public:
        int count = 0;

    protected:
        bool eventFilter(QObject* /*watched*/, QEvent* event) override
        {
            count += event->type() == QEvent::Paint ? 1 : 0;
            return false;
        }
    };

    /// Seldom enough to cost nothing itself.
    static constexpr int kBeatMilliseconds = 250;
    static constexpr int kReportMilliseconds = 10'000;
    /// Of training, before which everything is read for the first time.
    static constexpr double kWarmUpMilliseconds = 5000.0;

    void onBeat()
    {
        const double now = static_cast<double>(m_clock.nsecsElapsed()) * 1e-6;
        if (m_lastBeat > 0.0) {
            m_delays.push_back(std::max(0.0, now - m_lastBeat - kBeatMilliseconds));
        }
        m_lastBeat = now;
        if (!m_firstShown && m_window.run().newestStep()) {
            m_firstShown = now;
            m_out << "first step shown after " << now / 1000.0 << " s" << Qt::endl;
        }
        if (m_firstShown && !m_isMetered && now > *m_firstShown + kWarmUpMilliseconds) {
            m_isMetered = true;
            m_meter.start();
            m_metered.emplace(Metered{now, m_frames.count, stepsDone()});
        }
        if (now > m_settings.seconds * 1000.0 && m_window.controller().can(command::Stop{})
            && !m_isOver) {
            m_isOver = true;
            if (!m_settings.pictures.isEmpty()) {
                meter();
                WindowTour(m_window, m_settings.pictures).run();
                m_lastBeat = 0.0; // this one took minutes
            }
            m_window.controller().send(command::Stop{});
        }
    }

    void onReport()
    {
        m_out << "step " << stepsDone() << ", " << residentMebibytes() << " MiB, worst delay "
              << worst() << " ms" << Qt::endl;
    }

    [[nodiscard]] std::int64_t stepsDone() const
    {
        const auto& newest = m_window.run().newestStep();
        return newest ? newest->step + 1 : 0;
    }

    [[nodiscard]] double worst() const
    {
        return m_delays.empty() ? 0.0 : *std::max_element(m_delays.begin(), m_delays.end());
    }

    /// What the threads did while the training went on.
    void meter()
    {
        if (!m_metered) {
            return;
        }
        const double seconds =
            (static_cast<double>(m_clock.nsecsElapsed()) * 1e-6 - m_metered->since) / 1000.0;
        m_out << static_cast<double>(stepsDone() - m_metered->steps) / seconds << " steps/s, "
              << (m_frames.count - m_metered->frames) / seconds
              << " frames/s of the loss chart, in " << seconds << " s" << Qt::endl;
        double load = 0.0;
        double wakes = 0.0;
        for (const ThreadMeter::Share& share : m_meter.shares()) {
            m_out << (share.isOfEngine ? "  engine  " : "  window  ") << share.name << ": "
                  << 100.0 * share.load << " % of a core, " << share.wakesPerSecond << " turns/s"
                  << Qt::endl;
            load += share.isOfEngine ? 0.0 : share.load;
            wakes += share.isOfEngine ? 0.0 : share.wakesPerSecond;
        }
        m_out << "window: " << 100.0 * load << " % of a core, " << wakes << " turns/s" << Qt::endl;
        m_metered.reset();
    }

    void conclude()
    {
        std::sort(m_delays.begin(), m_delays.end());
        const std::size_t last = m_delays.size() - 1;
        m_out << "delay of the event loop: median " << m_delays[last / 2] << " ms, 99 % "
              << m_delays[last * 99 / 100] << " ms, worst " << m_delays[last] << " ms; "
              << residentMebibytes() << " MiB; run " << toQString(m_window.run().folder())
              << Qt::endl;
    }

    /// Where the measurement began.
    struct Metered
    {
        double since;
        int frames;
        std::int64_t steps;
    };

    MainWindow& m_window;
    ProbeSettings m_settings;
    QElapsedTimer m_clock;
    QTextStream m_out{stdout};
    Frames m_frames;
    ThreadMeter m_meter;
    std::optional<Metered> m_metered;
    double m_lastBeat = 0.0;
    std::optional<double> m_firstShown;
    bool m_isMetered = false;
    bool m_isOver = false;
    std::vector<double> m_delays;
};

} // namespace
} // namespace lockstep::ui

int main(int argc, char** argv)
{
    QElapsedTimer sinceStart;
    sinceStart.start();
    QApplication::setStyle(new lockstep::ui::WindowStyle); // as in the program
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription("Trains CONFIG in the window and tells what the window costs "
                                     "the training, and how quickly it answers.");
    parser.addHelpOption();
    parser.addPositionalArgument("config", "configuration (.toml)");
    parser.addPositionalArgument("seconds", "stop after");
    const QCommandLineOption dock(
        "dock",
        "Brings a dock to the front: log, preview, checkpoints, runs, gradients, weights, devices, "
        "towers or barrier.",
        "name");
    const QCommandLineOption pictures(
        "pictures",
        "Then takes pictures of every dock, in both themes and two sizes, at the scale of "
        "QT_SCALE_FACTOR.",
        "folder");
    parser.addOptions({dock, pictures});
    parser.process(application);
    if (parser.positionalArguments().size() != 2) {
        parser.showHelp(2);
    }
    lockstep::RunConfig config;
    lockstep::readConfigFile(config, lockstep::ui::toPath(parser.positionalArguments().at(0)));

    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    lockstep::ui::MainWindow window(settings);
    window.show();
    QApplication::processEvents();
    QTextStream(stdout) << "window shown after " << sinceStart.elapsed() << " ms" << Qt::endl;
    const lockstep::ui::ProbeSettings asked{
        parser.positionalArguments().at(1).toDouble(), parser.value(dock), parser.value(pictures)};
    lockstep::ui::Probe(window, asked).run(config);
    return 0;
}
