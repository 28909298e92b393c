// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/example_table.h"

#include "models/table_model.h"
#include "panels/shared/warning_delegate.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>

namespace lockstep::ui {

void ExampleTable::setOrder(QSortFilterProxyModel& model, int sortedColumn, int warningColumn)
{
    setModel(&model);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAlternatingRowColors(true);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* const header = horizontalHeader();
    header->setResizeContentsPrecision(0); // a test set may have thousands
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSortIndicator(sortedColumn, Qt::DescendingOrder);
    setSortingEnabled(true);
    setItemDelegateForColumn(warningColumn, new WarningDelegate(this));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ExampleTable::choose);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.row() == m_rowAtPress) { // once more; another row was chosen at the press
            choose(index);
        }
    });
}

/// Silences the choice meanwhile: Qt makes another row current when the current one is removed.
void ExampleTable::change(const std::function<void()>& rows)
{
    const auto kept = selected();
    m_isChanging = true;
    rows();
    m_isChanging = false;
    select(kept);
}

std::optional<qint64> ExampleTable::selected() const
{
    if (!currentIndex().isValid() || !selectionModel()->hasSelection()) {
        return std::nullopt;
    }
    return currentIndex().data(ExampleRole).toLongLong();
}

void ExampleTable::deselect()
{
    const QSignalBlocker blocker(selectionModel());
    selectionModel()->clear();
    viewport()->update();
}

/// Qt makes the first row current when the keyboard comes: nobody chose it. The first key that
/// moves does.
void ExampleTable::focusInEvent(QFocusEvent* event)
{
    const bool hadCurrent = currentIndex().isValid();
    m_isChanging = true;
    QuietTable::focusInEvent(event);
    m_isChanging = false;
    if (!hadCurrent) {
        deselect();
    }
}

void ExampleTable::mousePressEvent(QMouseEvent* event)
{
    m_rowAtPress = currentIndex().row();
    QuietTable::mousePressEvent(event);
}

void ExampleTable::choose(const QModelIndex& index)
{
    if (index.isValid() && !m_isChanging) {
        emit chosen(index.data(ExampleRole).toLongLong());
    }
}

/// Nothing where the image is not listed.
void ExampleTable::select(std::optional<qint64> example)
{
    int row = 0;
    const int rows = example ? model()->rowCount() : 0;
    while (row < rows && model()->index(row, 0).data(ExampleRole).toLongLong() != *example) {
        ++row;
    }
    if (row == rows) {
        deselect();
        return;
    }
    const QSignalBlocker blocker(selectionModel());
    selectionModel()->setCurrentIndex(
        model()->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

} // namespace lockstep::ui
