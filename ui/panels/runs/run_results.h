// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_table_model.h"

#include <filesystem>
#include <vector>

namespace lockstep::ui {

/// What came of two runs, the most wanted first: accuracy, the best one and when the shorter run
/// had trained as long, cross-entropy, speed, time. Reads files, a few milliseconds each whatever
/// the length of the runs: any thread. Errors as RunStoreReader.
std::vector<ComparedResult> compareResults(
    const std::filesystem::path& first, const std::filesystem::path& second);

} // namespace lockstep::ui
