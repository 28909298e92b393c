// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/image_score_model.h"
#include "panels/evaluation/example_table.h"

#include <vector>

class QComboBox;

namespace lockstep::ui {

/// The images of an evaluation, the most wrong ones first; all, or only those that a threshold
/// calls wrong in one way.
class ImageTable : public ExampleTable
{
    Q_OBJECT

public:
    explicit ImageTable(QWidget* parent = nullptr);

    /// What narrows the list; it may stand elsewhere.
    [[nodiscard]] QWidget& filters() const noexcept;
    /// The selected image stays so, if it is there again.
    void setRows(std::vector<ImageScoreRow> rows);
    void setThreshold(double threshold);

private:
    void makeFilter();
    void showCount();

    ImageScoreModel m_model;
    ImageFilterModel m_order;
    QComboBox* m_filter;
};

} // namespace lockstep::ui
