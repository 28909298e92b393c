// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/last_tower_statistics.h"
#include "bridge/series/overlay_series.h"
#include "engine/records.h"
#include "engine/storage.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// The curves of what a preview has.
std::shared_ptr<OverlaySeries> overlaySeriesOf(
    const LossPreview& preview, std::vector<std::string> objectives = {});

/// Reads what the charts show of a run that lies behind the shown one. Its losses and speed come
/// from what the store keeps ready; for the other figures it goes through the steps, once: later it
/// reads on from there. One thread at a time.
class OverlayReader
{
public:
    explicit OverlayReader(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// As of now. Errors as RunStoreReader.
    std::shared_ptr<OverlaySeries> read();

private:
    /// A stretch of steps, between multiples of m_width.
    struct Stretch
    {
        OverlayFigures figures; ///< without objectives
        ObjectiveLosses sums;   ///< over its steps

        void add(const Stretch& next);
    };

    void readOn(const RunStoreReader& reader);
    void take(const StepRecord& record);
    Stretch& stretchOf(std::int64_t step);
    void widen();

    std::filesystem::path m_folder;
    std::int64_t m_branch = 0;
    std::int64_t m_nextStep = 0;
    std::size_t m_towers = 0;
    LastTowerStatistics m_statistics;
    std::int64_t m_width = 1; ///< doubles when there are too many
    std::vector<Stretch> m_stretches;
};

} // namespace lockstep::ui
