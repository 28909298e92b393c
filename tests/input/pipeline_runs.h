// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/input_pipeline.h"

#include <algorithm>
#include <vector>

namespace lockstep::test {

constexpr Shape kSmall{8, 9, 3};

/// For images of kSmall; the seed is 17.
inline PipelineSettings smallSettings(std::int64_t globalBatch, int threads = 1)
{
    PipelineSettings settings;
    settings.globalBatch = globalBatch;
    settings.threads = threads;
    settings.seed = 17;
    settings.distortion.cropHeight = 5;
    settings.distortion.cropWidth = 6;
    return settings;
}

/// Copies of the first `count` batches of a pipeline, or of all if there are fewer.
inline std::vector<Batch> take(const Dataset& dataset, const PipelineSettings& settings, int count)
{
    InputPipeline pipeline(dataset, settings);
    std::vector<Batch> batches;
    for (int i = 0; i < count; ++i) {
        const auto lease = pipeline.next();
        if (!lease.batch) {
            break;
        }
        batches.push_back(*lease.batch);
    }
    return batches;
}

/// Whether two batches are equal in every bit.
inline bool isSame(const Batch& a, const Batch& b)
{
    return a.step == b.step && a.position == b.position && a.examples == b.examples
           && a.shape == b.shape && a.images == b.images && a.labels == b.labels && a.ids == b.ids;
}

inline bool isSame(const std::vector<Batch>& a, const std::vector<Batch>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Batch& x, const Batch& y) {
        return isSame(x, y);
    });
}

} // namespace lockstep::test
