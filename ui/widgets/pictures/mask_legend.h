// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// The colours of MaskView in words: what is marked, what is predicted, and the ramp of the
/// probabilities from 0 to 1.
class MaskLegend : public QWidget
{
    Q_OBJECT

public:
    explicit MaskLegend(QWidget* parent = nullptr);

    /// What MaskView::threshold() is.
    void setThreshold(double threshold);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Sample { Outline, Tint, Ramp };
    struct Entry
    {
        Sample sample;
        QString text;
    };
    [[nodiscard]] std::vector<Entry> entries() const;
    void paintSample(QPainter& painter, Sample sample, const QRectF& place) const;

    double m_threshold = 0.5;
};

} // namespace lockstep::ui
