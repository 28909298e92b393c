// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/alert_settings.h"
#include "metrics/verdicts/data_verdict.h"
#include "metrics/verdicts/learning_verdict.h"
#include "metrics/verdicts/pace_verdict.h"

#include <cstddef>

namespace lockstep {

/// The three lights of a run: does it learn, do its towers see alike data, and who is waited for.
/// They come from what a run tells step by step alone, so that terminal, alerts, gathered runs and
/// window say the same, of a run that goes on and of one that is read. A step costs about two
/// microseconds for four towers, half of them for their clock. Not thread-safe.
class RunVerdicts
{
public:
    /// `chance`: as for LearningVerdict. An alert that is off mutes its alert, not its light: that
    /// has the usual limit.
    RunVerdicts(const AlertSettings& settings, std::size_t towers, const Chance& chance)
        : m_learning(limit(settings, &AlertSettings::plateauSteps), chance),
          m_data(limit(settings, &AlertSettings::towerLoss), towers),
          m_pace(
              limit(settings, &AlertSettings::towerWait),
              limit(settings, &AlertSettings::inputShare), towers)
    {
    }

    /// Of every step, in their order.
    void take(const StepRecord& step)
    {
        m_learning.take(step);
        m_data.take(step);
        m_pace.take(step);
    }
    void take(const GradientAgreement& agreement) { m_data.take(agreement); }

    [[nodiscard]] const Verdict& learning() const noexcept { return m_learning.verdict(); }
    [[nodiscard]] const Verdict& data() const noexcept { return m_data.verdict(); }
    [[nodiscard]] const Verdict& pace() const noexcept { return m_pace.verdict(); }

private:
    template<class T>
    static T limit(const AlertSettings& settings, T AlertSettings::*of)
    {
        return settings.*of > T() ? settings.*of : AlertSettings().*of;
    }

    LearningVerdict m_learning;
    DataVerdict m_data;
    PaceVerdict m_pace;
};

} // namespace lockstep
