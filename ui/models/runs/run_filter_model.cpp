// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/run_filter_model.h"

#include "models/runs/run_table_model.h"

#include <algorithm>
#include <array>

namespace lockstep::ui {

RunFilterModel::RunFilterModel(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(ValueRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
}

void RunFilterModel::setWords(const QString& words)
{
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    constexpr std::array kSearched{
        RunTableModel::Name, RunTableModel::State, RunTableModel::Model, RunTableModel::DataSet};
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        return std::any_of(kSearched.begin(), kSearched.end(), [&](int column) {
            return sourceModel()
                ->index(row, column, parent)
                .data()
                .toString()
                .contains(word, Qt::CaseInsensitive);
        });
    });
}

bool RunFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool isLeftKnown = left.data(ValueRole).isValid();
    const bool isRightKnown = right.data(ValueRole).isValid();
    if (isLeftKnown != isRightKnown) { // a descending order is the ascending one turned round
        return isLeftKnown == (sortOrder() == Qt::AscendingOrder);
    }
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace lockstep::ui
