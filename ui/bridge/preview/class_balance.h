// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/preview_data.h"
#include "engine/data.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// How many examples of each class a data set has.
struct ClassBalance
{
    std::vector<QString> classNames = {};
    std::vector<std::int64_t> train = {}; ///< of each class
    std::vector<std::int64_t> test = {};
    std::size_t firstClass = 0;     ///< 1 where class 0 is background, which has no examples
    bool isTrainedBalanced = false; ///< a batch is half of each class, whatever there is of each
    QString problem = {};           ///< why nothing was counted; else empty
};

/// Counts both splits, as `lockstep-train inspect` does. Throws as PreviewData::open.
ClassBalance countClasses(const RunConfig& config, PreviewData& data, const LoadProgress& progress);

} // namespace lockstep::ui
