// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/class_balance_model.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

double ratio(qint64 part, qint64 whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

CellFormat counts()
{
    return {
        [](const QVariant& value) {
            const qint64 examples = value.toLongLong();
            return examples == 0 ? ClassBalanceModel::tr("none") : QLocale().toString(examples);
        },
        kFigureAlignment};
}

} // namespace

ClassBalanceModel::ClassBalanceModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("Label"), tr("Number of the class"), &ClassBalanceRow::label, wholeNumbers()},
         {tr("Class"), tr("Name of the class"), &ClassBalanceRow::name},
         {tr("Train"), tr("Examples of the training set; the bar is full for the largest class"),
          &ClassBalanceRow::train, counts()},
         {tr("Share"), tr("Share of the training set"),
          [this](const ClassBalanceRow& row) { return ratio(row.train, m_train.all); },
          percents(1)},
         {tr("Test"), tr("Examples of the test set; the bar is full for the largest class"),
          &ClassBalanceRow::test, counts()},
         {tr("Share"), tr("Share of the test set"),
          [this](const ClassBalanceRow& row) { return ratio(row.test, m_test.all); }, percents(1)}})
{
}

void ClassBalanceModel::setRows(std::vector<ClassBalanceRow> rows)
{
    m_train = m_test = {};
    int label = 0;
    for (ClassBalanceRow& row : rows) {
        row.label = label++;
        m_train = {std::max(m_train.most, row.train), m_train.all + row.train};
        m_test = {std::max(m_test.most, row.test), m_test.all + row.test};
    }
    RowModel::setRows(std::move(rows));
}

QVariant ClassBalanceModel::other(int row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == Name) {
        return at(row).name; // the column may be too narrow for it
    }
    if (column != Train && column != Test) {
        return {};
    }
    const qint64 count = column == Train ? at(row).train : at(row).test;
    if (role == BarRole) {
        return ratio(count, (column == Train ? m_train : m_test).most);
    }
    return role == WarningRole ? QVariant(count == 0 && at(row).isExpected) : QVariant();
}

} // namespace lockstep::ui
