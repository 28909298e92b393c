// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/devices_dialog.h"

#include "dialogs/library_table.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QLabel>
#include <QSysInfo>
#include <QVBoxLayout>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kDeviceTableHeight = 108;

QString systemText()
{
    return QStringLiteral("%1, %2").arg(
        QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture());
}

} // namespace

DevicesDialog::DevicesDialog(std::vector<DeviceRow> devices, QWidget* parent)
    : QDialog(parent), m_libraries(libraryVersions(devices))
{
    setWindowTitle(tr("Devices and Libraries"));
    m_devices.setRows(std::move(devices));
    auto* deviceTable = makeDeviceTable();
    auto* libraryTable = new LibraryTable(m_libraries);
    libraryTable->hideColumn(LibraryTable::Licence);
    auto* program = selectableLabel(tr("Lockstep %1, built with %2, on %3")
                                        .arg(programVersion(), compilerVersion(), systemText()));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(makeHeading(tr("Devices"), deviceTable));
    layout->addWidget(deviceTable, 1);
    layout->addSpacing(8);
    layout->addWidget(makeHeading(tr("Libraries"), libraryTable));
    layout->addWidget(libraryTable, 3);
    layout->addWidget(program);
    layout->addSpacing(4);
    addCloseButtons(
        *layout, tr("Copies all of this as text, for a report"), [this] { return toPlainText(); });
    resize(860, 590);
}

QTableView* DevicesDialog::makeDeviceTable()
{
    auto* table = new QTableView;
    table->setModel(&m_devices);
    table->setAccessibleName(tr("Devices"));
    table->setToolTip(tr("Grey devices can't be used; the reason is beside them"));
    table->setMinimumHeight(kDeviceTableHeight);
    setTableLook(*table, DeviceModel::Description);
    return table;
}

QString DevicesDialog::toPlainText() const
{
    QStringList lines{QStringLiteral("Lockstep %1").arg(programVersion()), systemText()};
    for (int row = 0; row < m_devices.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < m_devices.columnCount(); ++column) {
            const QString text = m_devices.index(row, column).data().toString();
            if (!text.isEmpty()) {
                cells.append(text);
            }
        }
        lines.append(cells.join(QStringLiteral(" | ")));
    }
    for (const LibraryVersion& library : m_libraries) {
        lines.append(QStringLiteral("%1 %2").arg(library.name, library.version).trimmed());
    }
    lines.append(compilerVersion());
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace lockstep::ui
