// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_validation.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "engine/storage.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

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
               : QCoreApplication::translate(
                     "RunValidator",
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
                    : QCoreApplication::translate(
                          "RunValidator",
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

/// Of a run that begins at a state.
void checkState(
    const RunRequest& request, const std::optional<NetworkSpec>& network, RunFindings& findings)
{
    try {
        const auto file = startingFile(request);
        if (!file) {
            return;
        }
        const QString misfit = network ? networkProblem(*network, *file) : QString();
        if (!misfit.isEmpty()) {
            return findings.add(kCheckpointKey, misfit);
        }
        const CheckpointSummary made = readCheckpointSummary(*file);
        if (request.isResume) {
            findings.add(kCheckpointKey, engineText(reasonAgainst(made.config, request.config)));
        }
        findings.add("steps", stepsProblem(request, made.step));
    } catch (const std::exception& error) {
        findings.add(kCheckpointKey, engineText(error.what()));
    }
}

} // namespace

void RunValidator::checkWeights(
    const RunRequest& request, const std::optional<NetworkSpec>& network, RunFindings& findings)
{
    if (request.isResume || request.checkpoint) {
        checkState(request, network, findings);
    } else {
        checkInitialWeights(request.config, network, findings);
    }
}

} // namespace lockstep::ui
