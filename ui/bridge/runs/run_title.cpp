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
#include <functional>
#include <ranges>
#include <set>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr qint64 kMostBytes = 4096; // of a name
constexpr int kShortTitle = 20;     ///< has room beside others
constexpr QStringView kBetween(u" · ");

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

/// How many letters all of them begin with, up to the end of a word.
qsizetype commonBeginning(const QStringList& titles)
{
    qsizetype count = titles.front().size();
    for (const QString& title : titles) {
        const auto end = title.begin() + std::min(count, title.size());
        count = std::mismatch(title.begin(), end, titles.front().begin()).first - title.begin();
    }
    static const QRegularExpression between(QStringLiteral("[-_ ]"));
    return count == 0 ? 0 : titles.front().lastIndexOf(between, count - 1) + 1;
}

/// Of long names of folders: what all have in common is cut at both ends.
void cutCommonEnds(QStringList& titles)
{
    QStringList given = titles;
    given.removeAll(QString());
    const bool areFolders =
        std::ranges::none_of(given, [](const QString& title) { return title.contains(kBetween); });
    const bool areLong =
        std::ranges::any_of(given, [](const QString& title) { return title.size() > kShortTitle; });
    if (given.size() < 2 || !areFolders || !areLong) {
        return;
    }
    for (int end = 0; end < 2; ++end) {
        const auto cut = commonBeginning(given);
        for (QString& title : given) {
            title = cut > 0 ? QChar(u'…') + title.mid(cut) : title;
            std::ranges::reverse(title);
        }
    }
    for (QString& title : titles) {
        title = title.isEmpty() ? title : given.takeFirst();
    }
}

/// "weight_decay = 0.001": the last part of the key where no other key has the same.
QString settingText(const ConfigKey& key, const std::vector<ConfigKey>& all)
{
    const std::string last = '.' + key.name.substr(key.name.rfind('.') + 1);
    const auto named = std::ranges::count_if(
        all, [&](const ConfigKey& each) { return ('.' + each.name).ends_with(last); });
    QString value = QString::fromStdString(key.value).remove(QLatin1Char('\''));
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    value = isNumber && value.contains(QLatin1Char('.'))
                ? QLocale().toString(number, 'g', QLocale::FloatingPointShortest)
                : value.section(QLatin1Char('/'), -1); // of a path
    return QStringLiteral("%1 = %2").arg(
        QString::fromStdString(named == 1 ? last.substr(1) : key.name), value);
}

/// Of each at most two settings in which they differ, those first that tell most of them apart.
QStringList differencesOf(const std::vector<RunConfig>& configs)
{
    std::vector<std::vector<ConfigKey>> keys;
    for (const RunConfig& config : configs) {
        keys.push_back(configKeys(config));
    }
    std::vector<std::pair<std::size_t, std::size_t>> differing; // number of values, place
    for (std::size_t place = 0; place < keys.front().size(); ++place) {
        std::set<std::string> values;
        for (const auto& each : keys) {
            values.insert(each[place].value);
        }
        if (values.size() > 1) {
            differing.emplace_back(values.size(), place);
        }
    }
    std::ranges::stable_sort(
        differing, std::greater(), [](const auto& each) { return each.first; });
    QStringList texts;
    for (const auto& each : keys) {
        QStringList parts;
        for (const auto& [count, place] : differing | std::views::take(2)) {
            parts.append(settingText(each[place], each));
        }
        texts.append(parts.join(QStringLiteral(" · ")));
    }
    return texts;
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
    return (parts + faultsOf(config)).join(QStringLiteral(" · "));
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
    cutCommonEnds(titles);
    const QString between = kBetween.toString();
    QHash<QString, int> runsWith;
    int runs = 0;
    for (const QString& title : std::as_const(titles)) {
        runs += title.isEmpty() ? 0 : 1;
        const QStringList all = title.split(between);
        for (const QString& part : QSet<QString>(all.begin(), all.end())) {
            ++runsWith[part];
        }
    }
    QStringList distinct;
    for (const QString& title : std::as_const(titles)) {
        QStringList parts = title.split(between);
        parts.removeIf([&](const QString& part) { return runs > 1 && runsWith[part] == runs; });
        distinct.append(parts.join(between));
    }
    QHash<QString, QList<qsizetype>> places; // of runs that have the same left
    for (qsizetype place = 0; place < titles.size(); ++place) {
        if (!titles[place].isEmpty()) {
            places[distinct[place]].append(place);
        }
    }
    for (const QList<qsizetype>& same : std::as_const(places)) {
        std::vector<RunConfig> compared;
        for (const qsizetype place : same) {
            if (!configs.empty()) {
                compared.push_back(configs[static_cast<std::size_t>(place)]);
            }
        }
        const QStringList differences =
            compared.size() > 1 ? differencesOf(compared) : QStringList();
        for (qsizetype i = 0; i < same.size(); ++i) {
            QStringList parts{distinct[same[i]], differences.value(i)};
            parts.removeAll(QString());
            distinct[same[i]] = parts.isEmpty() ? titles[same[i]] : parts.join(between);
        }
    }
    return distinct;
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
