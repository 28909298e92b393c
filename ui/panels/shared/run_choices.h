// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/machines.h"
#include "models/figures/device_model.h"
#include "widgets/forms/value_editors.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::ui {

/// What this machine has; nothing while it is being looked for.
using FoundDevices = std::optional<std::vector<DeviceRow>>;

/// What there is for towers to run on: "No GPU: towers share 2 processors".
QString devicesLine(const FoundDevices& devices);

/// Names of the GPUs that can be used, in their order.
std::vector<std::string> usableGpus(const FoundDevices& devices);

/// Where the towers go: "2 towers on cpu, 1 thread each", "5 towers on 2 GPUs: 3 and 2". Empty
/// where the configuration is not valid.
QString placementLine(const RunConfig& config, const FoundDevices& devices);

/// Kinds of devices: automatic, the CPU, GPUs ("cuda"); those that are missing say why and can't be
/// chosen.
QList<ChoiceEditor::Choice> deviceChoices(const FoundDevices& devices);
/// Values of the key `precision`; impossible where no device trains with it.
QList<ChoiceEditor::Choice> precisionChoices(const FoundDevices& devices);
/// Automatic, measured, and the numbers that `processors` leave room for.
QList<ChoiceEditor::Choice> threadChoices(int processors);
/// Values of the keys `model.name` and `dataset.name`.
QList<ChoiceEditor::Choice> modelChoices();
QList<ChoiceEditor::Choice> datasetChoices();

/// Whether its images have masks. Any name.
bool hasMasks(const std::string& dataset);

/// What an empty folder stands for, here or on another machine.
QString datasetFolderPlaceholder(
    const std::string& dataset, const std::optional<RemoteFacts>& machine = {});
QString runFolderPlaceholder(const std::optional<RemoteFacts>& machine = {});

} // namespace lockstep::ui
