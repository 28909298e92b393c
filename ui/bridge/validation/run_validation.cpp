// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_validation.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "engine/data.h"
#include "engine/storage.h"
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <set>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

struct ValidationText
{
    Q_DECLARE_TR_FUNCTIONS(RunValidator)
};

/// Sets a key back to its default, from where the remaining values can be checked.
void reset(RunConfig& config, const std::string& key)
{
    if (key == "batch_per_tower" || key == "global_batch") {
        (key == "global_batch" ? config.globalBatch : config.batchPerTower).reset();
        return;
    }
    for (const ConfigKey& entry : configKeys(RunConfig())) {
        if (entry.name == key) {
            parseConfig(config, key + " = " + entry.value, "default");
        }
    }
}

/// The first thing that the engine has against these values; empty if nothing.
std::string firstError(const RunConfig& config)
{
    try {
        config.validate();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

/// The key to blame: the one that the message begins with, or else the first that, set back to its
/// default, makes the message go away. A global batch is to blame before the towers that it must
/// fit.
std::string culprit(const RunConfig& config, const std::string& message)
{
    std::vector<std::string> names{"global_batch"};
    for (const ConfigKey& key : configKeys(config)) {
        if (message.starts_with(key.name + " ")) {
            return key.name;
        }
        names.push_back(key.name);
    }
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        RunConfig changed = config;
        reset(changed, name);
        return firstError(changed) != message;
    });
    return found == names.end() ? std::string() : *found;
}

void checkValues(RunConfig config, RunFindings& findings)
{
    std::set<std::string> seen;
    for (std::string error = firstError(config); !error.empty(); error = firstError(config)) {
        const std::string key = culprit(config, error);
        if (!seen.insert(key).second) {
            return;
        }
        findings.add(key.c_str(), engineText(error));
        if (key.empty()) {
            return;
        }
        reset(config, key);
    }
}

/// Blames the key for what is thrown.
void attempt(RunFindings& findings, const char* key, const auto& check)
{
    try {
        check();
    } catch (const std::exception& error) {
        findings.add(key, engineText(error.what()));
    }
}

QString cifar10Problem(const fs::path& given)
{
    if (given.empty()) {
        return findCifar10() ? QString()
                             : ValidationText::tr(
                                 "CIFAR-10 was not found on this computer: choose its folder, or "
                                 "get it with Run, Get CIFAR-10");
    }
    return looksLikeCifar10(given)
               ? QString()
               : ValidationText::tr("%1: files of CIFAR-10 are missing or incomplete; choose "
                                    "another folder, or get the data with Run, Get CIFAR-10")
                     .arg(toQString(given));
}

/// Whether there is something at all; what it holds is said when the run begins.
QString placeProblem(const RunConfig& config)
{
    try {
        const fs::path place = datasetFolder(config.dataset, config.datasetPath);
        std::error_code ignored;
        return place.empty() || fs::exists(place, ignored)
                   ? QString()
                   : ValidationText::tr("%1: no folder or archive of this name exists")
                         .arg(toQString(place));
    } catch (const Error&) { // nothing is given, and nothing found
        return config.dataset == "image_folder"
                   ? ValidationText::tr("choose the folder or archive of your pictures")
                   : ValidationText::tr(
                         "%1 was not found on this computer: choose its folder or archive")
                         .arg(datasetTitle(QString::fromStdString(config.dataset), {}));
    }
}

/// An unknown data set was found among the values.
QString datasetProblem(const RunConfig& config)
{
    if (config.dataset == "cifar10") {
        return cifar10Problem(config.datasetPath);
    }
    if (config.dataset.starts_with(kProgramDatasets)) {
        return ValidationText::tr(
                   "%1 is made by the program that trained with it, which alone can go on: choose "
                   "another data set")
            .arg(QString::fromStdString(config.dataset));
    }
    const auto all = datasetCatalog();
    const auto known = std::ranges::find(all, config.dataset, &DatasetDescription::name);
    return known == all.end() ? QString() : placeProblem(config);
}

/// The folder itself or the nearest one above it that is there.
fs::path nearestExisting(fs::path path)
{
    std::error_code ignored;
    while (!path.empty() && !fs::exists(path, ignored) && path != path.parent_path()) {
        path = path.parent_path();
    }
    return path.empty() ? fs::path(".") : path;
}

