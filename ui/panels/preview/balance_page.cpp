// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/balance_page.h"

#include "panels/preview/balance_text.h"
#include "panels/shared/class_bar_delegate.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kNameWidth = 180;
constexpr int kFewRows = 100; ///< by which the widths of columns are measured

} // namespace

BalancePage::BalancePage(QWidget* parent)
    : QWidget(parent), m_table(new QuietTable(
                           QStringLiteral("preview_classes"), tr("Examples of each class"), this)),
      m_words(new NoteLabel(NoteLabel::Tone::Plain, this))
{
    m_words->setObjectName(QStringLiteral("preview_balance"));
    makeTable();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 2, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
}

void BalancePage::makeTable()
{
    m_order.setSourceModel(&m_model);
    m_order.setSortRole(ValueRole);
    m_order.setSortLocaleAware(true);
    m_table->setModel(&m_order);
    auto* const bars = new ClassBarDelegate(m_table);
    m_table->setItemDelegateForColumn(ClassBalanceModel::Train, bars);
    m_table->setItemDelegateForColumn(ClassBalanceModel::Test, bars);
    m_table->setAlternatingRowColors(true);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setResizeContentsPrecision(kFewRows);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(ClassBalanceModel::Name, QHeaderView::Interactive);
    header->resizeSection(ClassBalanceModel::Name, kNameWidth);
    for (const int column : {ClassBalanceModel::Train, ClassBalanceModel::Test}) {
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    header->setSortIndicator(ClassBalanceModel::Label, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
}

void BalancePage::setBalance(const ClassBalance& balance)
{
    std::vector<ClassBalanceRow> rows;
    for (std::size_t i = 0; i < balance.classNames.size(); ++i) {
        rows.push_back(
            {balance.classNames[i], balance.train[i], balance.test[i], i >= balance.firstClass});
    }
    m_model.setRows(std::move(rows));
    m_words->setNote(balanceText(balance));
}

} // namespace lockstep::ui
