// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/timeline.h"

#include <QObject>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// The x axis that all charts share: what it counts, which part of the run is shown, and at which
/// row the cross-hair stands. Zooming one chart moves them all. Lives in the GUI thread.
class XRange : public QObject
{
    Q_OBJECT

public:
    /// What happens to the range when steps arrive.
    enum class Mode {
        Fit,    ///< it grows with the run, in round steps, so that few frames change the axis
        Follow, ///< it keeps its width and moves with the newest step
        Fixed,  ///< it stays
    };
    Q_ENUM(Mode)

    explicit XRange(QObject* parent = nullptr) : QObject(parent) {}

    /// The run whose rows the range is about; it must outlive the range or be taken back with
    /// nullptr.
    void setTimeline(const Timeline* timeline);
    /// Other runs, which a fitted range shows, too; they must stay until others are set.
    void setOthers(std::vector<const Timeline*> timelines);
    /// Knows no run any more, and tells nobody: for the end, when they may be gone.
    void forget();
    /// To be called when rows were appended.
    void dataChanged();

    [[nodiscard]] XAxis axis() const noexcept { return m_axis; }
    /// Shows the same rows on another axis.
    void setAxis(XAxis axis);

    [[nodiscard]] Mode mode() const noexcept { return m_mode; }
    [[nodiscard]] double first() const noexcept { return m_first; }
    [[nodiscard]] double last() const noexcept { return m_last; }

    /// The whole run, now and as it grows.
    void fit();
    void follow();
    /// Exactly this part; the one before can be had back with back().
    void zoomTo(double first, double last);
    /// Shows `factor` times as much (below 1: less), keeping what is at `anchor` where it is.
    void zoom(double factor, double anchor);
    /// Moves by this share of the width.
    void pan(double share);
    /// The part before the latest zoomTo(); fit() when there is none.
    void back();

    /// Where the state after so many updates stands on the axis.
    [[nodiscard]] double positionAfter(std::int64_t updates) const;

    /// The row of the timeline at which the cross-hair stands.
    [[nodiscard]] std::optional<std::int64_t> cursor() const noexcept { return m_cursor; }
    /// When that row happened.
    [[nodiscard]] std::optional<Moment> cursorMoment() const;
    void setCursor(std::optional<std::int64_t> row);
    /// Puts the cross-hair at the row that is closest to a place on the axis.
    void setCursorAt(double position);
    /// Moves the cross-hair by rows; from nowhere to the newest row.
    void moveCursor(std::int64_t rows);

signals:
    void rangeChanged();
    void cursorChanged();
    void axisChanged();
    void modeChanged();

private:
    struct Range
    {
        double first;
        double last;
    };

    [[nodiscard]] bool isEmpty() const { return timeline() == nullptr; }
    /// Of the run; of another one while there is none.
    [[nodiscard]] const Timeline* timeline() const;
    [[nodiscard]] std::vector<const Timeline*> shownTimelines() const;
    [[nodiscard]] Range wholeRange() const;
    [[nodiscard]] double leastWidth() const;
    void setMode(Mode mode);
    void setRange(Range range);
    void applyFixed(Range range);

    const Timeline* m_timeline = nullptr;
    std::vector<const Timeline*> m_others;
    XAxis m_axis = XAxis::Step;
    Mode m_mode = Mode::Fit;
    double m_first = 0.0;
    double m_last = 100.0;
    std::vector<Range> m_history;
    std::optional<std::int64_t> m_cursor;
};

} // namespace lockstep::ui
