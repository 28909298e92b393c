// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"

#include <QTableWidget>

#include <functional>
#include <vector>

class QBoxLayout;

namespace lockstep::ui {

/// A library that the program uses.
struct LibraryVersion
{
    QString name;
    QString version; ///< of what is loaded; for what is compiled in, of what it was built with
    QString use;     ///< what for, translated
    QString licence; ///< SPDX; empty where this program does not know it
};

/// Version of the program and the commit that it was built from: "0.1.0 (4c0ffee12345)".
QString programVersion();
/// "GCC 12.2.0".
QString compilerVersion();
/// Qt, what drives the devices that were found, and the rest.
std::vector<LibraryVersion> libraryVersions(const std::vector<DeviceRow>& devices);

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

} // namespace lockstep::ui
