// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/configuration_difference_dialog.h"

#include "dialogs/library_table.h"
#include "models/engine_text.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {
namespace {

enum Column { Key, First, Second, Meaning, ColumnCount };

constexpr int kMostValueWidth = 260;

/// All keys, in the order of the file.
std::vector<ComparedKey> compareConfigurations(const RunConfig& first, const RunConfig& second)
{
    const std::vector<ConfigKey> firstKeys = configKeys(first);
    const std::vector<ConfigKey> secondKeys = configKeys(second);
    std::vector<ComparedKey> keys;
    for (std::size_t i = 0; i < firstKeys.size(); ++i) {
        keys.push_back(
            {QString::fromStdString(firstKeys[i].name), QString::fromStdString(firstKeys[i].value),
             QString::fromStdString(secondKeys[i].value), engineText(firstKeys[i].meaning)});
    }
    return keys;
}

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
    : QDialog(parent), m_firstName(first.name), m_secondName(second.name),
      m_keys(compareConfigurations(first.config, second.config)), m_table(new QTableWidget(this))
{
    setWindowTitle(tr("Compare Configurations"));
    setObjectName(QStringLiteral("configuration_difference"));
    makeTable();
    const auto different = std::count_if(
        m_keys.begin(), m_keys.end(), [](const ComparedKey& key) { return key.isDifferent(); });
    auto* const heading = makeHeading(
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

void ConfigurationDifferenceDialog::makeTable()
{
    m_table->setObjectName(QStringLiteral("difference_table"));
    m_table->setAccessibleName(tr("Settings of the two runs"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels({tr("Setting"), m_firstName, m_secondName, tr("Meaning")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTableLook(*m_table, Meaning);
    for (const Column column : {Key, First, Second}) {
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
    }
}

void ConfigurationDifferenceDialog::setAllShown(bool isAll)
{
    m_table->setRowCount(0);
    for (const ComparedKey& key : m_keys) {
        if (!isAll && !key.isDifferent()) {
            continue;
        }
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        const QStringList cells{
            key.key, shownValue(key.first), shownValue(key.second), key.meaning};
        for (int column = 0; column < ColumnCount; ++column) {
            auto* const item = new QTableWidgetItem(cells[column]);
            item->setToolTip(cells[column]);
            if (isAll && key.isDifferent() && column != Meaning) {
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
    QStringList lines{QStringLiteral("%1\t%2\t%3").arg(tr("Setting"), m_firstName, m_secondName)};
    for (int row = 0; row < m_table->rowCount(); ++row) {
        lines.append(QStringLiteral("%1\t%2\t%3")
                         .arg(
                             m_table->item(row, Key)->text(), m_table->item(row, First)->text(),
                             m_table->item(row, Second)->text()));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace lockstep::ui