/// Throws where none is chosen and there is no home folder.
QString runFolderProblem(const RunRequest& request)
{
    const bool isChosen = !request.folder.empty();
    const fs::path folder = isChosen ? request.folder : RunFolder::defaultRunsFolder();
    const QString name = toQString(folder);
    if (request.isResume) {
        const auto writer = RunLock::writerOf(folder);
        return writer
                   ? ValidationText::tr("%1: process %2 is training this run; stop it there first")
                         .arg(name)
                         .arg(*writer)
               : RunFolder::isRun(folder) ? QString()
                                          : ValidationText::tr("%1: no run to continue").arg(name);
    }
    std::error_code ignored;
    if (isChosen && RunFolder::isRun(folder)) {
        return ValidationText::tr(
                   "%1: a run is there already; go on with it, or choose another folder")
            .arg(name);
    }
    if (isChosen && fs::exists(folder, ignored) && !fs::is_empty(folder, ignored)) {
        return ValidationText::tr("%1: not an empty folder; choose another one for the run")
            .arg(name);
    }
    const QFileInfo place(toQString(nearestExisting(folder)));
    return place.isDir() && place.isWritable()
               ? QString()
               : ValidationText::tr("%1: this folder can't be written; choose another one")
                     .arg(name);
}

/// The file that the run would take its weights from, if any.
std::optional<fs::path> startingFile(const RunRequest& request)
{
    if (request.checkpoint || !request.isResume) {
        return request.checkpoint;
    }
    const auto files = listCheckpoints(RunFolder::checkpointsOf(request.folder));
    return files.empty() ? std::nullopt : std::optional(files.back().path);
}

/// The file whose weights a new run of this configuration would begin with; of a run the newest
/// one, whole or not. Empty: random weights. Error(BadInput) if nothing is there.
std::optional<fs::path> startingWeights(const RunConfig& config)
{
    const fs::path given = config.initialWeights.checkpoint;
    std::error_code ignored;
    if (!fs::is_directory(given, ignored)) {
        return given.empty() ? std::nullopt
                             : std::optional(initialWeightsFile(config.initialWeights));
    }
    const auto files =
        listCheckpoints(RunFolder::isRun(given) ? RunFolder::checkpointsOf(given) : given);
    if (files.empty()) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.checkpoint is {}, but there is no checkpoint in this folder; choose "
            "another one",
            given.string());
    }
    return files.back().path;
}

/// Empty where each parameter has a tensor of its name and shape in the file.
QString networkProblem(const NetworkSpec& network, const fs::path& file)
{
    const SafetensorsHeader header = readSafetensorsHeader(file);
    const auto missing = std::ranges::find_if(network.parameters, [&](const ParameterSpec& wanted) {
        return std::ranges::none_of(header.tensors, [&](const SafetensorsEntry& tensor) {
            return tensor.name == wanted.name && tensor.shape == wanted.shape;
        });
    });
    return missing == network.parameters.end()
               ? QString()
               : ValidationText::tr(
                     "%1: the checkpoint is not of model '%2': it has no fitting '%3'")
                     .arg(
                         toQString(file), QString::fromStdString(network.name),
                         QString::fromStdString(missing->name));
}

/// A run that was killed at its very end goes on only to be finished: as many steps are enough.
QString stepsProblem(const RunRequest& request, std::int64_t made)
{
    const bool isEnough =
        request.checkpoint ? request.config.steps > made : request.config.steps >= made;
    return isEnough ? QString()
                    : ValidationText::tr(
                          "steps is %L1, but the checkpoint is already at step %L2; choose more")
                          .arg(request.config.steps)
                          .arg(made);
}

/// Of a run that begins at no state.
void checkInitialWeights(
    const RunConfig& config, const std::optional<NetworkSpec>& network, RunFindings& findings)
{
    constexpr const char* kOfLayers = "initial_weights.fresh_layers";
    try {
        if (const auto file = startingWeights(config); file && network) {
            findings.initial = planInitialWeights(*network, config.initialWeights, *file);
        }
    } catch (const std::exception& error) {
        const QString text = engineText(error.what());
        findings.add(
            text.startsWith(QLatin1String(kOfLayers)) ? kOfLayers : "initial_weights.checkpoint",
            text);
    }
}

/// Of a run that begins at a state: another network, settings that may not change when it goes on,
/// too few steps.
void checkState(
    const RunRequest& request, const std::optional<NetworkSpec>& network, RunFindings& findings)
{
    const auto file = startingFile(request);
    if (!file) {
        return;
    }
    const QString misfit = network ? networkProblem(*network, *file) : QString();
    if (!misfit.isEmpty()) {
        return findings.add(kCheckpointKey, misfit);
    }
    const CheckpointSummary made = readCheckpointSummary(*file);
    findings.firstStep = made.step;
    if (request.isResume) {
        findings.add(kCheckpointKey, engineText(reasonAgainst(made.config, request.config)));
    }
    findings.add("steps", stepsProblem(request, made.step));
}

} // namespace

void RunFindings::add(const char* key, const QString& message)
{
    if (!message.isEmpty()) {
        problems.append({QString::fromUtf8(key), message});
    }
}

