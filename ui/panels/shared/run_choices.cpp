// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/run_choices.h"

#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/data.h"
#include "engine/device.h"
#include "engine/network.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/shared/run_text.h"
#include "plots/axes/number_text.h"

#include <QDir>
#include <QLocale>

#include <algorithm>
#include <array>

namespace lockstep::ui {
namespace {

constexpr QLatin1String kCpu("cpu");
constexpr QLatin1String kCuda("cuda");

const DeviceRow* firstAvailable(const std::vector<DeviceRow>& devices, bool isCpu)
{
    const auto found = std::ranges::find_if(devices, [&](const DeviceRow& row) {
        return row.isAvailable && (row.name == kCpu) == isCpu;
    });
    return found == devices.end() ? nullptr : &*found;
}

/// "3, 3, 2 and 2".
QString enumerated(const QStringList& items)
{
    return items.size() < 2 ? items.join(QString())
                            : RunText::tr("%1 and %2", "the items of a list and its last")
                                  .arg(
                                      items.mid(0, items.size() - 1)
                                          .join(RunText::tr(", ", "between the items of a list")),
                                      items.last());
}

/// How the engine deals these towers out to several GPUs.
QString dealtLine(const QString& towers, int count, const std::vector<std::string>& gpus)
{
    QStringList counts;
    QStringList idle;
    const auto places = placeTowers(count, static_cast<int>(gpus.size()));
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        places[i].count == 0 ? idle.append(QString::fromStdString(gpus[i]))
                             : counts.append(countText(places[i].count));
    }
    const QString number = countText(std::ssize(gpus));
    if (!idle.isEmpty()) {
        return (idle.size() == 1 ? RunText::tr("%1 on %2 chosen GPUs: %3 stays idle")
                                 : RunText::tr("%1 on %2 chosen GPUs: %3 stay idle"))
            .arg(towers, number, enumerated(idle));
    }
    return places.front().count == places.back().count
               ? RunText::tr("%1 on %2 GPUs, %3 each").arg(towers, number, counts.first())
               : RunText::tr("%1 on %2 GPUs: %3").arg(towers, number, enumerated(counts));
}

QString shortened(const std::filesystem::path& folder)
{
    const QString path = toQString(folder);
    const QString home = QDir::homePath();
    return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size())
                                                    : path;
}

/// Of any other name nothing is known.
DatasetDescription descriptionOf(const std::string& dataset)
{
    const auto all = datasetCatalog();
    const auto found = std::ranges::find(all, dataset, &DatasetDescription::name);
    return found == all.end() ? DatasetDescription() : *found;
}

} // namespace

QString devicesLine(const FoundDevices& devices)
{
    if (!devices) {
        return RunText::tr("Looking for devices…");
    }
    if (const auto gpus = usableGpus(devices); gpus.size() > 1) {
        QStringList kinds;
        for (const DeviceRow& row : *devices) {
            const bool isUsed = row.isAvailable && row.name != kCpu;
            if (isUsed && !kinds.contains(row.description)) {
                kinds.append(row.description);
            }
        }
        return RunText::tr("%1 GPUs: %2").arg(countText(std::ssize(gpus)), enumerated(kinds));
    }
    if (const DeviceRow* gpu = firstAvailable(*devices, false)) {
        return QStringLiteral("%1: %2").arg(deviceTitle(gpu->name), gpu->description);
    }
    const DeviceRow* cpu = firstAvailable(*devices, true);
    if (cpu == nullptr) {
        return RunText::tr("No device was found");
    }
    return cpu->processors == 1 ? RunText::tr("No GPU: towers share 1 processor")
                                : RunText::tr("No GPU: towers share %1 processors")
                                      .arg(QLocale().toString(cpu->processors));
}

std::vector<std::string> usableGpus(const FoundDevices& devices)
{
    std::vector<std::string> names;
    for (const DeviceRow& row : devices.value_or(std::vector<DeviceRow>())) {
        if (row.isAvailable && row.name != kCpu) {
            names.push_back(row.name.toStdString());
        }
    }
    return names;
}

QString placementLine(const RunConfig& config, const FoundDevices& devices)
{
    try {
        config.validate();
        const TowerShape shape = config.towerShape();
        auto names = devicesFor(config.device, shape.towers, usableGpus(devices));
        if (config.device == "cuda:") {
            return {}; // none is ticked
        }
        if (!devices || names.empty()) { // not found yet, or missing
            names = {config.device};
        }
        const QString device = QString::fromStdString(names.front());
        const QString count = countText(shape.towers);
        if (names.size() > 1) {
            return dealtLine(
                shape.towers == 1 ? RunText::tr("1 tower") : RunText::tr("%1 towers").arg(count),
                shape.towers, names);
        }
        QString towers = shape.towers == 1
                             ? RunText::tr("1 tower on %1").arg(deviceTitle(device))
                             : RunText::tr("%1 towers on %2").arg(count, deviceTitle(device));
        if (device != kCpu) {
            return towers;
        }
        if (config.threadsPerTower.isMeasured) {
            return RunText::tr("%1, threads measured at start").arg(towers);
        }
        return shape.threadsPerTower == 1 ? RunText::tr("%1, 1 thread each").arg(towers)
                                          : RunText::tr("%1, %2 threads each")
                                                .arg(towers, countText(shape.threadsPerTower));
    } catch (const Error&) {
        return {};
    }
}

