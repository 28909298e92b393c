// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data.h"

#include <array>
#include <memory>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// The data sets that previews are made of: both splits of the latest one stay open for the next
/// preview. One thread at a time.
class PreviewData
{
public:
    /// Opens a split, unless it is open; the reference is valid until another data set is asked
    /// for. `progress` is told of loading. Throws as openDataset; then nothing of it is open.
    const Dataset& open(const RunConfig& config, Split split, const LoadProgress& progress);

    /// What is opened for a configuration: equal where the data set need not be opened again.
    [[nodiscard]] static DatasetRequest requestFor(const RunConfig& config);

private:
    std::array<std::unique_ptr<Dataset>, 2> m_splits; ///< train, test
    DatasetRequest m_opened;
};

} // namespace lockstep::ui
