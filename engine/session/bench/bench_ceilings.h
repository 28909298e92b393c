// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/bench/bench_trial.h"
#include "session/training/training_session.h"

#include <optional>

namespace lockstep {

/// Measures what the processors of a host device reach, around the steps of a trial: machines that
/// are shared swing. Does nothing for an accelerator, or where the trial knows it already.
class CeilingMeter
{
public:
    CeilingMeter(const BenchTrial& trial, const TrainingSession& session);

    /// To be called before and after the steps.
    void measure();

    /// As many threads as the step uses, all at work.
    [[nodiscard]] const std::optional<HostCeilings>& all() const { return m_all; }
    /// One thread alone; only where the trial is profiled.
    [[nodiscard]] const HostCeilings& one() const { return m_one; }

private:
    int m_threads = 0; ///< 0: nothing is to be measured
    bool m_measuresOne = false;
    std::optional<HostCeilings> m_all;
    HostCeilings m_one;
};

/// The work of a step on the device that has the most of it.
StepWork workOf(const BenchTrial& trial, const TrainingSession& session);

/// What bounds the step: what the settings say, what was measured with as many threads, or what is
/// known of the device. Empty where there is none of these.
DeviceCeilings ceilingsFor(
    const BenchTrial& trial, const TrainingSession& session,
    const std::optional<HostCeilings>& measured);

/// Fills in the floor and the share of the ceiling.
void compare(
    BenchResult& result, const NetworkSpec& network, const StepWork& work,
    const DeviceCeilings& ceilings);

} // namespace lockstep
