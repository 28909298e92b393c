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
    if (request.weightsFrom || request.checkpoint || !request.isResume) {
        return request.weightsFrom ? request.weightsFrom : request.checkpoint;
    }
    const auto files = listCheckpoints(RunFolder::checkpointsOf(request.folder));
    return files.empty() ? std::nullopt : std::optional(files.back().path);
}

bool isOfLayer(const std::string& parameter, const std::string& layer)
{
    return parameter.starts_with(layer + ".");
}

/// The first parameter that has no tensor of its name and shape in the file and may not be without.
const ParameterSpec* firstMissing(
    const NetworkSpec& network, const SafetensorsHeader& header,
    const std::vector<std::string>& freshLayers)
{
    const auto isMissing = [&](const ParameterSpec& parameter) {
        const bool isFresh = std::ranges::any_of(freshLayers, [&](const std::string& layer) {
            return isOfLayer(parameter.name, layer);
        });
        return !isFresh
               && std::ranges::none_of(header.tensors, [&](const SafetensorsEntry& tensor) {
                      return tensor.name == parameter.name && tensor.shape == parameter.shape;
                  });
    };
    const auto found = std::ranges::find_if(network.parameters, isMissing);
    return found == network.parameters.end() ? nullptr : &*found;
}

QString networkProblem(const RunRequest& request, const NetworkSpec& network, const fs::path& file)
{
    const ParameterSpec* const missing =
        firstMissing(network, readSafetensorsHeader(file), request.freshLayers);
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

} // namespace

QList<ConfigProblem> checkpointProblems(
    const RunRequest& request, const std::optional<NetworkSpec>& network)
{
    QList<ConfigProblem> problems;
    const auto report = [&](const char* key, const QString& text) {
        if (!text.isEmpty()) {
            problems.append({QLatin1String(key), text});
        }
    };
    try {
        const auto file = startingFile(request);
        if (!file) {
            return {};
        }
        const QString misfit = network ? networkProblem(request, *network, *file) : QString();
        if (!misfit.isEmpty() || request.weightsFrom) {
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
