// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTableView>

namespace lockstep::ui {

/// For a table to read: no grid, no frame, whole rows are selected, the tab key goes past it.
inline void makeQuiet(QTableView& table)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.horizontalHeader()->setHighlightSections(false);
}

/// Such a table, of one line a row.
class QuietTable : public QTableView
{
public:
    /// `name` is the object's; `accessibleName` says what the table holds.
    QuietTable(const QString& name, const QString& accessibleName, QWidget* parent = nullptr)
        : QTableView(parent)
    {
        setObjectName(name);
        setAccessibleName(accessibleName);
        setMinimumHeight(48); // two rows
        setWordWrap(false);
        setHorizontalScrollMode(ScrollPerPixel);
        makeQuiet(*this);
    }
};

} // namespace lockstep::ui
