// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/alert_record.h"
#include "metrics/verdicts/run_verdicts.h"

#include <array>
#include <functional>
#include <span>
#include <utility>

namespace lockstep {

/// Tells what a person should hear of a run's steps: every verdict that is amber or red, once when
/// it begins and once when it is over. One thread.
class StepAlerts
{
public:
    using Tell = std::function<void(const AlertRecord&)>;

    /// `chance` and `isRecorded`: as for RunVerdicts.
    StepAlerts(
        const AlertSettings& settings, std::size_t towers, const Chance& chance, Tell tell,
        bool isRecorded = false)
        : m_settings(settings), m_verdicts(settings, towers, chance, isRecorded),
          m_tell(std::move(tell))
    {
    }

    /// The next step of the run.
    void take(const StepRecord& step) { take(step, true); }
    /// One that was told of before the run was stopped.
    void recall(const StepRecord& step) { take(step, false); }
    void recall(const AlertRecord& told) { m_verdicts.recall(told); }
    void take(const GradientAgreement& agreement) { m_verdicts.take(agreement); }

    [[nodiscard]] const RunVerdicts& verdicts() const noexcept { return m_verdicts; }

private:
    void take(const StepRecord& step, bool isNews);
    [[nodiscard]] bool isOn(AlertKind kind) const;

    AlertSettings m_settings;
    RunVerdicts m_verdicts;
    Tell m_tell;
    std::array<Verdict, 3> m_told;
};

/// So long no step may take before a run counts as stuck: `seconds`, and 20 times the median of the
/// last steps; while there were none, 10 times `seconds`, as a first step may have to prepare much.
/// Reorders `lastSteps`.
double stuckLimit(double seconds, std::span<double> lastSteps);

} // namespace lockstep
