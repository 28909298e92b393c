// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/bars/quiet_table.h"

#include <functional>
#include <optional>

class QSortFilterProxyModel;

namespace lockstep::ui {

/// A table whose rows stand for examples (ExampleRole), of which a person chooses one after the
/// other, sorted at the headers. What is chosen stays so while rows come and go, and only a person
/// chooses.
class ExampleTable : public QuietTable
{
    Q_OBJECT

public:
    using QuietTable::QuietTable;

    /// Shows these, first sorted by `sortedColumn`, the greatest first. Cells of `warningColumn`
    /// stand out where they have WarningRole. For once, before anything else.
    void setOrder(QSortFilterProxyModel& model, int sortedColumn, int warningColumn);
    /// Changes rows: what is selected stays so, if it is there again.
    void change(const std::function<void()>& rows);
    /// The selected example; none without.
    [[nodiscard]] std::optional<qint64> selected() const;
    /// What is selected no more, since another image is shown.
    void deselect();

signals:
    /// A person wants to see this one.
    void chosen(qint64 example);

protected:
    void focusInEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void select(std::optional<qint64> example);

    bool m_isChanging = false; ///< what becomes current is no person's choice
    int m_rowAtPress = -1;     ///< which was current before the mouse button went down
};

} // namespace lockstep::ui
