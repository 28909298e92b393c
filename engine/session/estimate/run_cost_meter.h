// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "session/estimate/other_programs.h"
#include "session/estimate/run_costs.h"
#include "session/estimate/training_mark.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Whether this process holds next to nothing yet, so that what it will hold is a run's.
bool isProcessSmall();

/// Learns from a run what such runs cost; while its steps are made, nothing is measured beside it.
/// One thread at a time.
class RunCostMeter
{
public:
    /// When the run begins to be opened, with the configuration that was asked for.
    explicit RunCostMeter(const RunConfig& asked) : m_asked(asked) {}

    /// The first step comes next, of epochs of so many examples.
    void begin(std::int64_t epochExamples);
    /// One that trains what `phase` says.
    void addStep(const RunPhase& phase, double stepSeconds);
    /// With one kind of weights.
    void addEvaluation(double seconds) { m_evaluations.push_back(seconds); }

    /// Empty until every phase of the configuration has made some steps.
    [[nodiscard]] std::optional<RunCosts> costs() const;
    /// Keeps them for runs of such a configuration, if there are some; in a program that is more
    /// than a run, as the window, with the memory that was measured apart. What goes wrong with
    /// that is no matter for the run.
    void keep() const;

private:
    RunConfig m_asked;
    OtherPrograms m_others;
    bool m_isAlone = isProcessSmall();
    Stopwatch m_watch;
    double m_startSeconds = 0.0;
    std::int64_t m_epochExamples = 0;
    std::optional<TrainingMark> m_mark;
    std::map<std::string, std::deque<double>> m_steps; ///< the latest, by what is trained
    std::vector<double> m_evaluations;
};

/// The most memory that this process has held.
std::size_t peakProcessBytes();

} // namespace lockstep
