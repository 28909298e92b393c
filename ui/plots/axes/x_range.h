// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"
#include "plots/axes/axis_transform.h"
#include "plots/axes/zoom_history.h"

#include <QObject>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// The x axis that all charts share: what it counts, which part of the run is shown, and at which
/// row the cross-hair stands. Zooming one chart moves them all. It also keeps which values each
/// chart shows, so that one history goes back and forward through all that a person zoomed. Lives
/// in the GUI thread.
class XRange : public QObject
{
    Q_OBJECT

public:
    using Mode = RangeMode;
    using YRange = std::pair<double, double>;

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
    /// Begins at the first position above 0, which has a place on it.
    [[nodiscard]] bool isLogarithmic() const noexcept { return m_transform.isLogarithmic; }
    void setLogarithmic(bool isLogarithmic);

    /// Whether outliers may lie off scale in all charts, see robustExtent().
    [[nodiscard]] bool isRobust() const noexcept { return m_isRobust; }
    void setRobust(bool isRobust);

    [[nodiscard]] Mode mode() const noexcept { return m_mode; }
    [[nodiscard]] double first() const noexcept { return m_first; }
    [[nodiscard]] double last() const noexcept { return m_last; }

    /// The values that the chart shows; nothing: what its visible rows need.
    [[nodiscard]] std::optional<YRange> yRange(const QObject& chart) const;

    /// The whole run, now and as it grows, and all values in each chart.
    void fit();
    void follow();
    /// Exactly this part.
    void zoomTo(double first, double last);
    /// Exactly this part, and these values in one chart.
    void zoomTo(double first, double last, const QObject& chart, YRange values);
    /// These values in one chart.
    void zoomValues(const QObject& chart, YRange values, bool isGoingOn = false);
    /// Shows `factor` times as much (below 1: less), keeping what is at `anchor` where it is.
    void zoom(double factor, double anchor);
    /// Moves by this share of the width.
    void pan(double share);

    /// What was shown before the latest change by a person, and again behind it.
    void back();
    void forward();
    [[nodiscard]] bool canGoBack() const noexcept { return m_history.hasBack(); }
    [[nodiscard]] bool canGoForward() const noexcept { return m_history.hasForward(); }

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
    /// The chart at which a person reads the cross-hair, which has the card of values; nullptr:
    /// none since the cross-hair went away last.
    [[nodiscard]] const QObject* reader() const noexcept { return m_reader; }
    void setReader(const QObject* chart);

signals:
    void rangeChanged();
    void cursorChanged();
    void axisChanged();
    void modeChanged();
    void robustChanged();
    /// Whether there is something to go back or forward to.
    void historyChanged();

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
    [[nodiscard]] double leastPositive() const;
    [[nodiscard]] ZoomView view() const { return {m_mode, m_first, m_last, m_yRanges}; }
    void leaveView(bool isGoingOn = false);
    void show(const ZoomView& view);
    void setMode(Mode mode);
    void setRange(Range range);
    void applyFixed(Range range);

    const Timeline* m_timeline = nullptr;
    std::vector<const Timeline*> m_others;
    XAxis m_axis = XAxis::Step;
    Mode m_mode = Mode::Fit;
    double m_first = 0.0;
    double m_last = 100.0;
    AxisTransform m_transform;
    bool m_isRobust = true;
    std::map<const QObject*, YRange> m_yRanges;
    ZoomHistory m_history;
    std::optional<std::int64_t> m_cursor;
    const QObject* m_reader = nullptr;
};

} // namespace lockstep::ui
