// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/table_model.h"

#include <QLocale>
#include <QRegularExpression>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

/// Figures have the minus of the charts, which is as wide as a plus, and a small e.
QString asInCharts(QString text, const QVariant& value)
{
    static const QRegularExpression exponent(QStringLiteral("(?<=\\d)E(?=[-+\\d])"));
    return value.typeId() == QMetaType::Double ? text.replace(exponent, QStringLiteral("e"))
                                                     .replace(QLatin1Char('-'), QChar(0x2212))
                                               : text;
}

} // namespace

CellFormat figureFormat(std::function<QString(const QVariant&)> text)
{
    return {std::move(text), Qt::AlignRight | Qt::AlignVCenter};
}

CellFormat wholeNumbers()
{
    return figureFormat(
        [](const QVariant& value) { return QLocale().toString(value.toLongLong()); });
}

CellFormat decimals(int count)
{
    return figureFormat([count](const QVariant& value) {
        return QLocale().toString(value.toDouble(), 'f', count);
    });
}

int rateDecimals(double rate)
{
    return rate <= 0.0 || rate >= 9.95 ? 0 : std::max(1, qCeil(-std::log10(rate)));
}

CellFormat rates()
{
    return figureFormat([](const QVariant& value) {
        const double rate = value.toDouble();
        return QLocale().toString(rate, 'f', rateDecimals(rate));
    });
}

CellFormat digits(int count)
{
    return figureFormat([count](const QVariant& value) {
        return QLocale().toString(value.toDouble(), 'g', count);
    });
}

CellFormat percents(int decimals)
{
    return figureFormat([decimals](const QVariant& value) {
        constexpr double kPercent = 100.0;
        return TableModel::tr("%1 %").arg(
            QLocale().toString(kPercent * value.toDouble(), 'f', decimals));
    });
}

CellFormat dataSizes()
{
    return figureFormat(
        [](const QVariant& value) { return QLocale().formattedDataSize(value.toLongLong(), 1); });
}

QVariant finite(double number)
{
    return std::isfinite(number) ? QVariant(number) : QVariant();
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return asInCharts(text(index.row(), index.column()), value(index.row(), index.column()));
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(head(index.column()).title, text(index.row(), index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(head(index.column()).format.alignment);
    case ValueRole:
        return value(index.row(), index.column());
    default:
        return other(index.row(), index.column(), role);
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const ColumnHead& described = head(section);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return described.title;
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return described.toolTip;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(described.format.alignment);
    default:
        return {};
    }
}

} // namespace lockstep::ui
