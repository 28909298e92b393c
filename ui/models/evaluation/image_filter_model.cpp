// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_filter_model.h"

namespace lockstep::ui {

ImageFilterModel::ImageFilterModel(ImageScoreModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSourceModel(&model);
    setSortRole(ValueRole);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
    sort(ImageScoreModel::Loss, Qt::DescendingOrder);
}

void ImageFilterModel::setVerdict(std::optional<Verdict> verdict)
{
    m_verdict = verdict;
    invalidateFilter();
}

bool ImageFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return !m_verdict
           || index.data(ImageScoreModel::kVerdictRole).toInt() == static_cast<int>(*m_verdict);
}

} // namespace lockstep::ui
