// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/balance_text.h"

#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <numeric>
#include <optional>

namespace lockstep::ui {
namespace {

struct BalanceText
{
    Q_DECLARE_TR_FUNCTIONS(BalanceText)
};

/// Names of classes without examples that are listed; of more, their number says enough.
constexpr qsizetype kMostNamed = 5;

/// The largest class, the smallest of those with examples, and those without.
struct Extremes
{
    std::optional<std::size_t> largest;
    std::optional<std::size_t> smallest;
    QStringList empty;
};

/// Of the classes from `first` on.
Extremes extremesOf(
    const std::vector<QString>& names, const std::vector<std::int64_t>& counts, std::size_t first)
{
    Extremes found;
    for (std::size_t i = first; i < counts.size(); ++i) {
        if (counts[i] == 0) {
            found.empty << names[i];
            continue;
        }
        if (!found.largest || counts[i] > counts[*found.largest]) {
            found.largest = i;
        }
        if (!found.smallest || counts[i] < counts[*found.smallest]) {
            found.smallest = i;
        }
    }
    return found;
}

QString evennessText(
    const std::vector<QString>& names, const std::vector<std::int64_t>& counts,
    const Extremes& extremes)
{
    if (!extremes.largest) {
        return {};
    }
    const auto most = counts[*extremes.largest];
    const auto least = counts[*extremes.smallest];
    if (most == least) {
        return BalanceText::tr("%1 each").arg(countText(most));
    }
    const double factor = static_cast<double>(most) / static_cast<double>(least);
    const int decimals = factor < 1.1 ? 2 : 1;
    return BalanceText::tr(
               "the largest class (%1: %2) has %3 times as many as the smallest (%4: %5)")
        .arg(
            names[*extremes.largest], countText(most), QLocale().toString(factor, 'f', decimals),
            names[*extremes.smallest], countText(least));
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
    return empty.size() == 1 ? BalanceText::tr("1 class has no examples: %1").arg(names)
                             : BalanceText::tr("%1 classes have no examples: %2")
                                   .arg(countText(empty.size()), names);
}

QString splitText(
    const QString& split, const ClassBalance& balance, const std::vector<std::int64_t>& counts)
{
    const std::vector<QString>& names = balance.classNames;
    const Extremes extremes = extremesOf(names, counts, balance.firstClass);
    QStringList parts{
        BalanceText::tr("%1: %2 examples of %3 classes")
            .arg(
                split, countText(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})),
                countText(static_cast<qint64>(counts.size() - balance.firstClass))),
        evennessText(names, counts, extremes), emptyText(extremes.empty)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

} // namespace

QString balanceText(const ClassBalance& balance)
{
    QStringList lines{
        splitText(BalanceText::tr("Train"), balance, balance.train),
        splitText(BalanceText::tr("Test"), balance, balance.test)};
    if (balance.isTrainedBalanced) {
        lines << BalanceText::tr("Batches are balanced: each is half clean, half defective.");
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockstep::ui
