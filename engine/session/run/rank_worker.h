// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "session/config/run_config.h"
#include "session/evaluation/evaluation.h"
#include "session/training/training_session.h"

#include <memory>

namespace lockstep {

/// Makes sure that all ranks run the same program with the same options; `given` is what they say,
/// without what a run that goes on brings. Error(BadInput) on all ranks says which differs, and
/// how. Collective.
void checkRanks(Ranks& ranks, const RunConfig& given);

/// The configuration that rank 0 trains. Collective.
RunConfig configOfFirst(Ranks& ranks, const RunConfig& config);

/// A rank beside the first one: makes the part of a training that falls to its towers, as the
/// TrainingRun of rank 0 orders it, and writes nothing.
class RankWorker
{
public:
    /// Meanwhile rank 0 makes a TrainingRun. Errors as there.
    explicit RankWorker(Ranks& ranks);

    /// Until rank 0 ends the training. Error(Device) names the rank that is lost or failed,
    /// Error(Numeric) is that of rank 0.
    void run();

private:
    void evaluate(WeightsKind kind);

    Ranks& m_ranks;
    RunConfig m_config;
    std::unique_ptr<Dataset> m_training;
    std::unique_ptr<Dataset> m_test;
    TrainingSession m_session;
    Evaluation m_evaluation;
};

} // namespace lockstep
