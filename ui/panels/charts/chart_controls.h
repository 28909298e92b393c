// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace lockstep::ui {

class PlotView;
class XRange;

/// The line above the charts: how they are smoothed and what their axes show.
/// Where room is short it does without words.
class ChartControls : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kMostSmoothing = 99; ///< hundredths

    /// The range of all charts and the one whose y axis can be logarithmic; both must outlive the
    /// line.
    ChartControls(XRange& range, PlotView& loss, QWidget* parent = nullptr);

    /// Weight in [0, 1).
    void showSmoothing(double weight);

    /// Without words.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void smoothingChosen(int hundredths);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void setWords(bool areShown);
    void makeSmoothing();
    void makeAxis();
    void fillAxis();
    void fitAxis();
    void makeLogarithm();
    void makePlaces();

    XRange& m_range;
    PlotView& m_loss;
    int m_wordsWidth = 0; ///< what words take
    bool m_hasWords = true;
    QLabel* m_smoothingLabel;
    QLabel* m_axisLabel;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingText = nullptr;
    QComboBox* m_axis = nullptr;
    QToolButton* m_logarithm = nullptr;
    QToolButton* m_fit = nullptr;
    QToolButton* m_follow = nullptr;
};

} // namespace lockstep::ui
