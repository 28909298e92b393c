// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"
#include "panels/start/recordings.h"
#include "plots/axes/x_range.h"
#include "plots/parts/tower_highlight.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

class QBoxLayout;

namespace lockstep::ui {

class LossPlot;
class NoteLabel;

/// Plays a run that was recorded, of which two towers go wrong, as the window would show it: the
/// losses as they come, and who is found. Begins by itself once it has been painted, unless the
/// desktop wants no animations: then it shows the end. A click or the space bar holds it. While it
/// is hidden, held or at its end it costs nothing. GUI thread.
class Demonstration : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kLength{30'000};

    /// `fromChart`: how far the words stand from the chart, in pixels.
    explicit Demonstration(int fromChart, QWidget* parent = nullptr);

    /// The words stand beside the chart, or below it where they are as wide as all.
    void arrange(int width, int ofWords);

    /// Reads the recording, and begins. Done by the first paint.
    void load();
    /// Shows what comes in so much time of the playing.
    void advance(std::chrono::milliseconds time);
    /// Holds it, goes on, or begins anew after the end.
    void toggle();

    /// The last of its parts that the Tab key comes to.
    [[nodiscard]] QWidget& lastOfIt() const { return *m_own; }

    [[nodiscard]] bool isPlaying() const { return m_timer.isActive(); }
    [[nodiscard]] bool isAtEnd() const { return m_shown == m_steps.size(); }
    [[nodiscard]] std::size_t shownSteps() const noexcept { return m_shown; }

signals:
    /// A person wants to see it on a run of this computer.
    void ownRunWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void begin();
    void find(const Verdict& verdict);
    void showFindings();
    void follow();

    std::vector<StepRecord> m_steps;
    std::size_t m_shown = 0;
    std::chrono::milliseconds m_time{0}; ///< of the playing
    bool m_isWanted = true;              ///< it is not held
    QElapsedTimer m_sinceFrame;
    QTimer m_timer;

    std::optional<RunVerdicts> m_verdicts;
    std::vector<Verdict> m_found; ///< one of a kind, in the order in which it was
    std::unique_ptr<RunSeries> m_series;
    XRange m_range;
    TowerHighlight m_highlight;
    LossPlot* m_plot;
    QWidget* m_chart; ///< around the plot, which sees to its height itself
    QWidget* m_words;
    NoteLabel* m_question;
    std::vector<NoteLabel*> m_sentences;
    QPushButton* m_button;
    QPushButton* m_own;
    QBoxLayout* m_row;
};

} // namespace lockstep::ui