RunFindings RunValidator::check(const RunRequest& request)
{
    RunFindings findings;
    checkValues(request.config, findings);
    std::optional<NetworkSpec> network;
    attempt(findings, "model.name", [&] { network = makeNetwork(request.config.model); });
    attempt(findings, "phase", [&] { // whether the network has what the phases train and freeze
        for (const RunPhase& phase :
             network ? phasePlan(request.config.phases) : std::vector<RunPhase>()) {
            networkOf(*network, phase);
        }
    });
    if (m_machine) {
        checkThere(request, findings);
        return findings;
    }
    findings.add("dataset.path", datasetProblem(request.config));
    checkDevice(request, findings);
    attempt(
        findings, kRunFolderKey, [&] { findings.add(kRunFolderKey, runFolderProblem(request)); });
    if (request.isResume || request.checkpoint) {
        attempt(findings, kCheckpointKey, [&] { checkState(request, network, findings); });
    } else {
        checkInitialWeights(request.config, network, findings);
    }
    return findings;
}

void RunValidator::checkThere(const RunRequest& request, RunFindings& findings) const
{
    const RunConfig& config = request.config;
    const QString host = QString::fromStdString(m_machine->host);
    const auto& found = m_machine->dataSets;
    const auto data = std::ranges::find(found, config.dataset, &RemoteFacts::DataSet::name);
    if (config.datasetPath.empty() && data != found.end() && data->folder.empty()) {
        findings.add(
            "dataset.path", ValidationText::tr("%1 was not found on %2: enter where it lies there")
                                .arg(QString::fromStdString(config.dataset), host));
    }
    if (request.checkpoint) {
        findings.add(
            kCheckpointKey,
            ValidationText::tr("A checkpoint of this computer is not on %1: disconnect first")
                .arg(host));
    }
    const auto isGpu = [](const DeviceReport& device) {
        return device.isAvailable && device.name.starts_with("cuda");
    };
    if (config.device == "cuda:") {
        findings.add("device", ValidationText::tr("Choose at least one GPU"));
    } else if (
        config.device.starts_with("cuda") && !m_machine->devices.empty() // it has told of them
        && std::ranges::none_of(m_machine->devices, isGpu)) {
        findings.add("device", ValidationText::tr("%1 has no GPU that can be used").arg(host));
    }
}

const RunValidator::DeviceFinding& RunValidator::find(const RunRequest& request)
{
    const std::string& device = request.config.device;
    const std::string run = request.isResume ? request.folder.string() : std::string();
    const auto [place, isNew] = m_devices.try_emplace(device + "\n" + run);
    if (isNew) {
        try {
            place->second.info = describeDevice(device, devicesOfRun(run));
        } catch (const std::exception& error) {
            place->second.error = engineText(error.what());
        }
    }
    return place->second;
}

void RunValidator::checkDevice(const RunRequest& request, RunFindings& findings)
{
    const RunConfig& config = request.config;
    if (config.device == "cuda:") {
        return findings.add("device", ValidationText::tr("Choose at least one GPU"));
    }
    const DeviceFinding& finding = find(request);
    if (!finding.error.isEmpty()) {
        return findings.add("device", finding.error);
    }
    const auto isAsked = [&](Precision precision) {
        return toString(precision) == config.precision;
    };
    const QString key = QStringLiteral("precision");
    const auto reported = std::ranges::find(findings.problems, key, &ConfigProblem::key);
    if (reported == findings.problems.end()
        && std::ranges::none_of(finding.info.precisions, isAsked)) {
        QString reason = ValidationText::tr("%1 can't train with %2")
                             .arg(
                                 QString::fromStdString(finding.info.name),
                                 QString::fromStdString(config.precision));
        const auto lack = std::ranges::find_if(
            finding.info.lacks, [&](const auto& entry) { return isAsked(entry.first); });
        if (lack != finding.info.lacks.end()) {
            reason += QStringLiteral(": ") + engineText(lack->second);
        }
        findings.add("precision", ValidationText::tr("%1; use float32").arg(reason));
    }
}

std::optional<std::int64_t> trainingExamples(const RunConfig& config)
{
    if (config.dataset == "synthetic") {
        return defaultSyntheticExamples(Split::Train);
    }
    if (config.dataset == "synthetic_defects") {
        return defaultDefectExamples(Split::Train); // half of them defective: an epoch is all
    }
    if (config.dataset != "cifar10") {
        return std::nullopt; // to count the defective ones, all labels would have to be read
    }
    try {
        const fs::path folder = locateCifar10(datasetFolder(config.dataset, config.datasetPath));
        std::uintmax_t bytes = 0;
        for (int i = 1; i <= 5; ++i) {
            bytes += fs::file_size(folder / fmt::format("data_batch_{}.bin", i));
        }
        return static_cast<std::int64_t>(bytes) / kCifar10RecordBytes;
    } catch (const std::exception&) { // not there: nothing to count
        return std::nullopt;
    }
}

} // namespace lockstep::ui
