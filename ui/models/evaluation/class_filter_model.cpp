// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/class_filter_model.h"

namespace lockstep::ui {

bool isListed(const ClassImageRow& image, const ClassFilter& filter)
{
    return image.label == filter.label.value_or(image.label)
           && image.predicted == filter.predicted.value_or(image.predicted)
           && (!filter.isWrongOnly || image.predicted != image.label);
}

ClassFilterModel::ClassFilterModel(ClassImageModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model)
{
    setSourceModel(&model);
    setSortRole(ValueRole);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
    sort(ClassImageModel::Loss, Qt::DescendingOrder);
}

void ClassFilterModel::setFilter(const ClassFilter& filter)
{
    m_filter = filter;
    invalidateFilter();
}

bool ClassFilterModel::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const
{
    return isListed(m_model.rows()[static_cast<std::size_t>(row)], m_filter);
}

} // namespace lockstep::ui
