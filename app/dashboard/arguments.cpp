// SPDX-License-Identifier: GPL-3.0-or-later
#include "arguments.h"

#include "bridge/base/file_names.h"
#include "dialogs/picture_dialog.h"
#include "engine/machines.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace lockstep::ui {
namespace {

constexpr QSize kLeastSize = PictureChoice::kLeast;
constexpr QSize kMostSize = PictureChoice::kMost;

QString text(const char* source)
{
    return QCoreApplication::translate("Arguments", source);
}

[[noreturn]] void refuse(const QString& problem)
{
    std::fprintf(stderr, "lockstep: %s\n", qPrintable(problem));
    std::exit(1);
}

struct Options
{
    QCommandLineOption newWindow{
        QStringLiteral("new-window"),
        text("Opens another window. Without it, one that is open already shows what is named.")};
    QCommandLineOption exported{
        QStringLiteral("export"),
        text("Writes the charts of a run as pictures, without a window or a screen."), text("run")};
    QCommandLineOption png{QStringLiteral("png"), text("For --export: a PNG file."), text("file")};
    QCommandLineOption svg{QStringLiteral("svg"), text("For --export: an SVG file."), text("file")};
    QCommandLineOption theme{
        QStringLiteral("theme"), text("For --export: light or dark."), text("name"),
        QStringLiteral("light")};
    QCommandLineOption size{
        QStringLiteral("size"), text("For --export: width and height in pixels."), text("WxH"),
        QStringLiteral("1440x900")};
    QCommandLineOption scale{
        QStringLiteral("scale"), text("For --png: pixels for each of --size, 1 to 4."), text("N"),
        QStringLiteral("1")};
};

/// What runs are known by, wherever this start was made. File managers name files by URLs, too.
QString absolutePath(const QString& word)
{
    if (isRemoteAddress(word.toStdString())) {
        return word;
    }
    const QUrl url(word);
    return QDir::cleanPath(
        QFileInfo(url.isLocalFile() ? url.toLocalFile() : word).absoluteFilePath());
}

QSize sizeOf(const QString& words)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const QRegularExpressionMatch match = pattern.match(words);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool isPossible =
        size.expandedTo(kLeastSize) == size && size.boundedTo(kMostSize) == size;
    if (!match.hasMatch() || !isPossible) {
        refuse(text("--size %1: give width and height from %2x%3 to %4x%5, like 1440x900")
                   .arg(words)
                   .arg(kLeastSize.width())
                   .arg(kLeastSize.height())
                   .arg(kMostSize.width())
                   .arg(kMostSize.height()));
    }
    return size;
}

/// PNG and SVG are told apart by the file's name.
std::filesystem::path fileOf(const QCommandLineOption& option, const QString& name)
{
    const QString suffix = QLatin1Char('.') + option.names().front();
    if (!name.endsWith(suffix)) {
        refuse(text("--%1 %2: the file's name must end with %3")
                   .arg(option.names().front(), name, suffix));
    }
    return toPath(name);
}

ChartExport chartExportOf(const QCommandLineParser& parser, const Options& options)
{
    ChartExport wanted;
    wanted.run = toPath(absolutePath(parser.value(options.exported)));
    for (const QCommandLineOption& option : {options.png, options.svg}) {
        for (const QString& name : parser.values(option)) {
            wanted.files.push_back(fileOf(option, name));
        }
    }
    if (wanted.files.empty()) {
        refuse(text("--export needs a file to write: --png FILE or --svg FILE"));
    }
    const QString theme = parser.value(options.theme);
    if (theme != QLatin1String("light") && theme != QLatin1String("dark")) {
        refuse(text("--theme %1: choose light or dark").arg(theme));
    }
    wanted.isDark = theme == QLatin1String("dark");
    wanted.size = sizeOf(parser.value(options.size));
    wanted.scale = parser.value(options.scale).toInt();
    if (wanted.scale < 1 || wanted.scale > PictureChoice::kMostScale) {
        refuse(text("--scale %1: choose a whole number from 1 to %2")
                   .arg(parser.value(options.scale))
                   .arg(PictureChoice::kMostScale));
    }
    return wanted;
}

} // namespace

Arguments parseArguments(const QCoreApplication& application)
{
    const Options options;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        text("Trains a neural network in synchronous towers and shows it live."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("path"),
        text("A run's folder to show, a checkpoint to load, a configuration or a model file "
             "(.toml), or a machine with runs to show, ssh://HOST/FOLDER. Of several runs the "
             "first is shown, and the others lie over its charts."),
        QStringLiteral("[path…]"));
    parser.addOptions(
        {options.newWindow, options.exported, options.png, options.svg, options.theme, options.size,
         options.scale});
    parser.process(application);
    Arguments arguments;
    const QStringList paths = parser.positionalArguments();
    if (parser.isSet(options.exported) && paths.isEmpty()) {
        arguments.chartExport = chartExportOf(parser, options);
    } else if (parser.isSet(options.exported)) {
        parser.showHelp(2);
    } else {
        for (const QCommandLineOption& option :
             {options.png, options.svg, options.theme, options.size, options.scale}) {
            if (parser.isSet(option)) {
                refuse(text("--%1 belongs to --export RUN").arg(option.names().front()));
            }
        }
        std::ranges::transform(paths, std::back_inserter(arguments.paths), absolutePath);
        arguments.hasOwnWindow = parser.isSet(options.newWindow);
    }
    return arguments;
}

} // namespace lockstep::ui
