// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// What a run with this configuration is: "CIFAR-10 · 4 × 32 · rate 0.1". That of a recorded run
/// knows no rate, and perhaps no batch.
QString describedTitle(const RunConfig& config, bool isRecorded = false);

/// What a run is called: as a person named it, or its folder; else what it is. Reads a small file:
/// any thread.
QString titleOf(const std::filesystem::path& run, const RunConfig& config);

/// The same, for a run of which only the folder is at hand; its name where it can't be read.
QString titleOf(const std::filesystem::path& run);

/// Names a run, in a file of its folder; an empty title takes the name back. Error(Io) names the
/// file.
void setTitle(const std::filesystem::path& run, const QString& title);

} // namespace lockstep::ui
