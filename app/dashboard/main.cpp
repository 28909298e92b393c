// SPDX-License-Identifier: GPL-3.0-or-later
#include "arguments.h"
#include "bridge/base/file_names.h"
#include "chart_export.h"
#include "engine/base.h"
#include "engine/crash.h"
#include "interrupt.h"
#include "only_window.h"
#include "widgets/forms/window_style.h"
#include "window/base/language.h"
#include "window/desktop/desktop.h"
#include "window/main_window.h"

#include <QApplication>
#include <QIcon>
#include <QProcess>
#include <QSettings>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

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

/// What the desktop gave to this start, for a window to come to the front. Qt takes it from the
/// environment, so it is to be asked first.
QByteArray activationToken()
{
    const QByteArray token = qgetenv("XDG_ACTIVATION_TOKEN");
    return token.isEmpty() ? qgetenv("DESKTOP_STARTUP_ID") : token;
}

void open(lockstep::ui::MainWindow& window, const QStringList& names)
{
    std::vector<std::filesystem::path> paths;
    std::ranges::transform(names, std::back_inserter(paths), lockstep::ui::toPath);
    window.openCommands().open(paths);
}

int showWindow(const QStringList& paths, lockstep::ui::OnlyWindow& only)
{
    QSettings settings;
    lockstep::ui::installLanguage(lockstep::ui::WindowSettings(settings).language());
    lockstep::ui::MainWindow window(settings);
    lockstep::ui::Interrupt interrupt;
    QObject::connect(
        &interrupt, &lockstep::ui::Interrupt::requested, &window,
        &lockstep::ui::MainWindow::stopAndClose);
    QObject::connect(
        &only, &lockstep::ui::OnlyWindow::handedOver, &window,
        [&window](const lockstep::ui::HandOver& what) {
            qputenv("XDG_ACTIVATION_TOKEN", what.activationToken); // Qt uses it once, on Wayland
            lockstep::ui::bringUp(window);
            open(window, what.paths);
        });
    window.show();
    open(window, paths);
    only.listen();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a limit to file sizes is an error like a full disk
    lockstep::traceCrashes(lockstep::versionText());
    prepareForExport(argc, argv);
    const QByteArray token = activationToken();
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
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/lockstep.svg")));
    auto only = std::make_unique<lockstep::ui::OnlyWindow>();
    if (!arguments.hasOwnWindow && only->handOver({arguments.paths, token})) {
        return 0;
    }
    const int result = showWindow(arguments.paths, *only);
    if (result != lockstep::ui::kRestart) {
        return result;
    }
    only.reset(); // or it would hand over to this one
    return QProcess::startDetached(QApplication::applicationFilePath(), {}) ? 0 : 1;
}
