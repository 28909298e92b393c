// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"

#include <QWidget>

namespace lockstep::ui {

class DetectionChart;
class ImageTable;

/// An evaluation of a network that detects: its images, the most wrong ones first, and precision
/// and recall at all thresholds.
class DetectionPage : public QWidget
{
    Q_OBJECT

public:
    explicit DetectionPage(QWidget* parent = nullptr);

    /// `text` stands where there is no curve.
    void setPicture(const EvaluationPicture& picture, const QString& text);
    /// Takes what chooses the evaluation above its table.
    void addChoices(QWidget* choices);
    /// No image of the table is shown any more.
    void deselect();

signals:
    /// A person wants to see this image of the test set.
    void exampleWanted(qint64 example);

private:
    ImageTable* m_table;
    DetectionChart* m_chart;
};

} // namespace lockstep::ui
