// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/library_versions.h"

#include <QTableWidget>

#include <functional>

class QBoxLayout;
class QLabel;

namespace lockstep::ui {

/// The libraries with their versions, read only.
class LibraryTable : public QTableWidget
{
    Q_OBJECT

public:
    enum Column { Name, Version, Use, Licence, ColumnCount };

    explicit LibraryTable(const std::vector<LibraryVersion>& libraries, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
};

/// What the tables of these dialogs have in common: whole rows, no grid, one column that takes
/// the room that is left.
void setTableLook(QTableView& table, int stretchedColumn);
/// Buttons below all else: one that closes the dialog of the layout, and has the focus; where there
/// is something to copy, one that copies it as text.
void addCloseButtons(
    QBoxLayout& layout, const QString& copyToolTip = {},
    const std::function<QString()>& textToCopy = {});
/// The heading of a part of a dialog, naming what follows for screen readers.
QLabel* makeHeading(const QString& text, QWidget* buddy);

} // namespace lockstep::ui
