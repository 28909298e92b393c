// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_score_model.h"

namespace lockstep::ui {
namespace {

QString verdictText(Verdict verdict)
{
    switch (verdict) {
    case Verdict::FalsePositive:
        return ImageScoreModel::tr("false positive");
    case Verdict::FalseNegative:
        return ImageScoreModel::tr("false negative");
    case Verdict::TruePositive:
        return ImageScoreModel::tr("true positive");
    default:
        return ImageScoreModel::tr("true negative");
    }
}

bool isWrong(Verdict verdict)
{
    return verdict == Verdict::FalsePositive || verdict == Verdict::FalseNegative;
}

/// A clean image has no label that it could lie in.
QString peakText(const ImageScoreRow& row)
{
    return !row.isPositive    ? QString()
           : row.isPeakInside ? ImageScoreModel::tr("inside")
                              : ImageScoreModel::tr("outside");
}

} // namespace

Verdict verdictOf(const ImageScoreRow& row, double threshold)
{
    if (row.score >= threshold) {
        return row.isPositive ? Verdict::TruePositive : Verdict::FalsePositive;
    }
    return row.isPositive ? Verdict::FalseNegative : Verdict::TrueNegative;
}

ImageScoreModel::ImageScoreModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("Image"), tr("Its name in the test set"), &ImageScoreRow::name},
         {tr("Label"),
          tr("What it is: defective where anything is marked in it"),
          &ImageScoreRow::isPositive,
          {},
          [](const ImageScoreRow& row) { return row.isPositive ? tr("defective") : tr("clean"); }},
         {tr("Score"), tr("The network's probability that it is defective"), &ImageScoreRow::score,
          decimals(4)},
         {tr("Loss"),
          tr("Of all objectives, each by its weight: the larger, the more wrong is the network"),
          &ImageScoreRow::loss, decimals(4)},
         {tr("At the threshold"),
          tr("Whether the chosen threshold calls it right or wrong"),
          [this](const ImageScoreRow& row) { return static_cast<int>(verdict(row)); },
          {},
          [this](const ImageScoreRow& row) { return verdictText(verdict(row)); }},
         {tr("Mask peak"), tr("The largest probability of a cell of the predicted mask"),
          &ImageScoreRow::peak, decimals(2)},
         {tr("Peak lies"),
          tr("Whether the label marks the cell of the peak, too"),
          &ImageScoreRow::isPeakInside,
          {},
          peakText}})
{
}

void ImageScoreModel::setThreshold(double threshold)
{
    if (m_threshold == threshold) {
        return;
    }
    m_threshold = threshold;
    if (!rows().empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

QVariant ImageScoreModel::other(int row, int /*column*/, int role) const
{
    switch (role) {
    case WarningRole:
        return isWrong(verdict(at(row)));
    case ExampleRole:
        return at(row).example;
    default:
        return {};
    }
}

} // namespace lockstep::ui
