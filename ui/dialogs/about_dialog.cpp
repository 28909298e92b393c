// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/about_dialog.h"

#include "engine/base.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QSysInfo>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr QSize kMark(56, 56);
constexpr double kNameSize = 1.7; // of the usual text
constexpr int kDeviceTableHeight = 108;

QString systemText()
{
    return QStringLiteral("%1, %2").arg(
        QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture());
}

QLayout* makeHead(const QWidget& dialog)
{
    auto* const name =
        selectableLabel(AboutDialog::tr("Lockstep %1").arg(QString::fromStdString(versionText())));
    QFont font = name->font();
    font.setPointSizeF(font.pointSizeF() * kNameSize);
    font.setWeight(QFont::DemiBold);
    name->setFont(font);
    auto* const purpose = selectableLabel(AboutDialog::tr(
        "Trains one network in several towers, one update for all, and shows what happens."));
    auto* const revision =
        selectableLabel(AboutDialog::tr("Revision %1").arg(QString::fromStdString(revisionText())));
    auto* const mark = new QLabel;
    mark->setPixmap(
        QIcon(QStringLiteral(":/icons/lockstep.svg")).pixmap(kMark, dialog.devicePixelRatioF()));
    return rowOf(
        {{mark, 0, Qt::AlignTop}, {filled(new QVBoxLayout, 2, {name, purpose, revision}), 1}}, 16);
}

/// What Copy puts on the clipboard.
QString reportOf(const DeviceModel& devices, const std::vector<LibraryVersion>& libraries)
{
    QStringList lines{QStringLiteral("Lockstep %1").arg(programVersion()), systemText()};
    for (int row = 0; row < devices.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < devices.columnCount(); ++column) {
            cells.append(devices.index(row, column).data().toString());
        }
        cells.removeAll(QString());
        lines.append(cells.join(QStringLiteral(" | ")));
    }
    for (const LibraryVersion& library : libraries) {
        lines.append(QStringLiteral("%1 %2").arg(library.name, library.version).trimmed());
    }
    lines.append(compilerVersion());
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace

AboutDialog::AboutDialog(const std::vector<DeviceRow>& devices, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("About Lockstep"));
    auto* const libraries = new LibraryTable(libraryVersions(devices));
    setTableLook(*libraries, LibraryTable::Name);
    libraries->hideColumn(LibraryTable::Use);
    auto* const licences = selectableLabel(
        tr("This program is free software under the GNU General Public License, version 3 or "
           "later. Its engine and lockstep-train are under the Apache License 2.0 and can be used "
           "without the window. There is no warranty. The texts of both licences come with the "
           "source, in the folder LICENSES."));
    addCloseButtons(*columnIn(
        this, {20, 18, 20, 14}, 10,
        {makeHead(*this),
         gap(4),
         licences,
         gap(4),
         headingLabel(tr("Libraries"), libraries),
         {libraries, 1}}));
    resize(520, 540);
}

DevicesDialog::DevicesDialog(std::vector<DeviceRow> devices, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Devices and Libraries"));
    const std::vector<LibraryVersion> libraries = libraryVersions(devices);
    m_devices.setRows(std::move(devices));
    auto* deviceTable = new QTableView;
    deviceTable->setModel(&m_devices);
    deviceTable->setAccessibleName(tr("Devices"));
    deviceTable->setToolTip(tr("Grey devices can't be used; the reason is beside them"));
    deviceTable->setMinimumHeight(kDeviceTableHeight);
    setTableLook(*deviceTable, DeviceModel::Description);
    auto* libraryTable = new LibraryTable(libraries);
    libraryTable->hideColumn(LibraryTable::Licence);
    auto* program = selectableLabel(tr("Lockstep %1, built with %2, on %3")
                                        .arg(programVersion(), compilerVersion(), systemText()));

    auto* const layout = columnIn(
        this, {16, 14, 16, 14}, 8,
        {headingLabel(tr("Devices"), deviceTable),
         {deviceTable, 1},
         gap(8),
         headingLabel(tr("Libraries"), libraryTable),
         {libraryTable, 3},
         program,
         gap(4)});
    addCloseButtons(*layout, tr("Copies all of this as text, for a report"), [this, libraries] {
        return reportOf(m_devices, libraries);
    });
    resize(860, 590);
}

} // namespace lockstep::ui
