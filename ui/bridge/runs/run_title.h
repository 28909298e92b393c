// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace lockstep::ui {

/// What a run with this configuration is: "CIFAR-10 · 4 × 32 · rate 0.1", what else is not as
/// usual, "seed 2", and what it does wrong on purpose: "tower 1 poisoned". That of a recorded run
/// knows no rate, and perhaps no batch.
QString describedTitle(const RunConfig& config, bool isRecorded = false);

/// What a run trains, and with which data: see modelTitle() and datasetTitle().
QString modelTitle(const RunConfig& config);
QString datasetTitle(const RunConfig& config);

/// What a run is called: as a person named it, or its folder; else what it is. Reads a small file:
/// any thread.
QString titleOf(const std::filesystem::path& run, const RunConfig& config);

/// The same, for a run of which only the folder is at hand; its name where it can't be read.
QString titleOf(const std::filesystem::path& run);

/// Of runs that are shown together: of each title the parts that not all of them have, "rate
/// 0.015" beside "rate 0.014"; all of it where nothing else is left. Long names of folders have
/// words as parts. Runs that have the same left are told apart by the first two settings in which
/// they differ, "weight_decay = 0.001". An empty title stays so and does not count. `configs` has
/// one for each, or is empty.
QStringList distinctTitles(QStringList titles, const std::vector<RunConfig>& configs = {});

/// Names a run, in a file of its folder; an empty title takes the name back. Error(Io) names the
/// file.
void setTitle(const std::filesystem::path& run, const QString& title);

} // namespace lockstep::ui
