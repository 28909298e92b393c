// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/file_names.h"
#include "panels/run_panel.h"
#include "window/main_window.h"
#include "window/run_desk.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <ctime>
#include <vector>

namespace lockstep::ui {
namespace {

/// Resident memory of this process, in MiB.
double residentMebibytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0.0;
    }
    constexpr double kPageMebibytes = 4096.0 / (1024.0 * 1024.0);
    return file.readAll().split(' ').value(1).toDouble() * kPageMebibytes;
}

/// CPU seconds of the thread that asks.
double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Trains in the real window and says how quickly it answered meanwhile: a timer asks for a turn of
/// the event loop every few milliseconds, and how late it gets one is how long a click would wait.
class Probe
{
public:
    Probe(MainWindow& window, double seconds) : m_window(window), m_seconds(seconds) {}

    void run(const RunConfig& config)
    {
        m_window.desk().setUp(config);
        if (!m_window.runPanel().isReady()) {
            qFatal("%s", qPrintable(m_window.runPanel().problem()));
        }
        m_clock.start();
        m_window.desk().start();
        QTimer beat;
        beat.setTimerType(Qt::PreciseTimer);
        QObject::connect(&beat, &QTimer::timeout, [this] { onBeat(); });
        beat.start(kBeatMilliseconds);
        QTimer report;
        QObject::connect(&report, &QTimer::timeout, [this] { onReport(); });
        report.start(kReportMilliseconds);
        QObject::connect(
            &m_window.controller(), &SessionController::stateChanged, &m_window, [this] {
                if (m_window.controller().canStart()) {
                    QApplication::quit();
                }
            });
        QApplication::exec();
        conclude();
    }

private:
    static constexpr int kBeatMilliseconds = 10;
    static constexpr int kReportMilliseconds = 10'000;

    void onBeat()
    {
        const double now = static_cast<double>(m_clock.nsecsElapsed()) * 1e-6;
        if (m_lastBeat > 0.0) {
            m_delays.push_back(std::max(0.0, now - m_lastBeat - kBeatMilliseconds));
        }
        m_lastBeat = now;
        if (!m_isFirstShown && m_window.run().newestStep()) {
            m_isFirstShown = true;
            m_out << "first step shown after " << now / 1000.0 << " s" << Qt::endl;
        }
        if (now > m_seconds * 1000.0 && m_window.controller().canStop()) {
            m_window.controller().stop();
        }
    }

    void onReport()
    {
        const auto& newest = m_window.run().newestStep();
        m_out << "step " << (newest ? newest->step : -1) << ", " << residentMebibytes()
              << " MiB, worst delay " << worst() << " ms" << Qt::endl;
    }

    [[nodiscard]] double worst() const
    {
        return m_delays.empty() ? 0.0 : *std::max_element(m_delays.begin(), m_delays.end());
    }

    void conclude()
    {
        std::sort(m_delays.begin(), m_delays.end());
        const std::size_t last = m_delays.size() - 1;
        m_out << "delay of the event loop: median " << m_delays[last / 2] << " ms, 99 % "
              << m_delays[last * 99 / 100] << " ms, worst " << m_delays[last] << " ms; GUI thread "
              << 100.0 * threadSeconds() / (static_cast<double>(m_clock.elapsed()) * 1e-3)
              << " % of a core; " << residentMebibytes() << " MiB; run "
              << toQString(m_window.run().folder()) << Qt::endl;
    }

    MainWindow& m_window;
    double m_seconds;
    QElapsedTimer m_clock;
    QTextStream m_out{stdout};
    double m_lastBeat = 0.0;
    bool m_isFirstShown = false;
    std::vector<double> m_delays;
};

} // namespace
} // namespace lockstep::ui

int main(int argc, char** argv)
{
    QElapsedTimer sinceStart;
    sinceStart.start();
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Trains CONFIG in the window and tells how quickly the window answers."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("config"), QStringLiteral("configuration (.toml)"));
    parser.addPositionalArgument(QStringLiteral("seconds"), QStringLiteral("stop after"));
    parser.process(application);
    if (parser.positionalArguments().size() != 2) {
        parser.showHelp(2);
    }
    lockstep::RunConfig config;
    lockstep::readConfigFile(config, lockstep::ui::toPath(parser.positionalArguments().at(0)));

    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    lockstep::ui::MainWindow window(settings);
    window.show();
    QApplication::processEvents();
    QTextStream(stdout) << "window shown after " << sinceStart.elapsed() << " ms" << Qt::endl;
    lockstep::ui::Probe(window, parser.positionalArguments().at(1).toDouble()).run(config);
    return 0;
}
