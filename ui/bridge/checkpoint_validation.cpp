// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/checkpoint_validation.h"

#include "bridge/file_names.h"
#include "bridge/run_origin.h"

#include <QCoreApplication>
#include <QLocale>

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
                          "steps is %L1, but the checkpoint has made %L2 already; choose more")
                          .arg(request.config.steps)
                          .arg(made);
}

/// Of a run that begins at no state.
QList<ConfigProblem> initialWeightsProblems(
    const RunRequest& request, const std::optional<NetworkSpec>& network)
{
    const QString ofLayers = QStringLiteral("initial_weights.fresh_layers");
    try {
        const auto file =
            request.isResume || request.checkpoint ? std::nullopt : startingWeights(request.config);
        if (file && network) {
            planInitialWeights(*network, request.config.initialWeights, *file);
        }
        return {};
    } catch (const std::exception& error) {
        const QString text = QString::fromUtf8(error.what());
        const bool isOfLayers = text.startsWith(ofLayers);
        return {{isOfLayers ? ofLayers : QStringLiteral("initial_weights.checkpoint"), text}};
    }
}

} // namespace

QList<ConfigProblem> checkpointProblems(
    const RunRequest& request, const std::optional<NetworkSpec>& network)
{
    QList<ConfigProblem> problems = initialWeightsProblems(request, network);
    const auto report = [&](const char* key, const QString& text) {
        if (!text.isEmpty()) {
            problems.append({QLatin1String(key), text});
        }
    };
    try {
        const auto file = startingFile(request);
        if (!file) {
            return problems;
        }
        const QString misfit = network ? networkProblem(*network, *file) : QString();
        if (!misfit.isEmpty()) {
            report(kCheckpointKey, misfit);
            return problems;
        }
        const CheckpointSummary made = readCheckpointSummary(*file);
        if (request.isResume) {
            report(
                kCheckpointKey, QString::fromStdString(reasonAgainst(made.config, request.config)));
        }
        report("steps", stepsProblem(request, made.step));
    } catch (const std::exception& error) {
        report(kCheckpointKey, QString::fromUtf8(error.what()));
    }
    return problems;
}

} // namespace lockstep::ui
