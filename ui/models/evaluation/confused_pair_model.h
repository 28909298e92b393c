// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QStringList>

#include <vector>

namespace lockstep::ui {

/// Two classes of which images of one were taken for the other.
struct ConfusedPair
{
    int label = 0;
    int predicted = 0;
    qint64 images = 0; ///< that were
    qint64 of = 0;     ///< images of the label
};

/// The pairs of classes that a network confuses, in the order in which they are given.
class ConfusedPairModel : public RowModel<ConfusedPair>
{
    Q_OBJECT

public:
    enum Column { Label, Prediction, Images, Share };

    explicit ConfusedPairModel(QObject* parent = nullptr);

    void setPairs(std::vector<ConfusedPair> pairs, const QStringList& names);
    [[nodiscard]] const std::vector<ConfusedPair>& pairs() const noexcept { return rows(); }

private:
    QStringList m_names;
};

} // namespace lockstep::ui
