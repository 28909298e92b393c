// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_title.h"

#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QLocale>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSet>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr qint64 kMostBytes = 4096; // of a name
constexpr int kShortTitle = 20;     ///< has room beside others
const QString kBetween = QStringLiteral(" · ");

/// As RunFolder::createDefault() names it, not a person.
bool isDefaultName(const QString& folder, const QString& model)
{
    const QRegularExpression pattern(
        QStringLiteral("^\\d{4}-\\d\\d-\\d\\d-%1(-\\d+)?$").arg(QRegularExpression::escape(model)));
    return pattern.match(folder).hasMatch();
}

/// What the run does wrong on purpose.
QStringList faultsOf(const RunConfig& config)
{
    QStringList faults;
    const int last = config.towers - 1;
    const int tower = config.experiment.tower < 0 ? last : config.experiment.tower;
    if (config.experiment.shards == "same") {
        faults.append(QCoreApplication::translate("RunTitle", "same rows for all"));
    } else if (config.experiment.shards == "skewed") {
        faults.append(QCoreApplication::translate("RunTitle", "tower %1 skewed").arg(tower));
    } else if (config.experiment.shards == "poisoned") {
        faults.append(QCoreApplication::translate("RunTitle", "tower %1 poisoned").arg(tower));
    }
    if (const int late = config.experiment.delayedTower(config.towers); late >= 0) {
        faults.append(QCoreApplication::translate("RunTitle", "tower %1 late").arg(late));
    }
    return faults;
}

/// All of them, as the parts of a title.
QString settingsOf(const RunConfig& config)
{
    QStringList parts;
    for (const ConfigKey& key : configKeys(config)) {
        parts.append(QString::fromStdString(key.name + " = " + key.value).remove(QChar(u'\'')));
    }
    return parts.join(kBetween);
}

} // namespace

QString describedTitle(const RunConfig& config, bool isRecorded)
{
    const QLocale locale;
    const QString data = datasetTitle(config);
    const bool isTutorial = config.model.name == "cifar10" && config.dataset == "cifar10";
    const std::int64_t batch = config.towerShape().batchPerTower;
    QStringList parts{
        isTutorial ? data
                   : QCoreApplication::translate("RunTitle", "%1, %2", "network, data set")
                         .arg(modelTitle(config), data),
        batch > 0 ? QStringLiteral("%1 × %2").arg(
            locale.toString(config.towers), locale.toString(static_cast<qlonglong>(batch)))
        : config.towers == 1
            ? QCoreApplication::translate("RunTitle", "1 tower")
            : QCoreApplication::translate("RunTitle", "%1 towers").arg(config.towers)};
    if (!isRecorded) {
        parts.append(QCoreApplication::translate("RunTitle", "rate %1")
                         .arg(locale.toString(
                             config.learningRate.initial, 'g', QLocale::FloatingPointShortest)));
        const RunConfig usual;
        if (config.optimizer.name != usual.optimizer.name) {
            parts.append(QString::fromStdString(config.optimizer.name));
        }
        if (config.precision != usual.precision) {
            parts.append(QString::fromStdString(config.precision));
        }
        if (config.seed != usual.seed) {
            parts.append(QCoreApplication::translate("RunTitle", "seed %1").arg(config.seed));
        }
    }
    return (parts + faultsOf(config)).join(kBetween);
}

QString modelTitle(const RunConfig& config)
{
    return modelTitle(QString::fromStdString(config.model.name));
}

QString datasetTitle(const RunConfig& config)
{
    return datasetTitle(
        QString::fromStdString(config.dataset), QString::fromStdString(config.datasetPath));
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

QStringList distinctTitles(QStringList titles, const std::vector<RunConfig>& configs)
{
    QStringList given = titles;
    given.removeAll(QString());
    const auto isLong = [](const QString& title) { return title.size() > kShortTitle; };
    const bool areNames = given.filter(kBetween).isEmpty() && std::ranges::any_of(given, isLong);
    const QRegularExpression between(areNames ? QStringLiteral("[-_ ]") : kBetween);
    QHash<QString, qsizetype> runsWith;
    for (const QString& title : std::as_const(given)) {
        const QStringList all = title.split(between);
        for (const QString& part : QSet<QString>(all.begin(), all.end())) {
            ++runsWith[part];
        }
    }
    QStringList left;
    for (const QString& title : std::as_const(titles)) {
        QStringList parts = title.split(between);
        const auto removed = parts.removeIf([&](const QString& part) {
            return given.size() > 1 && runsWith[part] == given.size();
        });
        left.append(removed == 0 ? title : parts.join(areNames ? QStringLiteral("-") : kBetween));
    }
    QStringList settings;
    std::ranges::transform(configs, std::back_inserter(settings), settingsOf);
    for (qsizetype place = 0; place < titles.size(); ++place) {
        QStringList parts{left[place]};
        QStringList same = settings.mid(place, 1);
        for (qsizetype other = 0; other < settings.size(); ++other) {
            if (left[other] == left[place] && !titles[other].isEmpty()) {
                same.append(settings[other]);
            }
        }
        if (same.removeDuplicates(); same.size() > 1 && !titles[place].isEmpty()) {
            const QStringList differing = distinctTitles(same).front().split(kBetween);
            for (const QString& part : differing.mid(0, 2)) { // without the key's section
                parts.append(part.mid(part.lastIndexOf(u'.', part.indexOf(u'=')) + 1));
            }
        }
        parts.removeAll(QString());
        titles[place] = parts.isEmpty() ? titles[place] : parts.join(kBetween);
    }
    return titles;
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
