// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/balance_page.h"

#include "panels/preview/balance_text.h"
#include "panels/shared/warning_delegate.h"
#include "theme/palette.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kNameWidth = 180;
constexpr int kFewRows = 100; ///< by which the widths of columns are measured
constexpr double kBarSide = 6.0;
constexpr double kBarHeight = 8.0;
constexpr double kBarRadius = 2.0;
constexpr qint64 kWidestCount = 10'000'000;

/// Left of each number of ClassBalanceModel a bar, full for the largest class.
class ClassBarDelegate : public WarningDelegate
{
public:
    using WarningDelegate::WarningDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override
    {
        WarningDelegate::paint(painter, option, index);
        const double share = index.data(ClassBalanceModel::kBarRole).toDouble();
        const int figures = option.fontMetrics.horizontalAdvance(QLocale().toString(kWidestCount));
        const QRectF room =
            QRectF(option.rect).adjusted(kBarSide, 0.0, -2.0 * kBarSide - figures, 0.0);
        if (share <= 0.0 || room.width() <= 0.0) {
            return;
        }
        const ThemeColors theme = themeColors(option.palette);
        const QRectF bar(
            room.left(), room.center().y() - kBarHeight / 2.0, room.width() * share, kBarHeight);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        painter->setBrush(
            isSelected ? option.palette.color(QPalette::HighlightedText) : theme.accent);
        painter->drawRoundedRect(bar, kBarRadius, kBarRadius);
        painter->restore();
    }
};

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
