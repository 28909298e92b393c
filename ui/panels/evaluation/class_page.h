// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/evaluation/evaluation_page.h"

namespace lockstep::ui {

class ClassTable;
class ConfusionPanel;

/// An evaluation of a network that classifies: its images, the most wrong ones first, and what is
/// taken for what. A cell of the matrix that is chosen narrows the table to its images.
class ClassPage : public EvaluationPage
{
    Q_OBJECT

public:
    explicit ClassPage(QWidget* parent = nullptr);

    void clear() override;
    void setPicture(const EvaluationPicture& picture, const QString& text) override;
    void deselect() override;
    [[nodiscard]] QWidget& filters() override;

private:
    ClassTable* m_table;
    ConfusionPanel* m_confusion;
};

} // namespace lockstep::ui
