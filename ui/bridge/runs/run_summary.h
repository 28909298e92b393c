// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_row.h"

#include <array>
#include <cstdint>
#include <filesystem>

namespace lockstep::ui {

/// What a run's files look like from outside: as long as this stays the same, so does its summary.
struct RunStamp
{
    struct File
    {
        std::int64_t time = 0;
        std::uintmax_t size = 0;
        bool operator==(const File&) const = default;
    };
    std::array<File, 4> files; ///< configuration, title, store and the store's log
    int writer = -1;           ///< the process that trains it; -1: none
    bool operator==(const RunStamp&) const = default;
};

RunStamp runStamp(const std::filesystem::path& folder);

/// The row of a run in the table of runs; one that can't be read says why. Reads files, a few
/// milliseconds whatever the length of the run: any thread.
RunRow readRunSummary(const std::filesystem::path& folder);

} // namespace lockstep::ui
