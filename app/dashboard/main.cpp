// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/file_names.h"
#include "interrupt.h"
#include "theme/icons.h"
#include "window/main_window.h"
#include "window/run_desk.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>

#include <csignal>

namespace {

/// What is named on the command line; empty if nothing.
QString parseArguments(const QApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate(
        "main", "Trains a neural network in synchronous towers and shows it live."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("path"),
        QApplication::translate(
            "main", "A run's folder to show, a checkpoint to load, or a configuration (.toml)."),
        QStringLiteral("[path]"));
    parser.process(application);
    const QStringList paths = parser.positionalArguments();
    if (paths.size() > 1) {
        parser.showHelp(2);
    }
    return paths.value(0);
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a limit to file sizes is an error like a full disk
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("lockstep"));
    QApplication::setApplicationName(QStringLiteral("lockstep"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lockstep"));
    QApplication::setApplicationVersion(QString::fromStdString(lockstep::versionText()));
    const QString path = parseArguments(application);
    QApplication::setWindowIcon(lockstep::ui::icon(lockstep::ui::IconName::Towers));

    QSettings settings;
    lockstep::ui::MainWindow window(settings);
    lockstep::ui::Interrupt interrupt;
    QObject::connect(
        &interrupt, &lockstep::ui::Interrupt::requested, &window,
        &lockstep::ui::MainWindow::stopAndClose);
    window.show();
    if (!path.isEmpty()) {
        window.desk().open(lockstep::ui::toPath(path));
    }
    return QApplication::exec();
}
