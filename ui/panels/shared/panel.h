// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <array>
#include <chrono>

namespace lockstep::ui {

/// What a dock of the window shows. GUI thread.
class Panel : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Whether a person can see it: its dock is open and not behind the tab of another. What
    /// nobody sees needn't be read or made.
    [[nodiscard]] bool isInSight() const noexcept { return m_isInSight; }
    void setInSight(bool isInSight)
    {
        m_isInSight = isInSight;
        inSightChanged();
    }

protected:
    virtual void inSightChanged() {}

private:
    bool m_isInSight = false;
};

/// Says when what shows a run is to be renewed while new figures keep coming. All timers of one
/// interval are due at the same moments of one clock: the window wakes once for all of them, since
/// each time it does it takes a processor from a tower. GUI thread.
class RefreshTimer : public QObject
{
    Q_OBJECT

public:
    /// For figures: those that change faster can't be read, and slower ones are not live.
    static constexpr std::chrono::milliseconds kOfFigures{480};

    explicit RefreshTimer(QObject* parent = nullptr) : QObject(parent)
    {
        m_timer.setSingleShot(true);
        m_timer.setTimerType(Qt::PreciseTimer); // a coarse one would miss the moment of the others
        connect(&m_timer, &QTimer::timeout, this, &RefreshTimer::due);
    }

    /// There is something new: due() follows at the next moment, once for all requests until then.
    void request(std::chrono::milliseconds interval = kOfFigures)
    {
        using namespace std::chrono;
        if (!m_timer.isActive()) {
            const auto now = duration_cast<milliseconds>(steady_clock::now().time_since_epoch());
            m_timer.start(interval - now % interval);
        }
    }

    /// What was requested is shown already.
    void cancel() { m_timer.stop(); }

signals:
    void due();

private:
    QTimer m_timer;
};

/// How long what shows a run rests between two repaints, so that they stay a small share of the
/// processors, which the towers may need, and still come at least twice a second.
class RepaintPace
{
public:
    explicit RepaintPace(int processors) : m_processors(std::max(1, processors)) {}

    /// After a repaint that took so long.
    void note(std::chrono::nanoseconds cost)
    {
        // One slow one, as after a resize, does not count much.
        m_cost = m_cost.count() == 0 ? cost : (3 * m_cost + cost) / 4;
    }

    [[nodiscard]] std::chrono::milliseconds interval() const
    {
        using namespace std::chrono;
        const auto wanted = duration<double>(m_cost) / (kShare * m_processors);
        // Each is a multiple of the shorter ones, so that they fall on the same moments.
        const auto longer = std::ranges::find_if(
            kIntervals, [&](milliseconds interval) { return interval >= wanted; });
        return longer == kIntervals.end() ? kIntervals.back() : *longer;
    }

private:
    /// Of each processor. The whole window may take five times that, but towers that wait for each
    /// other are all held up where one of them is.
    static constexpr double kShare = 0.004;
    static constexpr std::array<std::chrono::milliseconds, 4> kIntervals{
        std::chrono::milliseconds(60), std::chrono::milliseconds(120),
        std::chrono::milliseconds(240), std::chrono::milliseconds(480)};

    int m_processors;
    std::chrono::nanoseconds m_cost{0};
};

} // namespace lockstep::ui
