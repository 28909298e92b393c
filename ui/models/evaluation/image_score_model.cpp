// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_score_model.h"

#include <QLocale>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kScoreDecimals = 4;
constexpr int kPeakDecimals = 2;

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

} // namespace

Verdict verdictOf(const ImageScoreRow& row, double threshold)
{
    if (row.score >= threshold) {
        return row.isPositive ? Verdict::TruePositive : Verdict::FalsePositive;
    }
    return row.isPositive ? Verdict::FalseNegative : Verdict::TrueNegative;
}

void ImageScoreModel::setRows(std::vector<ImageScoreRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void ImageScoreModel::setThreshold(double threshold)
{
    if (m_threshold == threshold) {
        return;
    }
    m_threshold = threshold;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

int ImageScoreModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ImageScoreModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn ImageScoreModel::column(int number) const
{
    switch (number) {
    case Image:
        return {tr("Image"), tr("Its name in the test set")};
    case Label:
        return {tr("Label"), tr("What it is: defective where anything is marked in it")};
    case Score:
        return {
            tr("Score"), tr("The network's probability that it is defective"), kFigureAlignment};
    case Loss:
        return {
            tr("Loss"),
            tr("Of all objectives, each by its weight: the larger, the more wrong is the network"),
            kFigureAlignment};
    case Called:
        return {tr("At the threshold"), tr("Whether the chosen threshold calls it right or wrong")};
    case Peak:
        return {
            tr("Mask peak"), tr("The largest probability of a cell of the predicted mask"),
            kFigureAlignment};
    default:
        return {tr("Peak lies"), tr("Whether the label marks the cell of the peak, too")};
    }
}

QVariant ImageScoreModel::value(int row, int column) const
{
    const ImageScoreRow& image = at(row);
    switch (column) {
    case Image:
        return image.name;
    case Label:
        return image.isPositive;
    case Score:
        return image.score;
    case Loss:
        return image.loss;
    case Called:
        return static_cast<int>(verdictOf(image, m_threshold));
    case Peak:
        return image.peak;
    default:
        return image.isPeakInside;
    }
}

QString ImageScoreModel::text(int row, int column) const
{
    const ImageScoreRow& image = at(row);
    switch (column) {
    case Image:
        return image.name;
    case Label:
        return image.isPositive ? tr("defective") : tr("clean");
    case Score:
        return QLocale().toString(image.score, 'f', kScoreDecimals);
    case Loss:
        return QLocale().toString(image.loss, 'f', kScoreDecimals);
    case Called:
        return verdictText(verdictOf(image, m_threshold));
    case Peak:
        return QLocale().toString(image.peak, 'f', kPeakDecimals);
    default: // a clean image has no label that it could lie in
        return !image.isPositive ? QString() : image.isPeakInside ? tr("inside") : tr("outside");
    }
}

QVariant ImageScoreModel::other(int row, int /*column*/, int role) const
{
    const Verdict verdict = verdictOf(at(row), m_threshold);
    switch (role) {
    case WarningRole:
        return isWrong(verdict);
    case ExampleRole:
        return at(row).example;
    case kVerdictRole:
        return static_cast<int>(verdict);
    default:
        return {};
    }
}

} // namespace lockstep::ui
