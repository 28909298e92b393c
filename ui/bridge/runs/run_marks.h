// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/series/run_series.h"
#include "bridge/session/live_run.h"

#include <QTimer>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// Finds the steps at which a learning rate changes on a sudden: a stage of a schedule, a hand on
/// the run. What changes at every step, as a warm-up or a cosine does, is no sudden change.
class LearningRateJumps
{
public:
    struct Jump
    {
        double before = 0.0;
        double after = 0.0;
    };

    /// The rate of the next step; what has happened if it jumped there.
    std::optional<Jump> append(double rate)
    {
        const double before = m_rate;
        const double change =
            rate == before ? 0.0 : std::abs(rate - before) / std::max(std::abs(before), kLeastRate);
        const double usual = *std::max_element(m_changes.begin(), m_changes.end());
        const bool isJump =
            m_count > kCalmSteps && change > kLeastChange && change > kTimes * usual;
        m_rate = rate;
        if (m_count > 0) {
            m_changes[m_count % kCalmSteps] = isJump ? 0.0 : change; // the calm goes on behind it
        }
        ++m_count;
        return isJump ? std::optional(Jump{before, rate}) : std::nullopt;
    }

private:
    static constexpr std::size_t kCalmSteps = 10;
    static constexpr double kLeastChange = 0.01;
    static constexpr double kTimes = 10.0; ///< a jump is so many times the changes before it
    static constexpr double kLeastRate = 1e-12;

    std::array<double, kCalmSteps> m_changes{}; // of the latest steps, relative
    double m_rate = 0.0;
    std::size_t m_count = 0;
};

/// Something that happened at a step of a run, for its charts.
struct RunMark
{
    enum class Kind { Fault, LearningRate, Branch, Evaluation };

    Kind kind = Kind::Evaluation;
    std::int64_t updates = 0; ///< that were made when it happened
    /// Fault: it happened to steps that the run has left behind since.
    bool isLeftBehind = false;
    /// Branch: the run went on from here, and left its steps up to this one behind; updates where
    /// there were none.
    std::int64_t endStep = 0;
    /// LearningRate: that before; Evaluation: accuracy with the weights as they are.
    double before = 0.0;
    /// LearningRate: that from here on; Evaluation: accuracy with their moving averages.
    double after = 0.0;
    double time = 0.0; ///< Fault, Branch: seconds since 1970
    QString text = {}; ///< Fault: what the run said of it; empty: the loss is not a number
};

/// Steps of the run that is shown that it has left behind.
struct AbandonedSteps
{
    std::int64_t firstStep = 0;
    std::int64_t endStep = 0;
    std::shared_ptr<OverlaySeries> series;
    /// The steps where these went on, if the run has left those behind, too; nothing: the run.
    std::shared_ptr<OverlaySeries> origin = nullptr;
};

/// What its store tells of what happened to a run.
struct RunHistory
{
    std::vector<RunMark> marks; ///< faults and branches, by ascending updates
    std::vector<AbandonedSteps> abandoned;

    /// The steps at which the run itself left others behind, ascending.
    [[nodiscard]] std::vector<std::int64_t> joints() const;
};

/// Reads files: any thread. Errors as RunStoreReader.
RunHistory readRunHistory(const std::filesystem::path& run);

/// What happened in the run that the window shows: what its steps tell as they arrive, and what its
/// store tells, which is read on a thread of its own when the run is shown and when it has ended.
/// GUI thread.
class RunMarks : public QObject
{
    Q_OBJECT

public:
    /// The run must outlive this object.
    explicit RunMarks(LiveRun& run, QObject* parent = nullptr);

    /// By ascending updates.
    [[nodiscard]] std::vector<RunMark> marks() const;
    /// Where the run has left them the smoothed lines of both begin at the same height.
    [[nodiscard]] const std::vector<AbandonedSteps>& abandoned() const noexcept
    {
        return m_history.abandoned;
    }
    /// Weight of the smoothing for a step, in [0, 1).
    void setSmoothing(double weight);

signals:
    void changed();
    /// During the signal the curves of before still exist.
    void abandonedChanged();

private:
    void onBegun();
    void onSteps(const std::vector<StepRecord>& records);
    void takeEvaluations();
    void read();
    void take(const std::filesystem::path& run, RunHistory history);
    void joinAbandoned();

    LiveRun& m_run;
    RunHistory m_history;
    std::vector<RunMark> m_live; ///< found in the steps and evaluations, in the order of arrival
    LearningRateJumps m_rates;
    bool m_isFaulty = false; ///< the loss of the newest step
    QTimer m_soon;           ///< until the store has the branch of a run that has just begun
    std::int64_t m_evaluations = 0;
    double m_smoothing = 0.0;
    LatestRequest<std::filesystem::path, RunHistory> m_reading;
};

} // namespace lockstep::ui
