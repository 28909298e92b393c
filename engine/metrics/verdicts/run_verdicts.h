// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/alert_settings.h"
#include "metrics/verdicts/data_verdict.h"
#include "metrics/verdicts/learning_verdict.h"
#include "metrics/verdicts/pace_verdict.h"

#include <cstddef>
#include <vector>

namespace lockstep {

/// The three lights of a run: does it learn, do its towers see alike data, and who is waited for.
/// They come from what a run tells step by step alone, so that terminal, alerts, gathered runs and
/// window say the same, of a run that goes on and of one that is read. A step costs about two
/// microseconds for four towers, half of them for their clock. Not thread-safe.
class RunVerdicts
{
public:
    /// `chance`: as for LearningVerdict. An alert that is off mutes its alert, not its light: that
    /// has the usual limit. `isRecorded`: another program trained it, see PaceVerdict.
    RunVerdicts(
        const AlertSettings& settings, std::size_t towers, const Chance& chance,
        bool isRecorded = false)
        : m_learning(limit(settings, &AlertSettings::plateauSteps), chance),
          m_data(limit(settings, &AlertSettings::towerLoss), towers),
          m_pace(
              limit(settings, &AlertSettings::towerWait),
              limit(settings, &AlertSettings::inputShare), towers, isRecorded)
    {
    }

    /// Of every step, in their order.
    void take(const StepRecord& step)
    {
        m_learning.take(step);
        m_data.take(step);
        m_pace.take(step);
        keep(data());
        keep(pace());
    }
    void take(const GradientAgreement& agreement) { m_data.take(agreement); }

    /// What was told of towers in steps that are not taken here.
    void recall(const AlertRecord& told) { keep(findingOf(told)); }
    /// The first time that this was found; null: it never was.
    [[nodiscard]] const Verdict* found(AlertKind kind, int tower) const
    {
        const Verdict* first = nullptr;
        for (const Verdict& each : m_found) {
            if (each.alert == kind && each.tower == tower
                && (first == nullptr || each.since < first->since)) {
                first = &each;
            }
        }
        return first;
    }

    [[nodiscard]] const Verdict& learning() const noexcept { return m_learning.verdict(); }
    [[nodiscard]] const Verdict& data() const noexcept { return m_data.verdict(); }
    [[nodiscard]] const Verdict& pace() const noexcept { return m_pace.verdict(); }

private:
    template<class T>
    static T limit(const AlertSettings& settings, T AlertSettings::*of)
    {
        return settings.*of > T() ? settings.*of : AlertSettings().*of;
    }

    void keep(const Verdict& verdict)
    {
        if (!verdict.alert || *verdict.by == '\0') {
            return;
        }
        const Verdict* const known = found(*verdict.alert, verdict.tower);
        if (known == nullptr || verdict.since < known->since) {
            m_found.push_back(verdict);
        }
    }

    LearningVerdict m_learning;
    DataVerdict m_data;
    PaceVerdict m_pace;
    std::vector<Verdict> m_found; ///< of towers
};

} // namespace lockstep
