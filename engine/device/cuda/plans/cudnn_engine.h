// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/plans/convolution_graph.h"
#include "device/cuda/plans/cudnn_descriptor.h"
#include "device/precision.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cuda {

/// One of cuDNN's algorithms and its settings. Numbers mean the same as long as the version of the
/// library is the same.
struct CudnnEngine
{
    std::int64_t index = 0;
    std::vector<std::pair<cudnnBackendKnobType_t, std::int64_t>> knobs;

    bool operator==(const CudnnEngine&) const = default;
};

/// "cudnn 9.19.0 eng12 k2=4 k5=1".
std::string toString(const CudnnEngine& engine);
/// The engine of such a text; nothing if it is of another version or no such text.
std::optional<CudnnEngine> parseCudnnEngine(const std::string& text);

/// A finalized execution plan and what it takes.
struct CudnnPlan
{
    CudnnEngine engine;
    CudnnDescriptor plan;
    std::size_t workspaceBytes = 0;
};

/// An engine that cuDNN recommends.
struct CudnnSuggestion
{
    CudnnEngine engine;
    bool isCompiled =
        false;            ///< compiled when its plan is made, which takes a large part of a second
    bool isBlind = false; ///< cuDNN says that it can be had, not that it is any good
};

/// What cuDNN recommends for a graph, most promising first, without those whose sums depend on
/// chance or are rounded to less than the precision promises. Where it recommends nothing, every
/// engine with the sum split, then in its default settings. May be empty.
std::vector<CudnnSuggestion> suggestEngines(
    const CudnnTarget& target, const CudnnDescriptor& graph, Precision precision);

/// Throws as checkCudnn: an engine that was suggested may still not be there.
CudnnPlan makeCudnnPlan(
    const CudnnTarget& target, const CudnnDescriptor& graph, const CudnnEngine& engine);

} // namespace lockstep::cuda
