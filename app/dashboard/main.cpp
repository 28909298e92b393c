// SPDX-License-Identifier: GPL-3.0-or-later
#include "arguments.h"
#include "bridge/base/file_names.h"
#include "chart_export.h"
#include "engine/base.h"
#include "engine/machines.h"
#include "interrupt.h"
#include "theme/icons.h"
#include "widgets/forms/window_style.h"
#include "window/base/language.h"
#include "window/commands/run_commands.h"
#include "window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

namespace {

/// Pictures are made where nobody looks, with or without a screen, a session or a desktop: what Qt
/// says about missing ones is nobody's concern.
void prepareForExport(int argc, char** argv)
{
    const bool isExport = std::any_of(argv, argv + argc, [](std::string_view argument) {
        return argument == "--export" || argument.starts_with("--export=");
    });
    if (!isExport) {
        return;
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
        if (type == QtCriticalMsg || type == QtFatalMsg) {
            std::fprintf(stderr, "lockstep: %s\n", qPrintable(text));
        }
    });
}

int writePictures(const lockstep::ui::ChartExport& wanted)
{
    try {
        std::puts(qPrintable(lockstep::ui::exportCharts(wanted)));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lockstep: %s\n", error.what());
        return 1;
    }
}

/// Without a screen Qt would abort; what only writes a text needs none. False: the reason was told.
bool prepareForScreen(int argc, char** argv)
{
    for (const char* const name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) {
        if (!qEnvironmentVariableIsEmpty(name)) {
            return true;
        }
    }
    const bool isText = std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
        return argument == "--help" || argument == "-h" || argument == "--version"
               || argument == "-v";
    });
    if (isText) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        return true;
    }
    std::fputs(
        "lockstep: there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not "
        "set): write charts with --export, train with lockstep-train\n",
        stderr);
    return false;
}

int showWindow(const QString& path)
{
    QSettings settings;
    lockstep::ui::installLanguage(lockstep::ui::WindowSettings(settings).language());
    lockstep::ui::MainWindow window(settings);
    lockstep::ui::Interrupt interrupt;
    QObject::connect(
        &interrupt, &lockstep::ui::Interrupt::requested, &window,
        &lockstep::ui::MainWindow::stopAndClose);
    window.show();
    if (!path.isEmpty()) {
        const bool isThere = lockstep::isRemoteAddress(path.toStdString());
        const QString absolute = QFileInfo(path).absoluteFilePath(); // what runs are known by
        window.openCommands().open(
            lockstep::ui::toPath(isThere ? path : QDir::cleanPath(absolute)));
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a limit to file sizes is an error like a full disk
    prepareForExport(argc, argv);
    if (!prepareForScreen(argc, argv)) {
        return 1;
    }
    QApplication::setStyle(new lockstep::ui::WindowStyle);
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("lockstep"));
    QApplication::setApplicationName(QStringLiteral("lockstep"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lockstep"));
    QApplication::setDesktopFileName(QStringLiteral("lockstep"));
    QApplication::setApplicationVersion(QString::fromStdString(lockstep::versionText()));
    const lockstep::ui::Arguments arguments = lockstep::ui::parseArguments(application);
    if (arguments.chartExport) {
        return writePictures(*arguments.chartExport);
    }
    QApplication::setWindowIcon(lockstep::ui::icon(lockstep::ui::IconName::Towers));
    return showWindow(arguments.path);
}
