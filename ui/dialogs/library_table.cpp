// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/library_table.h"

#include "theme/icons.h"
#include "widgets/bars/quiet_table.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QPushButton>

namespace lockstep::ui {
namespace {

constexpr int kLeastColumn = 92;

} // namespace

LibraryTable::LibraryTable(const std::vector<LibraryVersion>& libraries, QWidget* parent)
    : QTableWidget(static_cast<int>(libraries.size()), ColumnCount, parent)
{
    setHorizontalHeaderLabels({tr("Library"), tr("Version"), tr("Used for"), tr("Licence")});
    setAccessibleName(tr("Libraries"));
    for (int row = 0; row < rowCount(); ++row) {
        const auto& [name, version, use, licence] = libraries[static_cast<std::size_t>(row)];
        int column = 0;
        for (const QString& text : {name, version, use, licence}) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(text);
            setItem(row, column++, item);
        }
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
    makeQuiet(table);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setAlternatingRowColors(true);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
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

} // namespace lockstep::ui
