// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/about_dialog.h"

#include "dialogs/library_table.h"
#include "theme/icons.h"
#include "theme/palette.h"
#include "widgets/forms/note_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace lockstep::ui {
namespace {

constexpr QSize kMark(56, 56);
constexpr double kNameSize = 1.7; // of the usual text

} // namespace

AboutDialog::AboutDialog(const std::vector<DeviceRow>& devices, QWidget* parent)
    : QDialog(parent), m_mark(new QLabel)
{
    setWindowTitle(tr("About Lockstep"));
    auto* libraries = new LibraryTable(libraryVersions(devices));
    setTableLook(*libraries, LibraryTable::Name);
    libraries->hideColumn(LibraryTable::Use);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 14);
    layout->setSpacing(10);
    layout->addLayout(makeHead());
    layout->addSpacing(4);
    layout->addWidget(selectableLabel(
        tr("This program is free software under the GNU General Public License, version 3 or "
           "later. Its engine and lockstep-train are under the Apache License 2.0 and can be used "
           "without the window. There is no warranty. The texts of both licences come with the "
           "source, in the folder LICENSES.")));
    layout->addSpacing(4);
    layout->addWidget(makeHeading(tr("Libraries"), libraries));
    layout->addWidget(libraries, 1);
    addCloseButtons(*layout);
    resize(520, 540);
    paintMark();
}

QLayout* AboutDialog::makeHead()
{
    auto* name = selectableLabel(tr("Lockstep %1").arg(programVersion()));
    QFont font = name->font();
    font.setPointSizeF(font.pointSizeF() * kNameSize);
    font.setWeight(QFont::DemiBold);
    name->setFont(font);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(name);
    words->addWidget(selectableLabel(
        tr("Trains one network in several towers, one update for all, and shows what happens.")));
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(m_mark, 0, Qt::AlignTop);
    head->addLayout(words, 1);
    return head;
}

void AboutDialog::paintMark()
{
    m_mark->setPixmap(
        iconPixmap(IconName::Towers, kMark, devicePixelRatioF(), themeColors(palette()).accent));
}

void AboutDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        paintMark();
    }
    QDialog::changeEvent(event);
}

} // namespace lockstep::ui
