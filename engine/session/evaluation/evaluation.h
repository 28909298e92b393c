// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_team.h"
#include "dataset/examples/dataset.h"
#include "device/device.h"
#include "device/parameter_arena.h"
#include "input/pipeline_settings.h"
#include "metrics/evaluation_record.h"
#include "network/network_spec.h"
#include "tower/replica.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

class Ranks;

/// Told the share that is done, 0 to 1; returns whether to go on.
using EvaluationProgress = std::function<bool(double)>;

/// How an evaluation takes the examples of a data set: chunks of a fixed size, undistorted. Images
/// with masks are large, and each is a chunk of its own.
PipelineSettings evaluationChunks(const NetworkSpec& network, const DistortionSettings& distortion);

/// Scores a network on every example of a data set, each exactly once, undistorted: central crop
/// and standardisation, or resized where there are masks. What a network says of each image is in
/// the record: of one that detects its scores, of one that classifies the class that it takes it
/// for. Examples are taken in chunks of a fixed size and summed in order, so the result is the
/// same, bit for bit, for any number of towers and threads. Uses the first `workers` threads of a
/// team; for an accelerator, the first one, and loaders of its own.
class Evaluation
{
public:
    /// `network` is the whole one, with all its objectives. Device and data set must outlive the
    /// evaluation.
    Evaluation(
        const Device& device, const NetworkSpec& network, ParameterLayout layout,
        const Dataset& dataset, const DistortionSettings& distortion);

    /// Computes as a training does: in its precision and with the algorithms of its layers.
    void computeAs(Precision precision, const std::map<std::string, std::string>& algorithms);

    /// From now on each rank scores a share of the examples, and all have the result: run() is
    /// collective, and cancelled by nobody.
    void shareAmong(Ranks& ranks) { m_ranks = &ranks; }

    /// Scores the given parameters. Step and kind are for the caller to fill in.
    /// Error(Cancelled) if `progress` says so.
    [[nodiscard]] EvaluationRecord run(
        ThreadTeam& threads, int workers, const WeightsView& weights,
        const EvaluationProgress& progress = {}) const;

private:
    [[nodiscard]] std::vector<std::size_t> sharesOf(std::int64_t chunks) const;

    const Device& m_device;
    NetworkSpec m_network;    ///< with its logits, where it classifies
    ParameterLayout m_layout; ///< the same in every phase
    const Dataset& m_dataset;
    ReplicaSettings m_replica; ///< rows left open
    PipelineSettings m_chunks;
    Ranks* m_ranks = nullptr; ///< null: this process scores all
};

} // namespace lockstep
