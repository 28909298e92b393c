// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/library_table.h"

#include "theme/icons.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

#include <array>

namespace lockstep::ui {
namespace {

constexpr int kLeastColumn = 92;

} // namespace

LibraryTable::LibraryTable(const std::vector<LibraryVersion>& libraries, QWidget* parent)
    : QTableWidget(static_cast<int>(libraries.size()), ColumnCount, parent)
{
    setHorizontalHeaderLabels({tr("Library"), tr("Version"), tr("Used for"), tr("Licence")});
    setAccessibleName(tr("Libraries"));
    int row = 0;
    for (const LibraryVersion& library : libraries) {
        const std::array<QString, ColumnCount> texts{
            library.name, library.version, library.use, library.licence};
        for (int column = 0; column < ColumnCount; ++column) {
            const QString& text = texts[static_cast<std::size_t>(column)];
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(text);
            setItem(row, column, item);
        }
        ++row;
    }
    setTableLook(*this, Use);
}

QSize LibraryTable::sizeHint() const
{
    const int rows = verticalHeader()->length() + horizontalHeader()->sizeHint().height();
    return {QTableWidget::sizeHint().width(), rows + 2 * frameWidth()};
}

void setTableLook(QTableView& table, int stretchedColumn)
{
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setTabKeyNavigation(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setMinimumSectionSize(kLeastColumn);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.horizontalHeader()->setSectionResizeMode(stretchedColumn, QHeaderView::Stretch);
}

void addCloseButtons(
    QBoxLayout& layout, const QString& copyToolTip, const std::function<QString()>& textToCopy)
{
    auto* const dialog = qobject_cast<QDialog*>(layout.parentWidget());
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    if (textToCopy) {
        QPushButton* const copy =
            buttons->addButton(LibraryTable::tr("&Copy"), QDialogButtonBox::ActionRole);
        copy->setIcon(icon(IconName::Copy));
        copy->setToolTip(copyToolTip);
        copy->setObjectName(QStringLiteral("copy"));
        QObject::connect(copy, &QPushButton::clicked, dialog, [textToCopy] {
            QGuiApplication::clipboard()->setText(textToCopy());
        });
    }
    layout.addWidget(buttons);
    buttons->button(QDialogButtonBox::Close)->setFocus();
}

QLabel* makeHeading(const QString& text, QWidget* buddy)
{
    auto* heading = new QLabel(text);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    heading->setBuddy(buddy);
    return heading;
}

} // namespace lockstep::ui
