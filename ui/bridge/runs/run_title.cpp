// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_title.h"

#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStringList>

namespace lockstep::ui {
namespace {

constexpr qint64 kMostBytes = 4096; // of a name

/// As RunFolder::createDefault() names it, not a person.
bool isDefaultName(const QString& folder, const QString& model)
{
    const QRegularExpression pattern(
        QStringLiteral("^\\d{4}-\\d\\d-\\d\\d-%1(-\\d+)?$").arg(QRegularExpression::escape(model)));
    return pattern.match(folder).hasMatch();
}

} // namespace

QString describedTitle(const RunConfig& config, bool isRecorded)
{
    const QLocale locale;
    const QString model = modelTitle(QString::fromStdString(config.model.name));
    const QString data = datasetTitle(
        QString::fromStdString(config.dataset), QString::fromStdString(config.datasetPath));
    const bool isTutorial = config.model.name == "cifar10" && config.dataset == "cifar10";
    const std::int64_t batch = config.towerShape().batchPerTower;
    QStringList parts{
        isTutorial ? data
                   : QCoreApplication::translate("RunTitle", "%1, %2", "network, data set")
                         .arg(model, data),
        batch > 0 ? QStringLiteral("%1 × %2").arg(
            locale.toString(config.towers), locale.toString(static_cast<qlonglong>(batch)))
                  : QCoreApplication::translate("RunTitle", "%1 towers").arg(config.towers)};
    if (!isRecorded) {
        parts.append(QCoreApplication::translate("RunTitle", "rate %1")
                         .arg(locale.toString(
                             config.learningRate.initial, 'g', QLocale::FloatingPointShortest)));
    }
    return parts.join(QStringLiteral(" · "));
}

QString titleOf(const std::filesystem::path& run, const RunConfig& config)
{
    QFile file(toQString(RunFolder::titleFileOf(run)));
    if (file.open(QIODevice::ReadOnly)) {
        QString title = QString::fromUtf8(file.read(kMostBytes)).simplified();
        if (!title.isEmpty()) {
            return title;
        }
    }
    const QString folder = nameOf(run);
    const std::filesystem::path model(config.model.name);
    return isDefaultName(folder, toQString(model.stem()))
               ? describedTitle(config, !recorderOf(run).empty())
               : folder;
}

QString titleOf(const std::filesystem::path& run)
{
    try {
        return titleOf(run, configOfRun(run));
    } catch (const std::exception&) { // said where the run is read
        return nameOf(run);
    }
}

void setTitle(const std::filesystem::path& run, const QString& title)
{
    QSaveFile file(toQString(RunFolder::titleFileOf(run)));
    const QByteArray text = title.simplified().toUtf8() + '\n';
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        fail(
            ErrorCode::Io, "{}: {}", RunFolder::titleFileOf(run).string(),
            file.errorString().toStdString());
    }
}

} // namespace lockstep::ui
