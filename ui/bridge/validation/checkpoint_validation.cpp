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

/// The first parameter that has no tensor of its name and shape in the file.
const ParameterSpec* firstMissing(const NetworkSpec& network, const SafetensorsHeader& header)
{
    const auto isMissing = [&](const ParameterSpec& parameter) {
        return std::ranges::none_of(header.tensors, [&](const SafetensorsEntry& tensor) {
            return tensor.name == parameter.name && tensor.shape == parameter.shape;
        });
    };
    const auto found = std::ranges::find_if(network.parameters, isMissing);
    return found == network.parameters.end() ? nullptr : &*found;
}

QString networkProblem(const NetworkSpec& network, const fs::path& file)
{
    const ParameterSpec* const missing = firstMissing(network, readSafetensorsHeader(file));
    return missing == nullptr
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
