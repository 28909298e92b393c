// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/evaluation/filter_model.h"

namespace lockstep::ui {

/// What a network that detects said of an image of the test set.
struct ImageScoreRow
{
    qint64 example = 0; ///< number in the test set
    QString name;
    bool isPositive = false; ///< its label
    double score = 0.0;      ///< probability that it is positive
    double loss = 0.0;
    double peak = 0.0; ///< where the predicted mask is surest
    bool isPeakInside = false;
};

/// How an image is called at a threshold, and what it is.
enum class Verdict { TruePositive, FalsePositive, FalseNegative, TrueNegative };

/// Positive is what has a score of at least `threshold`.
Verdict verdictOf(const ImageScoreRow& row, double threshold);

/// The images of an evaluation, and which of them are called wrong at a threshold: those have
/// WarningRole.
class ImageScoreModel : public RowModel<ImageScoreRow>
{
    Q_OBJECT

public:
    enum Column { Image, Label, Score, Loss, Called, Peak, Inside, ColumnCount };

    explicit ImageScoreModel(QObject* parent = nullptr);

    void setThreshold(double threshold);
    [[nodiscard]] double threshold() const noexcept { return m_threshold; }
    [[nodiscard]] Verdict verdict(const ImageScoreRow& row) const
    {
        return verdictOf(row, m_threshold);
    }

protected:
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    double m_threshold = 0.5;
};

/// The images of one verdict at the model's threshold, or all.
struct VerdictFilter
{
    const ImageScoreModel* model = nullptr;
    std::optional<Verdict> verdict;

    [[nodiscard]] bool isListed(const ImageScoreRow& row) const
    {
        return !verdict || model->verdict(row) == *verdict;
    }
};
using ImageFilterModel = FilterModel<ImageScoreRow, VerdictFilter>;

} // namespace lockstep::ui
