// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"
#include "plots/axes/plot_scale.h"

#include <QElapsedTimer>
#include <QObject>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

class XRange;

/// At which step the cross-hair of all charts stands, and in which of them a person reads it. Lives
/// in the GUI thread.
class CrossHair : public QObject
{
    Q_OBJECT

public:
    /// The range must outlive it.
    explicit CrossHair(const XRange& range) : m_range(range) {}

    /// The row of the range's timeline.
    [[nodiscard]] std::optional<std::int64_t> row() const noexcept { return m_row; }
    /// When that row happened.
    [[nodiscard]] std::optional<Moment> moment() const;
    void setRow(std::optional<std::int64_t> row);
    /// Puts it at the row that is closest to a place on the axis.
    void setAt(double position);
    /// By rows; from nowhere to the newest row.
    void move(std::int64_t rows);
    /// The chart at which a person reads it, which has the card of values; nullptr: none since it
    /// went away last.
    [[nodiscard]] const QObject* reader() const noexcept { return m_reader; }
    void setReader(const QObject* chart);

signals:
    void changed();

private:
    const XRange& m_range;
    std::optional<std::int64_t> m_row;
    const QObject* m_reader = nullptr;
};

/// The x axis that all charts share: what it counts, and which part of the run is shown. Zooming
/// one chart moves them all. It also keeps which values each chart shows, so that one history goes
/// back and forward through all that a person zoomed. Lives in the GUI thread.
class XRange : public QObject
{
    Q_OBJECT

public:
    /// What happens to the part of a run that the charts show when steps arrive.
    enum class Mode {
        Fit,    ///< it grows with the run, in round steps, so that few frames change the axis
        Follow, ///< it keeps its width and moves with the newest step
        Fixed,  ///< it stays
    };
    using YRange = std::pair<double, double>;

    using QObject::QObject;

    /// The run whose rows the range is about; it must outlive the range or be taken back with
    /// nullptr.
    void setTimeline(const Timeline* timeline);
    /// Other runs, which a fitted range shows, too; they must stay until others are set.
    void setOthers(std::vector<const Timeline*> timelines);
    /// Knows no run any more, and tells nobody: for the end, when they may be gone.
    void forget();
    /// To be called when rows were appended.
    void dataChanged();
    /// Of the run; of another one while there is none; nullptr without any row.
    [[nodiscard]] const Timeline* timeline() const;
    /// Where the cross-hair of all charts stands.
    [[nodiscard]] CrossHair& crossHair() noexcept { return m_crossHair; }

    [[nodiscard]] XAxis axis() const noexcept { return m_axis; }
    /// Shows the same rows on another axis. One that they have no places on gives way to steps.
    void setAxis(XAxis axis);
    /// Begins at the first position above 0, which has a place on it.
    [[nodiscard]] bool isLogarithmic() const noexcept { return m_transform.isLogarithmic; }
    void setLogarithmic(bool isLogarithmic);

    /// Whether outliers may lie off scale in all charts, see robustExtent().
    [[nodiscard]] bool isRobust() const noexcept { return m_isRobust; }
    void setRobust(bool isRobust);

    [[nodiscard]] Mode mode() const noexcept { return m_view.mode; }
    [[nodiscard]] double first() const noexcept { return m_view.first; }
    [[nodiscard]] double last() const noexcept { return m_view.last; }

    /// The values that the chart shows; nothing: what its visible rows need.
    [[nodiscard]] std::optional<YRange> yRange(const QObject& chart) const;

    /// The whole run, now and as it grows, and all values in each chart.
    void fit();
    void follow();
    /// Exactly this part, and these values in one chart, if any.
    void zoomTo(double first, double last, const QObject* chart = nullptr, YRange values = {});
    /// These values in one chart.
    void zoomValues(const QObject& chart, YRange values, bool isGoingOn = false);
    /// Shows `factor` times as much (below 1: less), keeping what is at `anchor` where it is.
    void zoom(double factor, double anchor);
    /// Moves by this share of the width.
    void pan(double share);

    /// What was shown before the latest change by a person, and again behind it, as a browser has
    /// its pages.
    enum class Turn { Back, Forward };
    void turn(Turn turn) { turn == Turn::Back ? go(m_back, m_forward) : go(m_forward, m_back); }
    [[nodiscard]] bool canTurn(Turn turn) const noexcept
    {
        return !(turn == Turn::Back ? m_back : m_forward).empty();
    }

signals:
    void rangeChanged();
    void axisChanged();
    /// axesOf() it are others.
    void axesChanged();
    void modeChanged();
    void robustChanged();
    /// canTurn() may say something else.
    void historyChanged();

private:
    struct Range
    {
        double first;
        double last;
    };
    /// What a person chose to see.
    struct View
    {
        Mode mode = Mode::Fit;
        double first = 0.0;
        double last = 100.0;
        /// Of the charts that show other values than fit: bottom and top.
        std::map<const QObject*, YRange> yRanges;
    };

    [[nodiscard]] bool isEmpty() const { return timeline() == nullptr; }
    [[nodiscard]] std::vector<const Timeline*> shownTimelines() const;
    [[nodiscard]] Range wholeRange() const;
    [[nodiscard]] double leastWidth() const;
    [[nodiscard]] double leastPositive() const;
    void findAxes();
    void leaveView(bool isGoingOn = false);
    void go(std::vector<View>& from, std::vector<View>& to);
    void forgetViews();
    void show(const View& view);
    void setMode(Mode mode);
    void setRange(Range range);
    void applyFixed(Range range);

    const Timeline* m_timeline = nullptr;
    std::vector<const Timeline*> m_others;
    XAxis m_axis = XAxis::Step;
    std::vector<XAxis> m_axes{kXAxes.begin(), kXAxes.end()};
    View m_view;
    AxisTransform m_transform;
    bool m_isRobust = true;
    std::vector<View> m_back;
    std::vector<View> m_forward;
    QElapsedTimer m_sinceTurn; ///< valid after a turn of the wheel only
    CrossHair m_crossHair{*this};
};

/// Those on which the run that is shown has places; all while there is none.
[[nodiscard]] std::vector<XAxis> axesOf(const XRange& range);

/// Where the state after so many updates stands on the axis.
[[nodiscard]] double positionAfter(const XRange& range, std::int64_t updates);

} // namespace lockstep::ui
