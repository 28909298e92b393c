// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/image_filter_model.h"
#include "models/image_score_model.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QTableView;

namespace lockstep::ui {

/// The images of an evaluation, the most wrong ones first; all, or only those that a threshold
/// calls wrong in one way.
class ImageTable : public QWidget
{
    Q_OBJECT

public:
    explicit ImageTable(QWidget* parent = nullptr);

    /// A choice of what is listed, before the table's own.
    void addChoice(QComboBox* choice);
    /// The selected image stays so, if it is there again.
    void setRows(std::vector<ImageScoreRow> rows);
    void setThreshold(double threshold);
    [[nodiscard]] const ImageScoreModel& model() const noexcept { return m_model; }
    /// Number of the selected image in the test set; none without.
    [[nodiscard]] std::optional<qint64> selected() const;
    /// What is selected no more, since another image is shown.
    void clearSelection();

signals:
    /// A person wants to see this one.
    void chosen(qint64 example);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeTable();
    void makeFilter();
    void choose(const QModelIndex& index);
    void select(std::optional<qint64> example);
    void keepSelected(const std::function<void()>& change);
    void showCount();

    ImageScoreModel m_model;
    ImageFilterModel m_order;
    QTableView* m_table;
    QComboBox* m_filter;
    QHBoxLayout* m_choices;
    bool m_isChanging = false; ///< what becomes current is no person's choice
    int m_rowAtPress = -1;     ///< which was current before the mouse button went down
};

} // namespace lockstep::ui
