// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/gradient_agreement.h"
#include "metrics/step_record.h"
#include "metrics/verdicts/tower_evidence.h"
#include "metrics/verdicts/verdict.h"

#include <optional>
#include <vector>

namespace lockstep {

/// Whether the towers see alike data. One verdict out of all that tells of it, each a sequential
/// test over all towers (TowerEvidence):
///
/// - their cross-entropies: a tower is named when it is sure and lies by `lossShare` of the others'
///   cross-entropy away from them;
/// - how much these scatter: three times as much as those of the others, or a third of it;
/// - the cosine of its gradient and the mean of the others': less than half of theirs, where theirs
///   agree at all;
/// - losses that are equal in every tower for 20 steps: all get the same rows.
///
/// Of two towers neither can be called the odd one. A tower that was named is so until it has lain
/// within half of the limit for 200 steps (40 gradients), or another one lies twice as far away. A
/// healthy run names a tower with a probability of 0.75 % at most. Not thread-safe.
class DataVerdict
{
public:
    DataVerdict(double lossShare, std::size_t towers);

    void take(const StepRecord& step);
    void take(const GradientAgreement& agreement);

    [[nodiscard]] const Verdict& verdict() const noexcept { return m_verdict; }

private:
    enum class Kind { Loss, Scatter, Gradients };
    /// One of the tests, and whom it names.
    struct Watch
    {
        Kind kind;
        TowerEvidence evidence;
        std::optional<std::size_t> named = {};
        std::int64_t since = 0;
        int foundRecords = 0;
        int quietRecords = 0;

        void look(double share, std::int64_t updates);
        [[nodiscard]] double excess(std::size_t tower, double share) const;
    };

    void squareScatter();
    void conclude();
    [[nodiscard]] Verdict found(const Watch& watch) const;

    double m_lossShare;
    std::int64_t m_updates = 0;
    std::vector<double> m_values;
    std::vector<Watch> m_watches; ///< the most telling first
    int m_sameSteps = 0;
    std::int64_t m_comparedSteps = 0;
    Verdict m_verdict;
};

} // namespace lockstep
