// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/preview_data.h"

#include "engine/config.h"

namespace lockstep::ui {

DatasetRequest PreviewData::requestFor(const RunConfig& config)
{
    DatasetRequest request = datasetOf(config);
    request.path = datasetFolder(config.dataset, config.datasetPath);
    const bool isSeeded = request.path.empty() || describeDataset(config.dataset).hasMasks;
    if (!isSeeded) {
        request.seed = 0; // so that it is not read anew for another
    }
    return request;
}

const Dataset& PreviewData::open(const RunConfig& config, Split split, const LoadProgress& progress)
{
    const DatasetRequest request = requestFor(config);
    if (request != m_opened) {
        m_splits = {};
        m_opened = request;
    }
    auto& dataset = m_splits[split == Split::Train ? 0 : 1];
    if (!dataset) {
        dataset = openDataset(request, split, progress);
    }
    return *dataset;
}

} // namespace lockstep::ui
