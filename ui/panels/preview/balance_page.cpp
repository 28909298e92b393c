// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/balance_page.h"

#include "panels/shared/row_painting.h"
#include "plots/axes/number_text.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kNameWidth = 180;
constexpr int kFewRows = 100; ///< by which the widths of columns are measured
constexpr qint64 kWidestCount = 10'000'000;

/// Names of classes without examples that are listed; of more, their number says enough.
constexpr qsizetype kMostNamed = 5;

/// `filled`: numbers of the classes that have examples.
QString evennessText(
    const std::vector<QString>& names, const std::vector<std::int64_t>& counts,
    const std::vector<std::size_t>& filled)
{
    if (filled.empty()) {
        return {};
    }
    const auto countOf = [&](std::size_t number) { return counts[number]; };
    const std::size_t largest = *std::ranges::max_element(filled, {}, countOf);
    const std::size_t smallest = *std::ranges::min_element(filled, {}, countOf);
    const QString most = countText(counts[largest]);
    if (counts[largest] == counts[smallest]) {
        return BalancePage::tr("%1 each").arg(most);
    }
    const double factor =
        static_cast<double>(counts[largest]) / static_cast<double>(counts[smallest]);
    return BalancePage::tr(
               "the largest class (%1: %2) has %3 times as many as the smallest (%4: %5)")
        .arg(
            names[largest], most, QLocale().toString(factor, 'f', factor < 1.1 ? 2 : 1),
            names[smallest], countText(counts[smallest]));
}

QString emptyText(const QStringList& empty)
{
    if (empty.isEmpty()) {
        return {};
    }
    const QString names =
        empty.size() <= kMostNamed
            ? empty.join(QStringLiteral(", "))
            : empty.first(kMostNamed).join(QStringLiteral(", ")) + QStringLiteral(" …");
    return empty.size() == 1 ? BalancePage::tr("1 class has no examples: %1").arg(names)
                             : BalancePage::tr("%1 classes have no examples: %2")
                                   .arg(countText(empty.size()), names);
}

QString splitText(
    const QString& split, const ClassBalance& balance, const std::vector<std::int64_t>& counts)
{
    const std::vector<QString>& names = balance.classNames;
    std::vector<std::size_t> filled;
    QStringList empty;
    for (std::size_t number = balance.firstClass; number < counts.size(); ++number) {
        if (counts[number] == 0) {
            empty << names[number];
        } else {
            filled.push_back(number);
        }
    }
    QStringList parts{
        BalancePage::tr("%1: %2 examples of %3 classes")
            .arg(
                split, countText(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})),
                countText(static_cast<qint64>(counts.size() - balance.firstClass))),
        evennessText(names, counts, filled), emptyText(empty)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

} // namespace

BalancePage::BalancePage(QWidget* parent)
    : QWidget(parent), m_table(new QuietTable(
                           QStringLiteral("preview_classes"), tr("Examples of each class"), this)),
      m_words(new NoteLabel(NoteLabel::Tone::Plain, this))
{
    m_words->setObjectName(QStringLiteral("preview_balance"));
    makeTable();
    columnIn(this, {10, 2, 10, 4}, 4, {m_words, {m_table, 1}});
}

void BalancePage::makeTable()
{
    m_order.setSourceModel(&m_model);
    m_order.setSortRole(ValueRole);
    m_order.setSortLocaleAware(true);
    m_table->setModel(&m_order);
    auto* const bars = new BarDelegate(QLocale().toString(kWidestCount), m_table);
    m_table->setAlternatingRowColors(true);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setResizeContentsPrecision(kFewRows);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(ClassBalanceModel::Name, QHeaderView::Interactive);
    header->resizeSection(ClassBalanceModel::Name, kNameWidth);
    for (const int column : {ClassBalanceModel::Train, ClassBalanceModel::Test}) {
        m_table->setItemDelegateForColumn(column, bars);
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
    m_words->setNote(
        (balance.layout.isEmpty() ? QString() : balance.layout + u'\n') + balanceText(balance));
}

QString balanceText(const ClassBalance& balance)
{
    QStringList lines{
        splitText(BalancePage::tr("Train"), balance, balance.train),
        splitText(BalancePage::tr("Test"), balance, balance.test)};
    if (balance.isTrainedBalanced) {
        lines << BalancePage::tr("Batches are balanced: each is half clean, half defective.");
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockstep::ui