QList<ChoiceEditor::Choice> deviceChoices(const FoundDevices& devices)
{
    QList<ChoiceEditor::Choice> choices{
        {QStringLiteral("auto"), RunText::tr("auto"),
         RunText::tr("A GPU if there is one, or else the CPU")}};
    if (!devices) {
        choices.append({kCpu, kCpu, RunText::tr("The processors of this computer")});
        return choices;
    }
    const DeviceRow* const cpu = firstAvailable(*devices, true);
    choices.append({kCpu, kCpu, cpu == nullptr ? QString() : cpu->description});
    if (firstAvailable(*devices, false) != nullptr) {
        choices.append({kCuda, RunText::tr("GPUs"), RunText::tr("The GPUs that are ticked below")});
        return choices;
    }
    const auto missing =
        std::ranges::find_if(*devices, [](const DeviceRow& row) { return row.name != kCpu; });
    if (missing != devices->end()) {
        choices.append(
            {kCuda, RunText::tr("%1 (not available)").arg(kCuda), missing->reason, false});
    }
    return choices;
}

QList<ChoiceEditor::Choice> precisionChoices(const FoundDevices& devices)
{
    const std::array meanings{
        RunText::tr("Every number in float32"),
        RunText::tr("float32 in memory, products of matrices with 10 bits of mantissa (NVIDIA)"),
        RunText::tr("bfloat16 into products of matrices, float32 for weights, sums and the loss")};
    QList<ChoiceEditor::Choice> choices;
    for (const Precision precision : {Precision::Float32, Precision::Tf32, Precision::Bfloat16}) {
        const QString name = QString::fromStdString(toString(precision));
        const auto canTrain = [&](const DeviceRow& row) { return row.precisions.contains(name); };
        const bool isPossible = !devices || std::ranges::any_of(*devices, canTrain);
        const QString& meaning = meanings[static_cast<std::size_t>(precision)];
        choices.append(
            {name, name, isPossible ? meaning : RunText::tr("No device here can train with it"),
             isPossible});
    }
    return choices;
}

QList<ChoiceEditor::Choice> threadChoices(int processors)
{
    constexpr int kOneByOne = 16;
    QList<ChoiceEditor::Choice> choices{
        {QStringLiteral("0"), RunText::tr("automatic"),
         RunText::tr("The processors, shared out among the towers")},
        {QStringLiteral("measure"), RunText::tr("measured at start"),
         RunText::tr("Times a few steps with 1, 2, 4, … threads and keeps the fastest")}};
    for (int threads = 1; threads < processors; threads += threads < kOneByOne ? 1 : threads) {
        choices.append({QString::number(threads), QLocale().toString(threads), QString()});
    }
    choices.append({QString::number(processors), QLocale().toString(processors), QString()});
    return choices;
}

QList<ChoiceEditor::Choice> modelChoices()
{
    QList<ChoiceEditor::Choice> choices;
    for (const std::string& name : networkNames()) {
        const QString id = QString::fromStdString(name);
        choices.append({id, id, RunText::tr("Built-in network: %1").arg(modelTitle(id))});
    }
    return choices;
}

QList<ChoiceEditor::Choice> datasetChoices()
{
    QList<ChoiceEditor::Choice> choices;
    for (const DatasetDescription& dataset : datasetCatalog()) {
        const QString name = QString::fromUtf8(dataset.name.data(), qsizetype(dataset.name.size()));
        choices.append(
            {name, capitalised(datasetTitle(name)), capitalised(engineText(dataset.description))});
    }
    return choices;
}

bool hasMasks(const std::string& dataset)
{
    return descriptionOf(dataset).hasMasks;
}

QString datasetFolderPlaceholder(
    const std::string& dataset, const std::optional<RemoteFacts>& machine)
{
    if (!descriptionOf(dataset).needsFolder) {
        return {};
    }
    if (machine) {
        const auto found =
            std::ranges::find(machine->dataSets, dataset, &RemoteFacts::DataSet::name);
        const bool isFound = found != machine->dataSets.end() && !found->folder.empty();
        return isFound ? QString::fromStdString(found->folder) : RunText::tr("not found");
    }
    try {
        return shortened(datasetFolder(dataset, {}));
    } catch (const Error&) {
        return RunText::tr("not found");
    }
}

QString runFolderPlaceholder(const std::optional<RemoteFacts>& machine)
{
    if (machine) {
        return RunText::tr("new, in %1").arg(QString::fromStdString(machine->runs));
    }
    try {
        return RunText::tr("new, in %1").arg(shortened(RunFolder::defaultRunsFolder()));
    } catch (const Error&) {
        return {};
    }
}

} // namespace lockstep::ui
