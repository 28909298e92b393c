// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/configuration_difference_dialog.h"

#include "dialogs/library_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QTableWidget>

#include <algorithm>

namespace lockstep::ui {
namespace {

enum Column { Name, First, Second, ColumnCount };

constexpr int kMostValueWidth = 230;

QString shownValue(const SettingInWords& setting)
{
    return setting.text.isEmpty() ? ConfigurationDifferenceDialog::tr("–") : setting.text;
}

} // namespace

ConfigurationDifferenceDialog::ConfigurationDifferenceDialog(
    const ComparedRun& first, const ComparedRun& second, const std::vector<ComparedResult>& results,
    QWidget* parent)
    : QDialog(parent), m_heads{QString(), first.name, second.name}, m_table(new QTableWidget(this))
{
    setWindowTitle(tr("Compare Runs"));
    setObjectName(QStringLiteral("configuration_difference"));
    for (const ComparedResult& result : results) {
        m_rows.push_back(
            {{result.name, result.first, result.second}, result.name, true, result.better, true});
    }
    for (qsizetype i = 0; i < first.settings.size(); ++i) {
        const SettingInWords& left = first.settings[i];
        const SettingInWords& right = second.settings[i];
        m_rows.push_back(
            {{left.title, shownValue(left), shownValue(right)},
             left.toolTip,
             left.value != right.value});
    }
    m_table->setObjectName(QStringLiteral("difference_table"));
    m_table->setAccessibleName(tr("Results and settings of the two runs"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels(m_heads);
    setTableLook(*m_table, Name);
    for (const Column column : {First, Second}) {
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
    }
    const auto different = std::ranges::count_if(
        m_rows, [](const Row& row) { return row.isDifferent && !row.isResult; });
    auto* const heading = headingLabel(
        different == 0   ? tr("Both runs have the same configuration")
        : different == 1 ? tr("1 setting differs")
                         : tr("%1 settings differ").arg(different),
        m_table);
    auto* const all = new QCheckBox(tr("Show &all settings"));
    all->setObjectName(QStringLiteral("show_all"));
    connect(all, &QCheckBox::toggled, this, &ConfigurationDifferenceDialog::setAllShown);

    auto* const layout = columnIn(this, {16, 14, 16, 14}, 8, {heading, {m_table, 1}, all});
    addCloseButtons(
        *layout, tr("Copies the rows that are shown, as text"), [this] { return toPlainText(); });
    setAllShown(false);
    m_table->resizeColumnsToContents();
    for (const Column column : {First, Second}) {
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), kMostValueWidth));
    }
    resize(800, 460);
}

void ConfigurationDifferenceDialog::setAllShown(bool isAll)
{
    m_table->setRowCount(0);
    for (const auto& [cells, toolTip, isDifferent, better, isResult] : m_rows) {
        if (!isAll && !isDifferent) {
            continue;
        }
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        for (int column = 0; column < ColumnCount; ++column) {
            auto* const item = new QTableWidgetItem(cells[column]);
            item->setToolTip(column == Name ? toolTip : cells[column]);
            const bool isBold = isResult ? column > Name && column == better : isAll && isDifferent;
            if (isBold) {
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
    QString text = m_heads.join(QLatin1Char('\t'));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        for (const Column column : {Name, First, Second}) {
            text += QLatin1Char(column == Name ? '\n' : '\t') + m_table->item(row, column)->text();
        }
    }
    return text + QLatin1Char('\n');
}

} // namespace lockstep::ui
