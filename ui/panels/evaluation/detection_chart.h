// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"
#include "engine/records.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QSlider;

namespace lockstep::ui {

class NoteLabel;
class PrecisionRecallPlot;

/// Precision and recall of an evaluation at all thresholds, and what one of them, which a slider
/// sets, makes of the images. It begins at the best F1.
class DetectionChart : public QWidget
{
    Q_OBJECT

public:
    explicit DetectionChart(QWidget* parent = nullptr);

    /// A threshold that a person chose stays, or is stood for by the closest score that there is.
    /// `emptyText` stands where there is no curve.
    void setPicture(const EvaluationPicture& picture, const QString& emptyText = {});

signals:
    void thresholdChanged(double threshold);

private:
    [[nodiscard]] std::size_t numberOf(double threshold) const;
    void choose(std::size_t number);
    void show(std::size_t number);

    std::vector<PrecisionRecallPoint> m_curve;
    std::int64_t m_images = 0;
    /// The threshold that a person chose, which an evaluation may not have; none without.
    std::optional<double> m_wanted;

    PrecisionRecallPlot* m_plot;
    QSlider* m_slider;
    QLabel* m_value;
    NoteLabel* m_counts;
    NoteLabel* m_definition;
};

} // namespace lockstep::ui
