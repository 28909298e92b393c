// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/class_balance_model.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kPercent = 100.0;

bool isCount(int column)
{
    return column == ClassBalanceModel::Train || column == ClassBalanceModel::Test;
}

double ratio(qint64 part, qint64 whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

} // namespace

void ClassBalanceModel::setRows(std::vector<ClassBalanceRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_train = m_test = {};
    for (const ClassBalanceRow& row : m_rows) {
        m_train = {std::max(m_train.most, row.train), m_train.all + row.train};
        m_test = {std::max(m_test.most, row.test), m_test.all + row.test};
    }
    endResetModel();
}

int ClassBalanceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ClassBalanceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn ClassBalanceModel::column(int number) const
{
    switch (number) {
    case Label:
        return {tr("Label"), tr("Number of the class"), kFigureAlignment};
    case Name:
        return {tr("Class"), tr("Name of the class")};
    case Train:
        return {
            tr("Train"), tr("Examples of the training set; the bar is full for the largest class"),
            kFigureAlignment};
    case TrainShare:
        return {tr("Share"), tr("Share of the training set"), kFigureAlignment};
    case Test:
        return {
            tr("Test"), tr("Examples of the test set; the bar is full for the largest class"),
            kFigureAlignment};
    default:
        return {tr("Share"), tr("Share of the test set"), kFigureAlignment};
    }
}

qint64 ClassBalanceModel::count(int row, int column) const
{
    const ClassBalanceRow& shown = m_rows[static_cast<std::size_t>(row)];
    return column < Test ? shown.train : shown.test;
}

const ClassBalanceModel::Extent& ClassBalanceModel::extent(int column) const
{
    return column < Test ? m_train : m_test;
}

QVariant ClassBalanceModel::value(int row, int column) const
{
    switch (column) {
    case Label:
        return row;
    case Name:
        return m_rows[static_cast<std::size_t>(row)].name;
    case Train:
    case Test:
        return count(row, column);
    default:
        return ratio(count(row, column), extent(column).all);
    }
}

QString ClassBalanceModel::text(int row, int column) const
{
    if (column == Name) {
        return m_rows[static_cast<std::size_t>(row)].name;
    }
    if (column == Label) {
        return QLocale().toString(row);
    }
    if (isCount(column)) {
        const qint64 examples = count(row, column);
        return examples == 0 ? tr("none") : QLocale().toString(examples);
    }
    return tr("%1 %").arg(QLocale().toString(kPercent * value(row, column).toDouble(), 'f', 1));
}

QVariant ClassBalanceModel::other(int row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == Name) {
        return m_rows[static_cast<std::size_t>(row)].name; // the column may be too narrow for it
    }
    if (!isCount(column)) {
        return {};
    }
    switch (role) {
    case kBarRole:
        return ratio(count(row, column), extent(column).most);
    case WarningRole:
        return count(row, column) == 0 && m_rows[static_cast<std::size_t>(row)].isExpected;
    default:
        return {};
    }
}

} // namespace lockstep::ui
