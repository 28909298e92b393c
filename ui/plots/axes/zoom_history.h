// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include <map>
#include <optional>
#include <utility>
#include <vector>

class QObject;

namespace lockstep::ui {

/// What happens to the part of a run that the charts show when steps arrive.
enum class RangeMode {
    Fit,    ///< it grows with the run, in round steps, so that few frames change the axis
    Follow, ///< it keeps its width and moves with the newest step
    Fixed,  ///< it stays
};

/// What a person chose to see.
struct ZoomView
{
    RangeMode mode = RangeMode::Fit;
    double first = 0.0;
    double last = 0.0;
    /// Of the charts that show other values than fit: bottom and top.
    std::map<const QObject*, std::pair<double, double>> yRanges;

    bool operator==(const ZoomView&) const = default;
};

/// The views before and behind the one that is shown, as a browser has its pages. GUI thread.
class ZoomHistory
{
public:
    /// The view is about to be left for a new one; nothing lies ahead any more. Turns of a wheel
    /// that follow each other closely (`isGoingOn`) are one step back.
    void leave(const ZoomView& view, bool isGoingOn = false);
    /// The view to go to, which takes `now` to the other side; nothing where there is none.
    std::optional<ZoomView> back(const ZoomView& now);
    std::optional<ZoomView> forward(const ZoomView& now);
    void clear();

    [[nodiscard]] bool hasBack() const noexcept { return !m_back.empty(); }
    [[nodiscard]] bool hasForward() const noexcept { return !m_forward.empty(); }

private:
    std::vector<ZoomView> m_back;
    std::vector<ZoomView> m_forward;
    QElapsedTimer m_sinceTurn; // valid after a turn of the wheel only
};

} // namespace lockstep::ui
