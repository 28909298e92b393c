// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QSortFilterProxyModel>

namespace lockstep::ui {

/// The rows of a model that a filter lets through, in the order of a column: those that are largest
/// in one first, until a person chooses another.
template<class Row, class Filter>
class FilterModel : public QSortFilterProxyModel
{
public:
    /// The model is the source, and must outlive this.
    FilterModel(RowModel<Row>& model, int column, QObject* parent = nullptr)
        : QSortFilterProxyModel(parent), m_model(model)
    {
        setSourceModel(&model);
        setSortRole(ValueRole);
        setSortLocaleAware(true);
        setDynamicSortFilter(true);
        sort(column, Qt::DescendingOrder);
    }

    void setFilter(const Filter& filter)
    {
        m_filter = filter;
        invalidateFilter();
    }
    [[nodiscard]] const Filter& filter() const noexcept { return m_filter; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& /*parent*/) const override
    {
        return m_filter.isListed(m_model.at(row));
    }

private:
    const RowModel<Row>& m_model;
    Filter m_filter;
};

} // namespace lockstep::ui
