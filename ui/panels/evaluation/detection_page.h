// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/evaluation/evaluation_page.h"

namespace lockstep::ui {

class DetectionChart;
class ImageTable;

/// An evaluation of a network that detects: its images, the most wrong ones first, and precision
/// and recall at all thresholds.
class DetectionPage : public EvaluationPage
{
    Q_OBJECT

public:
    explicit DetectionPage(QWidget* parent = nullptr);

    void setPicture(const EvaluationPicture& picture, const QString& text) override;
    void deselect() override;
    [[nodiscard]] QWidget& filters() override;

private:
    ImageTable* m_table;
    DetectionChart* m_chart;
};

} // namespace lockstep::ui
