// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace lockstep::ui {

/// A table to read: no grid, no frame, whole rows are selected, the tab key goes past it.
class QuietTable : public QTableView
{
    Q_OBJECT

public:
    /// `name` is the object's; `accessibleName` says what the table holds.
    QuietTable(const QString& name, const QString& accessibleName, QWidget* parent = nullptr);
};

} // namespace lockstep::ui
