// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/configuration_difference_dialog.h"

#include "dialogs/library_table.h"
#include "models/engine_text.h"
#include "widgets/forms/note_label.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {
namespace {

enum Column { Key, First, Second, Meaning, ColumnCount };

constexpr int kMostValueWidth = 260;

/// A value as people read it: without the quotes of TOML.
QString shownValue(QString value)
{
    if (value.size() >= 2 && value.startsWith(QLatin1Char('\''))) {
        value = value.mid(1, value.size() - 2);
    }
    return value.isEmpty() ? ConfigurationDifferenceDialog::tr("–") : value;
}

} // namespace

ConfigurationDifferenceDialog::ConfigurationDifferenceDialog(
    const NamedConfiguration& first, const NamedConfiguration& second, QWidget* parent)
    : QDialog(parent), m_heads{tr("Setting"), first.name, second.name, tr("Meaning")},
      m_table(new QTableWidget(this))
{
    setWindowTitle(tr("Compare Configurations"));
    setObjectName(QStringLiteral("configuration_difference"));
    const std::vector<ConfigKey> firstKeys = configKeys(first.config);
    const std::vector<ConfigKey> secondKeys = configKeys(second.config);
    for (std::size_t i = 0; i < firstKeys.size(); ++i) {
        const auto& [name, value, meaning] = firstKeys[i];
        m_rows.push_back(
            {{QString::fromStdString(name), shownValue(QString::fromStdString(value)),
              shownValue(QString::fromStdString(secondKeys[i].value)), engineText(meaning)},
             value != secondKeys[i].value});
    }
    m_table->setObjectName(QStringLiteral("difference_table"));
    m_table->setAccessibleName(tr("Settings of the two runs"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels(m_heads);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTableLook(*m_table, Meaning);
    for (const Column column : {Key, First, Second}) {
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
    }
    const auto different = std::ranges::count(m_rows, true, &Row::isDifferent);
    auto* const heading = headingLabel(
        different == 0   ? tr("Both runs have the same configuration")
        : different == 1 ? tr("1 setting differs")
                         : tr("%1 settings differ").arg(different),
        m_table);
    auto* const all = new QCheckBox(tr("Show &all settings"));
    all->setObjectName(QStringLiteral("show_all"));
    connect(all, &QCheckBox::toggled, this, &ConfigurationDifferenceDialog::setAllShown);

    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(heading);
    layout->addWidget(m_table, 1);
    layout->addWidget(all);
    addCloseButtons(
        *layout, tr("Copies the rows that are shown, as text"), [this] { return toPlainText(); });
    setAllShown(false);
    m_table->resizeColumnsToContents();
    for (const Column column : {First, Second}) {
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), kMostValueWidth));
    }
    resize(900, 420);
}

void ConfigurationDifferenceDialog::setAllShown(bool isAll)
{
    m_table->setRowCount(0);
    for (const auto& [cells, isDifferent] : m_rows) {
        if (!isAll && !isDifferent) {
            continue;
        }
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        for (int column = 0; column < ColumnCount; ++column) {
            auto* const item = new QTableWidgetItem(cells[column]);
            item->setToolTip(cells[column]);
            if (isAll && isDifferent && column != Meaning) {
                QFont font = m_table->font();
                font.setWeight(QFont::DemiBold);
                item->setFont(font);
            }
            m_table->setItem(row, column, item);
        }
    }
}

QString ConfigurationDifferenceDialog::toPlainText() const
{
    QString text = QStringList(m_heads.mid(0, Meaning)).join(QLatin1Char('\t'));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        for (const Column column : {Key, First, Second}) {
            text += QLatin1Char(column == Key ? '\n' : '\t') + m_table->item(row, column)->text();
        }
    }
    return text + QLatin1Char('\n');
}

} // namespace lockstep::ui
