// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/image_score_model.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace lockstep::ui {

/// The rows of an ImageScoreModel of one verdict, or all, in the order of a column: the most wrong
/// ones first, until a person chooses another.
class ImageFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    /// The model is the source, and must outlive this.
    explicit ImageFilterModel(ImageScoreModel& model, QObject* parent = nullptr);

    /// None: all.
    void setVerdict(std::optional<Verdict> verdict);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    std::optional<Verdict> m_verdict;
};

} // namespace lockstep::ui
