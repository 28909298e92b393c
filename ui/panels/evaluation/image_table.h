// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/image_score_model.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;

namespace lockstep::ui {

class ExampleTable;

/// The images of an evaluation, the most wrong ones first; all, or only those that a threshold
/// calls wrong in one way.
class ImageTable : public QWidget
{
    Q_OBJECT

public:
    explicit ImageTable(QWidget* parent = nullptr);

    /// Choices of what is listed, before the table's own.
    void addChoices(QWidget* choices);
    /// The selected image stays so, if it is there again.
    void setRows(std::vector<ImageScoreRow> rows);
    void setThreshold(double threshold);
    [[nodiscard]] const ImageScoreModel& model() const noexcept { return m_model; }
    [[nodiscard]] ExampleTable& table() const noexcept { return *m_table; }

signals:
    /// A person wants to see this one.
    void chosen(qint64 example);

private:
    void makeFilter();
    void showCount();

    ImageScoreModel m_model;
    ImageFilterModel m_order;
    ExampleTable* m_table;
    QComboBox* m_filter;
    QHBoxLayout* m_choices;
};

} // namespace lockstep::ui
